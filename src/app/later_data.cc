#include "app/later_data.h"

#include <algorithm>
#include <utility>

namespace flyball::app {

TimeUs trained_until(const dataset::Built& built) {
  TimeUs out = INT64_MIN;
  for (const dataset::Series& run : built.dataset.runs) {
    if (!run.t.empty()) out = std::max(out, run.t.back());
  }
  return out + static_cast<DurationUs>(built.dataset.spec.beat_ms * 1000);
}

std::vector<dataset::Spec> later_specs(const dataset::Built& built,
                                       const historian::Historian& historian,
                                       const std::map<std::string, TimeUs>& newest) {
  constexpr std::size_t kMostRuns = 200;  // that a spec may name
  dataset::Spec all = built.dataset.spec;
  all.run_ids.clear();
  all.from_us = trained_until(built);
  all.to_us.reset();
  all.split.val_ratio = all.split.test_ratio = 0;
  const DurationUs beat = dataset::beat_us(all);
  const DurationUs ahead = all.window.horizon_steps * beat;
  std::vector<dataset::Spec> out;
  dataset::Spec fresh = all;
  const auto close = [&] {
    if (!fresh.run_ids.empty()) out.push_back(std::exchange(fresh, all));
  };
  for (const plant::Run& run : historian.runs({all.line_id, all.product_id, all.recipe_id, ""})) {
    if (!run.ended_at || *run.ended_at <= *all.from_us) continue;
    if (const auto known = newest.find(run.id); known != newest.end()) {
      if (*run.ended_at < known->second + 2 * ahead) continue;
      dataset::Spec& grown = out.emplace_back(all);
      grown.run_ids = {run.id};
      grown.from_us = known->second + ahead - all.window.history_steps * beat;
      continue;
    }
    fresh.run_ids.push_back(run.id);
    if (fresh.run_ids.size() == kMostRuns) close();
  }
  close();
  return out;
}

}  // namespace flyball::app
