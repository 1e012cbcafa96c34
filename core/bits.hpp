// Words of bits.
#pragma once

#include <cstdint>

namespace boxscore {

// The lowest bits.
inline std::uint64_t mask(int bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

}  // namespace boxscore
