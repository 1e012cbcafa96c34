// Castagnoli's cyclic redundancy check, eight bytes at a step.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace boxscore {

using Crc32cTables = std::array<std::array<std::uint32_t, 256>, 8>;

// Table k says what a byte does to the check when k more bytes follow it.
constexpr Crc32cTables crc32c_tables() {
    Crc32cTables tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t rest = byte;
        for (int bit = 0; bit < 8; ++bit) rest = rest & 1 ? rest >> 1 ^ 0x82F63B78u : rest >> 1;
        tables[0][byte] = rest;
    }
    for (std::size_t k = 1; k < 8; ++k) {
        for (std::size_t byte = 0; byte < 256; ++byte) {
            const std::uint32_t before = tables[k - 1][byte];
            tables[k][byte] = before >> 8 ^ tables[0][before & 0xFF];
        }
    }
    return tables;
}

inline std::uint32_t crc32c(const std::uint8_t* bytes, std::size_t size) {
    static constexpr Crc32cTables tables = crc32c_tables();
    std::uint32_t rest = 0xFFFFFFFFu;
    for (; size >= 8; bytes += 8, size -= 8) {
        // Byte by byte, so that the order of bytes in a word does not matter.
        rest = tables[7][(rest ^ bytes[0]) & 0xFF] ^ tables[6][(rest >> 8 ^ bytes[1]) & 0xFF] ^
               tables[5][(rest >> 16 ^ bytes[2]) & 0xFF] ^ tables[4][(rest >> 24 ^ bytes[3]) & 0xFF] ^
               tables[3][bytes[4]] ^ tables[2][bytes[5]] ^ tables[1][bytes[6]] ^ tables[0][bytes[7]];
    }
    for (; size > 0; ++bytes, --size) rest = rest >> 8 ^ tables[0][(rest ^ *bytes) & 0xFF];
    return ~rest;
}

}  // namespace boxscore
