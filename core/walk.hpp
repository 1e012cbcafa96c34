// Walks down a ranking and notes what moves a curve.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "bits.hpp"
#include "curve_types.hpp"
#include "ranking.hpp"

namespace boxscore {

// A detection that is not false or ignored at every threshold of a slice.
template <class Word>
struct Event {
    std::uint32_t row;
    std::int32_t plain;  // before it: detections that are false at every threshold
    Word hit, wrong;     // a bit per threshold
};

// Most detections are false, or ignored, at every threshold. They are only counted, for several slices at once, so that
// a walk down the ranking looks at a byte of each.
template <class Word>
class Walk {
  public:
    Walk(const Verdicts& verdicts, const TieRules& ties, const std::vector<Slice>& slices)
        : v_(verdicts),
          ties_(ties),
          slices_(slices),
          hits_(static_cast<const Word*>(verdicts.hits)),
          ignored_(static_cast<const Word*>(verdicts.ignored)),
          credits_(static_cast<const Word*>(verdicts.credits)),
          width_(static_cast<std::size_t>(verdicts.n_ranges)),
          all_(static_cast<Word>(mask(verdicts.n_thresholds))) {
        for (std::size_t code = 0; code < spread_.size(); ++code)
            for (std::size_t s = 0; s < kAtOnce; ++s)
                spread_[code] |= static_cast<std::uint64_t>(code >> s & 1) << 8 * s;
    }

    // The ranking to walk down from now on.
    void start(Rows rows) { rows_ = rows; }

    // Notes the events of a slice. Slices are to be asked for in their order.
    void go(std::size_t s) {
        events.clear();
        plain = 0;
        if (ties_.hits || credits_ || v_.share) return go_by_equals(slices_[s]);
        if (s % kAtOnce == 0) look(s);
        const std::size_t first = s - s % kAtOnce, width = std::min(kAtOnce, slices_.size() - first);
        events.reserve(marked_.size());
        for (std::size_t i = 0; i < marked_.size(); ++i)
            note(marked_[i], slices_[s], all_, plain_before_[i * width + (s - first)]);
        plain += total_[s - first];
    }

    // Of the slice at hand.
    std::vector<Event<Word>> events;
    std::int64_t plain = 0;  // detections that are false at every threshold

  private:
    static constexpr std::size_t kAtOnce = 7;       // slices
    static constexpr std::uint8_t kEventful = 128;  // not false or ignored at every threshold, in some range
    // Counts the plain detections of several slices and marks all others.
    void look(std::size_t s) {
        const std::size_t width = std::min(kAtOnce, slices_.size() - s), eventful = classify(s);
        marked_.clear();
        marked_.reserve(eventful);
        plain_before_.clear();
        plain_before_.reserve(eventful * width);
        total_.fill(0);
        std::uint64_t counts = 0;  // a byte for each slice
        int counted = 0;
        const auto add_up = [&] {
            for (std::size_t i = 0; i < width; ++i) total_[i] += static_cast<std::int64_t>(counts >> 8 * i & 255);
            counts = 0;
            counted = 0;
        };
        for (const std::uint32_t row : rows_) {
            const std::uint8_t code = code_[row - rows_.low];
            if (code == kEventful) {
                add_up();
                marked_.push_back(row);
                for (std::size_t i = 0; i < width; ++i) plain_before_.push_back(static_cast<std::int32_t>(total_[i]));
            } else {
                counts += spread_[code];
                if (++counted == 255) add_up();
            }
        }
        add_up();
    }

