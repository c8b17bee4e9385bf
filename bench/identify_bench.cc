// Identification: one ARX fit from a long raw series, against Householder QR where memory allows,
// and whole identifications of a small and a middling record; then beside numpy, LAPACK,
// statsmodels and octave-control.
//   bench_identify [--peer-rows=N] [options of Google Benchmark]
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "identify/identify.h"
#include "identify/output_error.h"
#include "identify/regression.h"
#include "identify_peers.h"
#include "math/linear_algebra.h"
#include "math/random.h"

namespace flyball::identify {
namespace {

constexpr Index kInputs = 5, kOutputs = 5, kOrder = 10;

std::vector<Term> regressors(Index signals) {
  std::vector<Term> terms;
  for (Index i = 0; i < signals; ++i) {
    for (Index k = 1; k <= kOrder; ++k) terms.push_back({i, k});
  }
  return terms;
}

/// 100 regressors, 5 right-hand sides.
Matrix fit(const Matrix& x) {
  math::LagGram gram(x.cols(), kOrder);
  gram.add(x, kOrder, x.rows());
  const Normal n{gram.centred(), {}, gram.rows(), kOrder};
  Matrix theta(x.cols() * kOrder, kOutputs);
  for (Index j = 0; j < kOutputs; ++j) {
    theta.col(j) =
        solve(n, regressors(x.cols()), {kInputs + j, 0}, {.lambda = 1e-14, .exact_steps = 1}).theta;
  }
  return theta;
}

void ArxFromRawSeries(benchmark::State& state) {
  const Matrix x = bench_series(state.range(0), kInputs, kOutputs);
  Matrix theta;
  for (auto _ : state) benchmark::DoNotOptimize(theta = fit(x));
  const bool right = std::abs(theta(kInputs * kOrder, 0) - 0.9) < 0.02;
  if (!right) state.SkipWithError("the pole of y1 is not 0.9");
  state.counters["rows/s"] = benchmark::Counter(static_cast<double>(x.rows()),
                                                benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(ArxFromRawSeries)
    ->Arg(10'000)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->Unit(benchmark::kMillisecond);

/// The rival: the lagged matrix built and decomposed. Its answer is the oracle.
void ArxByQr(benchmark::State& state) {
  const Matrix x = bench_series(state.range(0), kInputs, kOutputs);
  const Index n = x.rows() - kOrder;
  const auto terms = regressors(x.cols());
  Vector theta;
  for (auto _ : state) {
    Matrix phi(n, static_cast<Index>(terms.size()) + 1);
    for (std::size_t c = 0; c < terms.size(); ++c) {
      phi.col(static_cast<Index>(c)) = x.col(terms[c].signal).segment(kOrder - terms[c].lag, n);
    }
    phi.rightCols(1).setOnes();
    theta = math::least_squares(phi, x.col(kInputs).tail(n));
  }
  const Vector ours = fit(x).col(0);
  const double error = (theta.head(ours.size()) - ours).norm() / ours.norm();
  if (!(error < 1e-9)) state.SkipWithError("more than 1e-9 from QR");
  state.counters["error"] = error;
}
BENCHMARK(ArxByQr)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

/// Orders 1..10 and common dead times 0..20 of every output: one Gram matrix of the largest
/// structure, one Cholesky factor per output and dead time. The terms stand lag by lag, so that the
/// factor's leading parts answer every smaller order: RSS(n) = yᵀy − Σ z².
constexpr Index kDeadTimes = 20;

void OrderAndDeadTimeScan(benchmark::State& state) {
  const Matrix x = bench_series(state.range(0), kInputs, kOutputs);
  const bool scan = state.range(1) != 0;
  const Index lags = kOrder + kDeadTimes;
  Index best_dead_time = -1;
  for (auto _ : state) {
    math::LagGram gram(x.cols(), lags);
    gram.add(x, lags, x.rows());
    const Normal n{gram.centred(), {}, gram.rows(), lags};
    double least = std::numeric_limits<double>::infinity();
    for (Index j = 0; j < kOutputs; ++j) {
      for (Index dead = scan ? 0 : kDeadTimes; dead <= kDeadTimes; ++dead) {
        std::vector<Index> at;
        for (Index k = 1; k <= kOrder; ++k) {
          at.push_back(n.index(kInputs + j, k));
          for (Index m = 0; m < kInputs; ++m) at.push_back(n.index(m, dead + k));
        }
        const Index y = n.index(kInputs + j, 0);
        const Matrix c = n.c(at, at);
        const auto factor = math::Cholesky::of(c);
        if (!factor) {
          state.SkipWithError("not positive definite");
          return;
        }
        Vector z = n.c.col(y)(at);
        factor->lower().triangularView<Eigen::Lower>().solveInPlace(z);
        double rss = n.c(y, y);
        for (Index order = 1; order <= kOrder; ++order) {
          rss -= z.segment((order - 1) * (kInputs + 1), kInputs + 1).squaredNorm();
          // The first output's inputs answer after 1 to 3 steps.
          if (j == 0 && rss < 0.999 * least) {
            least = rss;
            best_dead_time = dead;
          }
        }
      }
    }
  }
  if (scan && best_dead_time != 0) state.SkipWithError("the dead time is wrong");
}
BENCHMARK(OrderAndDeadTimeScan)
    ->ArgNames({"rows", "scan"})
    ->Args({100'000, 0})
    ->Args({100'000, 1})
    ->Args({1'000'000, 0})
    ->Args({1'000'000, 1})
    ->Unit(benchmark::kMillisecond);

dataset::Dataset dataset_of(const Matrix& x, Index inputs) {
  dataset::Dataset d;
  d.spec.beat_ms = 1000;
  for (Index c = 0; c < x.cols(); ++c) {
    dataset::Variable v;
    v.id = "v" + std::to_string(c);
    v.role = c < inputs ? dataset::Role::mv : dataset::Role::cv;
    d.spec.variables.push_back(v);
  }
  d.runs.push_back({"R", {}, x, Mask::Ones(x.rows(), x.cols())});
  d.blocks.push_back({"R#0", "R", dataset::Part::train, 0, x.rows(), 0, 0, x.rows()});
  return d;
}

/// Output error of one CV from an ARX start, 3 000 samples.
void Refinement(benchmark::State& state) {
  const Index inputs = state.range(0), order = state.range(1);
  const Matrix x = bench_series(3000, inputs, 1);
  const TrainingData data = training_data(dataset_of(x, inputs));
  const Regression r = make_regression(data, 0, std::vector<bool>(inputs, true), false, false);
  const std::vector<Interval> all{{0, std::numeric_limits<Index>::max() / 2}};
  Rational start;
  start.arx.structure = {order, order, {}};
  for (Index m = 0; m < inputs; ++m) start.arx.structure.inputs.push_back({m, 1});
  const Normal n = normal_of(r, gram_of(r, start.arx.structure.max_lag(), all));
  const auto terms = start.arx.structure.terms(r.nu);
  start.arx.theta = solve(n, terms, {r.nu, 0}, {.lambda = 1e-8}).theta;
  start.arx.constant = constant_of(n, terms, r.nu, start.arx.theta);
  Refined refined;
  for (auto _ : state) benchmark::DoNotOptimize(refined = refine(r, start, all, {}));
  if (!(refined.end < refined.start)) state.SkipWithError("no better than its start");
  state.counters["iterations"] = refined.iterations;
}
BENCHMARK(Refinement)
    ->ArgNames({"in", "order"})
    ->Args({1, 2})
    ->Args({2, 3})
    ->Args({5, 2})
    ->Unit(benchmark::kMillisecond);

void WholeIdentification(benchmark::State& state) {
  const Index inputs = state.range(1), outputs = state.range(2);
  const auto d = dataset_of(bench_series(state.range(0), inputs, outputs), inputs);
  IdentifyResult result;
  for (auto _ : state) benchmark::DoNotOptimize(result = identify_arx(d));
  if (result.findings.dead_times.at(0).steps != 1) state.SkipWithError("a dead time is wrong");
}
BENCHMARK(WholeIdentification)
    ->ArgNames({"rows", "in", "out"})
    ->Args({500, 1, 1})
    ->Args({4800, 4, 4})
    ->Args({50'000, 5, 5})
    ->Args({8'000, 20, 3})
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace flyball::identify

int main(int argc, char** argv) {
  long rows = 100'000;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with("--peer-rows=")) rows = std::atol(word.c_str() + word.find('=') + 1);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return flyball::identify::compare_with_peers(rows) ? 0 : 1;
}
