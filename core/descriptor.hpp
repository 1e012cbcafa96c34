// A file that is open, and closed whatever happens.
#pragma once

#ifndef _WIN32
#include <unistd.h>

namespace boxscore {

struct Descriptor {
    explicit Descriptor(int opened) : number(opened) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number >= 0) ::close(number);
    }

    const int number;  // below 0 where it could not be opened
};

}  // namespace boxscore
#endif
