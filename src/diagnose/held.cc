#include "diagnose/held.h"

#include <algorithm>
#include <vector>

namespace flyball::diagnose {
namespace {

constexpr std::size_t kFewChanges = 20;
constexpr double kRegularShare = 0.9;

}  // namespace

bool held_cv(const identify::TrainingData& data, Index cv) {
  std::vector<Index> stays;
  const auto y = data.x.col(data.nu() + cv);
  for (const identify::Stretch& block : data.blocks) {
    Index changed = -1;
    for (Index t = block.first + 1; t < block.end; ++t) {
      if (y(t) == y(t - 1)) continue;
      if (changed >= 0) stays.push_back(t - changed);
      changed = t;
    }
  }
  if (stays.size() < kFewChanges) return false;
  const auto middle = stays.begin() + static_cast<std::ptrdiff_t>(stays.size() / 2);
  std::ranges::nth_element(stays, middle);
  const Index usual = *middle;
  if (usual < 2) return false;
  const auto regular = std::ranges::count_if(stays, [&](Index stay) { return stay % usual == 0; });
  return static_cast<double>(regular) >= kRegularShare * static_cast<double>(stays.size());
}

}  // namespace flyball::diagnose
