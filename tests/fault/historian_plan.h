#pragma once
// What the writers of the fault tests write: batch k is the same whoever writes it.
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "historian/historian.h"
#include "math/random.h"

namespace flyball::historian {

/// Single samples, handfuls and hundreds of several tags and two runs; late ones, repeated ones.
/// Its number stands in its import record.
inline void write_batch(Historian& store, std::int64_t k) {
  math::Random random(static_cast<std::uint32_t>(k) * 7919 + 1);
  const auto writer = store.begin();
  for (std::int64_t i = random.index(4); i >= 0; --i) {
    plant::Run run;
    run.id = random.index(4) == 0 ? "late" : "usual";
    run.line_id = "L1";
    run.product_id = "film";
    run.recipe_id = "hot";
    run.ended_at = k;
    const std::int64_t sizes[] = {1, 3, 20, 300};
    const std::int64_t n = sizes[random.index(4)];
    TimeUs at = 400 * (random.index(3) == 0 ? random.index(k + 1) : k);
    std::vector<Sample> samples;
    for (std::int64_t s = 0; s < n; ++s) {
      at += random.index(4);
      samples.push_back({at, random.index(30) == 0 ? std::nan("") : random.normal(), kGood});
    }
    writer->append(run, "L1/T" + std::to_string(random.index(3)), samples);
  }
  writer->put_import({"batch", "", "L1", k, "{}"});
  writer->commit();
}

/// Batches 0, 1, ... are written one after another: how many are there.
inline std::int64_t batches(const Historian& store) {
  const auto newest = store.imports("", 1);
  return newest.empty() ? 0 : newest.front().at + 1;
}

}  // namespace flyball::historian
