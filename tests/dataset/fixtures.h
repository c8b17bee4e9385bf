#pragma once
// A small plant in a memory historian: columns of numbers become runs.
#include <cmath>
#include <string>
#include <vector>

#include "dataset/build.h"
#include "historian/memory_historian.h"
#include "math/random.h"

namespace flyball::dataset::fixtures {

using Column = std::vector<double>;

inline constexpr TimeUs kStart = 1'767'225'600'000'000;  // 2026-01-01T00:00:00Z

inline Variable variable(const std::string& id, Role role, bool stepped = false) {
  Variable v;
  v.id = id;
  v.node_id = "L1/" + id;
  v.role = role;
  v.unit = v.model_unit = "degC";
  v.scale = 1;
  v.offset = 0;
  v.stepped = stepped;
  return v;
}

/// One MV (stepped), one DV, one CV; 1 s; H = 3, F = 2.
inline Spec small_spec() {
  Spec s;
  s.line_id = "L1";
  s.product_id = "P1";
  s.recipe_id = "R1";
  s.variables = {variable("u", Role::mv, true), variable("d", Role::dv), variable("y", Role::cv)};
  s.beat_ms = 1000;
  s.window = {3, 2};
  return s;
}

inline plant::Run run_named(const std::string& id, TimeUs start, const std::string& recipe = "R1") {
  return {id, "L1", "P1", recipe, start, start + 10'000'000 * kSecond, plant::EvidenceSource::real};
}

inline std::vector<historian::Sample> samples(const Column& x, TimeUs start, DurationUs period) {
  std::vector<historian::Sample> out;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool ok = std::isfinite(x[i]);
    out.push_back({start + static_cast<DurationUs>(i) * period, x[i],
                   ok ? historian::kGood : historian::kBadNoData});
  }
  return out;
}

/// u, d and y of a first-order plant with noise; the same seed gives the same numbers.
struct Record {
  Column u, d, y;
};
inline Record record(std::size_t n, std::uint32_t seed) {
  math::Random random(seed);
  Record r;
  double u = 0, d = 0, y = 20;
  for (std::size_t i = 0; i < n; ++i) {
    if (random.uniform() < 0.1) u = random.uniform() < 0.5 ? 3.5 : 5;
    d = 0.9 * d + 0.2 * random.normal();
    y = 0.8 * y + u + 0.5 * d + 0.05 * random.normal();
    r.u.push_back(u);
    r.d.push_back(d);
    r.y.push_back(y);
  }
  return r;
}

inline void store(historian::MemoryHistorian& h, const plant::Run& run, const Record& r,
                  DurationUs period = kSecond) {
  h.append(run, "L1/u", samples(r.u, run.started_at, period));
  h.append(run, "L1/d", samples(r.d, run.started_at, period));
  h.append(run, "L1/y", samples(r.y, run.started_at, period));
}

/// `count` runs of n rows, a day apart.
inline void store_runs(historian::MemoryHistorian& h, int count, std::size_t n) {
  for (int i = 0; i < count; ++i) {
    store(h, run_named("r" + std::to_string(i), kStart + i * kDay),
          record(n, 100 + static_cast<std::uint32_t>(i)));
  }
}

/// The code of the Error that f throws, "" when it throws none.
template <class F>
std::string code_of(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.code();
  }
  return {};
}

}  // namespace flyball::dataset::fixtures
