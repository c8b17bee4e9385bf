// Coverage and width of the bands of block conformal prediction, against split conformal over
// single windows without blocks, on a known plant whose output carries AR(1) noise of 0, 0.5 and
// 0.9, a drift, and a change of regime between val and test.
//   bench_uq [--seeds N]
// Both methods promise that 90 % of what they score next stays inside: blocks score the largest
// error over 3·h start steps and h steps ahead, windows the largest over h steps. What a line that
// runs on meets is the block, so both bands are judged by blocks of test. Fails when the block
// method misses its exact law, rank/(n + 1), beyond binomial error under stationary noise.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "math/random.h"
#include "uq/conformal.h"
#include "uq/uq.h"

namespace flyball::uq {
namespace {

constexpr Index kHorizon = 8, kHistory = 8, kRows = 900;
constexpr int kRuns = 4;  ///< of val, and of test

struct Case {
  std::string name;
  double pole = 0, drift = 0, regime = 1;  ///< AR(1); per row of test; factor of test noise
  bool stationary = true;
};

/// One MV, one CV y = 0.8 y + 0.4 u(t−1), noise beside it, measured.
Matrix record(const Case& c, bool test, math::Random& random) {
  Matrix x(kRows, 2);
  double level = 1, y = 0, noise = 0;
  const double shock = std::sqrt(1 - c.pole * c.pole) * (test ? c.regime : 1);
  for (int t = 0; t < 100; ++t) noise = c.pole * noise + shock * random.normal();
  for (Index t = 0; t < kRows; ++t) {
    if (random.uniform() < 0.1) level = -level;
    noise = c.pole * noise + shock * random.normal();
    x(t, 0) = level;
    x(t, 1) = y + 0.2 * noise + (test ? c.drift * static_cast<double>(t) : 0);
    y = 0.8 * y + 0.4 * level;
  }
  return x;
}

dataset::Dataset dataset_of(const Case& c, std::uint32_t seed) {
  math::Random random(seed);
  dataset::Dataset d;
  d.spec.beat_ms = 1000;
  for (const dataset::Role role : {dataset::Role::mv, dataset::Role::cv}) {
    dataset::Variable v;
    v.id = role == dataset::Role::mv ? "u" : "y";
    v.role = role;
    d.spec.variables.push_back(v);
  }
  d.norm = {{0, 0}, {1, 1}, {-1, -3}, {1, 3}};
  for (const dataset::Part part : {dataset::Part::train, dataset::Part::val, dataset::Part::test}) {
    for (int i = 0; i < (part == dataset::Part::train ? 1 : kRuns); ++i) {
      dataset::Series s;
      s.run_id = fmt::format("R{}", d.runs.size());
      s.values = record(c, part == dataset::Part::test, random);
      s.mask = Mask::Ones(kRows, 2);
      d.blocks.push_back({s.run_id + "#0", s.run_id, part, 0, kRows, 0, 0, kRows});
      d.runs.push_back(std::move(s));
    }
  }
  return d;
}

/// The plant itself; what it cannot know is the noise.
void plant(const model::Record& record, Index t, Index steps, Eigen::Ref<Matrix> out) {
  double y = record.y(0, 0);
  for (Index k = 1; k < t + steps; ++k) {
    y = 0.8 * y + 0.4 * record.u(k - 1, 0);
    if (k >= t) out(k - t, 0) = y;
  }
}

/// Largest error of each window of val by itself.
Vector window_scores(const dataset::Dataset& d) {
  std::vector<double> out;
  const evaluate::Layout columns = evaluate::layout(d);
  model::Record window;
  Matrix ahead(kHorizon, 1);
  for (const dataset::Block* block : d.part(dataset::Part::val)) {
    const dataset::Series& s = d.run(block->run_id);
    for (const Index t : evaluate::window_starts(s, *block, columns, {kHistory, kHorizon})) {
      evaluate::copy_window(s, columns, t, kHistory, kHorizon, evaluate::Disturbances::held,
                            window);
      plant(window, kHistory, kHorizon, ahead);
      out.push_back((ahead.col(0) - s.values.col(1).segment(t, kHorizon)).cwiseAbs().maxCoeff());
    }
  }
  return Eigen::Map<const Vector>(out.data(), static_cast<Index>(out.size()));
}

struct Sum {
  double covered = 0, width = 0;
};

bool run(const Case& c, std::uint32_t seeds) {
  Sum blocks, windows, per_step;
  double all = 0, law = 0, first = 0, last = 0;
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    const dataset::Dataset d = dataset_of(c, seed);
    const evaluate::WindowShape shape{kHistory, kHorizon};
    const Matrix scale = step_scale(d, plant, shape);
    const BlockScores val = block_scores(d, dataset::Part::val, plant, shape, {}, scale);
    const BlockScores test = block_scores(d, dataset::Part::test, plant, shape, {}, scale);
    const double of_blocks = quantile(val.scores.col(0), Method::split_conformal, 0.1);
    const double of_windows = quantile(window_scores(d), Method::split_conformal, 0.1);
    const double factor = quantile(val.scaled.col(0), Method::split_conformal, 0.1);
    const auto n = static_cast<double>(val.blocks());
    law += static_cast<double>(conformal_rank(val.blocks(), 0.1)) / (n + 1) / seeds;
    // One test block a seed: blocks of one seed share their qhat and are no independent trials.
    const Index at = static_cast<Index>(seed) % test.blocks();
    blocks.covered += test.scores(at, 0) <= of_blocks ? 1 : 0;
    windows.covered += test.scores(at, 0) <= of_windows ? 1 : 0;
    per_step.covered += test.scaled(at, 0) <= factor ? 1 : 0;
    blocks.width += of_blocks / seeds;
    windows.width += of_windows / seeds;
    first += factor * scale(0, 0) / seeds;
    last += factor * scale(kHorizon - 1, 0) / seeds;
    all += 1;
  }
  const Share seen = binomial_interval(std::llround(blocks.covered), std::llround(all), 0.999);
  fmt::print(
      "{:22s} {:6.1f} % ({:.1f} … {:.1f}) law {:.1f}  ±{:.3f}   {:6.1f} % ±{:.3f}   {:6.1f} % "
      "±{:.3f} … {:.3f}\n",
      c.name, 100 * blocks.covered / all, 100 * seen.low, 100 * seen.high, 100 * law, blocks.width,
      100 * windows.covered / all, windows.width, 100 * per_step.covered / all, first, last);
  const Share steps = binomial_interval(std::llround(per_step.covered), std::llround(all), 0.999);
  const bool holds = seen.low <= law && law <= seen.high && steps.low <= law && law <= steps.high;
  if (c.stationary && !holds) fmt::print("  FAILED: the coverage is not rank/(n + 1)\n");
  return holds || !c.stationary;
}

}  // namespace
}  // namespace flyball::uq

int main(int argc, char** argv) {
  using flyball::uq::Case;
  const bool given = argc == 3 && std::string_view(argv[1]) == "--seeds";
  const auto seeds = static_cast<std::uint32_t>(given ? std::atoi(argv[2]) : 300);
  const std::vector<Case> cases{{"white noise", 0, 0, 1, true},
                                {"AR(1) 0.5", 0.5, 0, 1, true},
                                {"AR(1) 0.9", 0.9, 0, 1, true},
                                {"drift in test", 0.5, 0.0005, 1, false},
                                {"test noise doubled", 0.5, 0, 2, false}};
  fmt::print(
      "share of test blocks inside the band (99.9 % interval), half width\n{:22s} {:^42s} {:^18s} "
      "{:^30s}\n",
      "", "blocks", "single windows", "blocks, per step");
  bool good = true;
  for (const Case& c : cases) good = flyball::uq::run(c, seeds) && good;
  return good ? 0 : 1;
}