    // A byte for each row of the group: a bit for each slice in which it is plain. Returns how many are eventful.
    std::size_t classify(std::size_t s) {
        const std::size_t last = std::min(slices_.size(), s + kAtOnce);
        const auto code_of = [&](std::uint64_t plain, std::int32_t rank) {
            unsigned code = 0;
            for (std::size_t i = s; i < last; ++i)
                code |= static_cast<unsigned>((plain >> slices_[i].range & 1) & (rank < slices_[i].cap)) << (i - s);
            return static_cast<std::uint8_t>(code);
        };
        // Mostly few combinations of ranges and caps occur. Turns from the highest cap on are alike.
        constexpr std::int32_t kNoCap = std::numeric_limits<std::int32_t>::max(), kManyRanks = 1 << 12;
        std::int32_t n_ranks = 1;
        bool few = width_ <= 4;
        for (std::size_t i = s; i < last; ++i) {
            if (slices_[i].cap < kManyRanks)
                n_ranks = std::max(n_ranks, slices_[i].cap + 1);
            else if (slices_[i].cap < kNoCap)
                few = false;
        }
        table_.clear();
        for (std::int32_t rank = 0; few && rank < n_ranks; ++rank)
            for (std::uint64_t plain = 0; plain < 16; ++plain) table_.push_back(code_of(plain, rank));
        code_.resize(rows_.high - rows_.low);
        std::size_t eventful = 0;
        for (std::size_t row = rows_.low; row < rows_.high; ++row) {
            const Word* const hits = hits_ + row * width_;
            const Word* const lost = ignored_ + row * width_;
            bool simple = true;
            std::uint64_t plain = 0;
            for (std::size_t a = 0; a < width_; ++a) {
                simple &= (hits[a] == 0) & ((lost[a] == 0) | (lost[a] == all_));
                plain |= static_cast<std::uint64_t>(lost[a] == 0) << a;
            }
            const std::int32_t rank = few ? std::min(v_.rank[row], n_ranks - 1) : v_.rank[row];
            code_[row - rows_.low] = !simple ? kEventful
                                     : few   ? table_[static_cast<std::size_t>(rank) * 16 + plain]
                                             : code_of(plain, rank);
            eventful += !simple;
        }
        return eventful;
    }

    // Where the verdict, or a credit, decides between equal scores: those that go first, at each threshold for itself.
    void go_by_equals(Slice slice) {
        for (std::size_t begin = 0, end; begin < rows_.n; begin = end) {
            for (end = begin + 1; end < rows_.n && equal(rows_.data[begin], rows_.data[end]); ++end) {}
            for (const bool first : {true, false})
                for (std::size_t i = begin; i < end; ++i) {
                    const std::size_t at = rows_.data[i] * width_ + static_cast<std::size_t>(slice.range);
                    const Word hit = hits_[at];
                    const Word early = ties_.hits > 0   ? hit
                                       : ties_.hits < 0 ? static_cast<Word>(all_ & ~hit)
                                       : credits_       ? credits_[at]
                                                        : static_cast<Word>(0);
                    note(rows_.data[i], slice, first ? early : static_cast<Word>(all_ & ~early), 0);
                }
        }
    }

    // Whether two neighbours of the ranking may change places: by the verdict, or because one is credited.
    bool equal(std::uint32_t a, std::uint32_t b) const {
        return v_.score[a] == v_.score[b] &&
               (ties_.hits || (!v_.tie && v_.image[a] == v_.image[b] && same_class(a, b)));
    }

    bool same_class(std::uint32_t a, std::uint32_t b) const {
        const std::int64_t low = std::min(a, b), high = std::max(a, b);
        return *std::upper_bound(v_.first, v_.first + v_.n_classes, low) > high;
    }

    // Notes what a detection is at some thresholds.
    void note(std::uint32_t row, Slice slice, Word at, std::int32_t before) {
        if (v_.rank[row] >= slice.cap) return;
        const std::size_t cell = row * width_ + static_cast<std::size_t>(slice.range);
        const Word hit = hits_[cell] & at, wrong = static_cast<Word>(at & ~(hits_[cell] | ignored_[cell]));
        if (wrong == all_ && !v_.share)  // with shares every false one is an event
            ++plain;
        else if (hit | wrong)
            events.push_back({row, static_cast<std::int32_t>(before + plain), hit, wrong});
    }

    const Verdicts& v_;
    const TieRules& ties_;
    const std::vector<Slice>& slices_;
    const Word* const hits_;
    const Word* const ignored_;
    const Word* const credits_;                // may be null
    const std::size_t width_;                  // size ranges
    const Word all_;                           // a bit for each threshold
    std::array<std::uint64_t, 128> spread_{};  // the bits of a code as bytes
    Rows rows_{};
    std::vector<std::uint8_t> code_, table_;
    std::vector<std::uint32_t> marked_;          // rows that are not plain or ignored, as they are ranked
    std::vector<std::int32_t> plain_before_;     // (marked, slices) plain detections before each of them
    std::array<std::int64_t, kAtOnce> total_{};  // all plain detections
};

}  // namespace boxscore
