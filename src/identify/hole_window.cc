#include "identify/hole_window.h"

#include <algorithm>
#include <cmath>

namespace flyball::identify {
namespace {

constexpr double kWhole = 0.7;     ///< share of the rows that holes may leave without a say
constexpr Index kRowsPerTerm = 4;  ///< below, tests at 1 % and fits of that many terms see little
constexpr Index kLeastOrder = 3;
constexpr std::array kShares{0.75, 0.5, 0.375, 0.25};

}  // namespace

Index rows_behind(const std::vector<Stretch>& stretches, Index lags) {
  Index rows = 0;
  for (const Stretch& s : stretches) rows += std::max<Index>(s.end - s.first - lags, 0);
  return rows;
}

std::vector<Stretch> uncut(const std::vector<Stretch>& blocks) {
  std::vector<Stretch> out;
  for (const Stretch& b : blocks) {
    const auto run = std::ranges::find(out, b.run, &Stretch::run);
    if (run == out.end()) {
      out.push_back(b);
    } else {
      run->end += b.end - b.first;
    }
  }
  return out;
}

bool holes_matter(const std::vector<Stretch>& stretches, const std::vector<Stretch>& blocks,
                  Index lags) {
  return static_cast<double>(rows_behind(stretches, lags)) <
         kWhole * static_cast<double>(rows_behind(uncut(blocks), lags));
}

std::array<LagWindow, 4> narrower(LagWindow asked) {
  std::array<LagWindow, 4> out;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto part = [&](Index of) {
      return static_cast<Index>(std::ceil(kShares[i] * static_cast<double>(of)));
    };
    out[i].range = std::max<Index>(part(asked.range), 1);
    out[i].order = std::min(asked.order, std::max(kLeastOrder, part(asked.order)));
  }
  return out;
}

LagWindow window_within(const std::vector<Stretch>& stretches, const std::vector<Stretch>& blocks,
                        Index inputs, Index before, LagWindow asked) {
  const auto enough = [&](const LagWindow& w) {
    return rows_behind(stretches, before + w.range + w.order) >=
           kRowsPerTerm * (inputs * (w.range + 1) + w.order);
  };
  if (!holes_matter(stretches, blocks, before + asked.range + asked.order) || enough(asked))
    return asked;
  const auto windows = narrower(asked);
  const auto first = std::ranges::find_if(windows, enough);
  return first == windows.end() ? windows.back() : *first;
}

}  // namespace flyball::identify
