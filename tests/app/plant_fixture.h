#pragma once
// A plant in memory.
#include <gtest/gtest.h>

#include <array>

#include "app/plant_apply.h"
#include "historian/memory_historian.h"
#include "plant/schema.h"
#include "store/migrations.h"
#include "support/expect_error.h"

namespace flyball::app {

inline constexpr std::string_view kDryer = R"json({
  "line": {"id": "L1", "description": "spray dryer"},
  "tags": [
    {"name": "TIC1.PV", "unit": "°C", "role": "cv", "min": 0, "max": 300, "resolution": 0.1,
     "modeTag": "TIC1.MODE"},
    {"name": "TIC1.MODE", "kind": "digital", "states": ["MAN", "AUTO"]},
    {"name": "FEED", "unit": "kg/h", "role": "mv", "stepped": true}
  ],
  "products": [{"id": "milk", "limits": {"FEED": {"max": 900}}}],
  "recipes": [{"id": "std", "productId": "milk",
               "params": [{"tag": "FEED", "value": 500, "min": 400}]}],
  "runs": [
    {"id": "B1", "productId": "milk", "recipeId": "std", "startedAt": "2026-03-01T07:00:00Z",
     "endedAt": "2026-03-01T09:00:00Z", "evidence": "real"},
    {"id": "B2", "productId": "milk", "recipeId": "std", "startedAt": "2026-03-02T07:00:00Z",
     "endedAt": "2026-03-02T09:00:00Z"}
  ],
  "segments": [{"runId": "B1", "from": "2026-03-01T07:00:00Z", "to": "2026-03-01T08:00:00Z",
                "conditionId": "warm", "status": "confirmed", "confirmedBy": "ann",
                "confirmedAt": "2026-03-03T10:00:00Z", "reason": "batch sheet"}]
})json";

class PlantTest : public ::testing::Test {
 protected:
  /// One empty plant.
  struct Stores {
    Stores() {
      const std::array migrations{plant::migration(1), plant::mark_migration(2),
                                  plant::spec_migration(3)};
      store::migrate(db, migrations);
    }
    [[nodiscard]] Plant plant() { return {db, records, historian}; }
    store::Database db{":memory:"};
    plant::PlantStore records{db};
    historian::MemoryHistorian historian;
  };

  PlantApplyResponse apply(const Json& file, bool dry_run = false) {
    return apply(stores_, file, dry_run);
  }
  PlantApplyResponse apply(Stores& stores, const Json& file, bool dry_run = false) {
    return apply_plant(stores.plant(), plant::parse_plant_file(canonical(file), "plant.json"),
                       author_, dry_run);
  }
  static Json show(Stores& stores, const std::string& line = "L1") {
    return plant::plant_file_json(read_plant(stores.plant(), line));
  }
  /// "CODE /pointer" of every problem.
  template <class F>
  static std::vector<std::string> problems_of(F&& f) {
    std::vector<std::string> out;
    try {
      f();
    } catch (const Error& e) {
      for (const Problem& p : e.problems()) out.push_back(p.message.code + " " + p.pointer);
      if (out.empty()) out.push_back(e.code());
    }
    return out;
  }
  void store_samples(const std::string& tag) {
    const std::vector<historian::Sample> samples{{1'772'348'400'000'000, 20, {}}};
    historian::Filter filter;
    filter.run_id = "B1";
    stores_.historian.append(stores_.historian.runs(filter, false).at(0), "L1/" + tag, samples);
  }

  const Json dryer_ = parse_json(kDryer, "test");
  const plant::Author author_{"bob", 1'800'000'000'000'000, "set up"};
  Stores stores_;
};

using Problems = std::vector<std::string>;

}  // namespace flyball::app
