// mpc_bench: the whole step of a loop (state update, free response, optimum, trajectories), warm,
// over 200 closed-loop steps of each plant, and its cost against horizon and size. Prints a table,
// then one JSON line a row. The plants run with 20 % more gain than their models, noise, and an
// output disturbance at half time; set-points move every 50 steps. Allocations after set-up are
// counted. Then the closed-loop table of loop_table.h, as the test of it keeps it. Arguments: files
// of linear models (../shared/data/mpc_benchmarks/nonlinearCstr_*.json).
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "math/random.h"
#include "mpc/loop_table.h"
#include "optimise/stepper.h"
#include "testbed/closed_loop.h"
#include "testbed/plants.h"
#include "testbed/state_space.h"

namespace {
std::atomic<long> allocations{0};
}

#ifndef FLYBALL_SANITIZED
extern "C" void* __libc_malloc(std::size_t size);  // NOLINT: glibc's own name
extern "C" void* malloc(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
#endif

namespace flyball::bench {
namespace {

using testbed::ChannelSpec;

/// A plant of first-order lags of random gains and times, every CV moved by up to three MVs.
testbed::Plant random_plant(Index ny, Index nu, std::uint32_t seed) {
  math::Random r(seed);
  testbed::Plant p;
  for (Index j = 0; j < ny; ++j) {
    p.channels.emplace_back();
    for (Index i = 0; i < nu; ++i) {
      const double gain = r.uniform(-1, 1) + (i == j % nu ? 2.0 : 0.0);
      const double tau = r.uniform(5, 20);
      const double dead = std::floor(r.uniform(0, 5));
      const bool path = (i + nu - j % nu) % nu < 3;
      p.channels.back().push_back({.gain = path ? gain : 0.0, .tau1 = tau, .dead_time = dead});
    }
  }
  p.u0.assign(static_cast<std::size_t>(nu), 0.0);
  p.y0.assign(static_cast<std::size_t>(ny), 0.0);
  return p;
}

optimise::ProblemIr problem(const model::LinearStateSpace& m, double amplitude, double span,
                            Index horizon, Index moves) {
  optimise::ProblemIr p;
  p.model_id = "mdl-bench";
  p.model_artifact_hash = std::string(64, '0');
  p.beat_ms = 1000;
  p.horizon = horizon;
  p.control_horizon = moves;
  optimise::HistoryRow row;
  for (Index i = 0; i < m.n_mv; ++i) {
    optimise::MvTerm mv;
    mv.var_id = "MV" + std::to_string(i + 1);
    mv.min = m.u0(i) - 5 * amplitude;
    mv.max = m.u0(i) + 5 * amplitude;
    mv.max_move = amplitude;
    mv.move_weight = 0.2;
    mv.train = {m.u0(i), amplitude, mv.min, mv.max};
    p.mv.push_back(mv);
    p.u_prev.push_back(m.u0(i));
    row.u.emplace_back(m.u0(i));
  }
  for (Index j = 0; j < m.outputs(); ++j) {
    optimise::CvTerm cv;
    cv.var_id = "CV" + std::to_string(j + 1);
    cv.ref = m.g(j);
    cv.soft_min = m.g(j) - 1.5 * span;
    cv.soft_max = m.g(j) + 1.5 * span;
    cv.soft_linear = 0.0;
    cv.train = {m.g(j), span, m.g(j) - 5 * span, m.g(j) + 5 * span};
    p.cv.push_back(cv);
    row.y.emplace_back(m.g(j));
  }
  p.history.assign(static_cast<std::size_t>(m.max_delay()) + 2, row);
  return p;
}

double share(std::vector<double> x, double at) {
  std::sort(x.begin(), x.end());
  return x[std::min(x.size() - 1, static_cast<std::size_t>(at * static_cast<double>(x.size())))];
}

void run(const std::string& name, const testbed::Plant& plant, double period, double amplitude,
         double span, Index horizon, Index moves) {
  const auto m = testbed::state_space(plant, period);
  const optimise::ProblemIr p = problem(m, amplitude, span, horizon, moves);
  const auto began = std::chrono::steady_clock::now();
  optimise::Stepper stepper(p, m);
  const double setup =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
  testbed::LoopSpec spec;
  spec.plant = plant;
  spec.period = period;
  spec.steps = 200;
  spec.gain_factor = 1.2;
  spec.noise = 0.02 * span;
  spec.shift = Vector::Constant(m.outputs(), 0.4 * span);
  spec.shift_at = 100;
  spec.low = m.g.array() - 1.5 * span;
  spec.high = m.g.array() + 1.5 * span;
  std::vector<double> times;
  times.reserve(200);
  long allocated = 0;
  long failures = 0;
  long changes = 0;
  math::Random random(3);
  Vector reference = m.g;
  const auto record = testbed::run_loop(spec, [&](const testbed::LoopView& v) {
    if (v.t % 50 == 10)
      for (Index j = 0; j < reference.size(); ++j) {
        reference(j) = m.g(j) + random.uniform(-1, 1) * span;
        stepper.set_reference(j, reference(j));
      }
    Vector u = v.u_now;
    Vector y = m.g;
    if (v.t > 0) {
      u = v.u.row(v.t - 1).transpose();
      y = v.y.row(v.t - 1).transpose();
    }
    const long before = allocations;
    const auto from = std::chrono::steady_clock::now();
    const auto answer = stepper.step(u.data(), y.data());
    times.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - from).count());
    allocated += allocations - before;
    failures += answer != optimise::Answer::solved;
    changes += stepper.engine().iterations();
    for (Index i = 0; i < u.size(); ++i) u(i) = stepper.u(i);
    return testbed::LoopMove{u, reference};
  });
  nlohmann::ordered_json line{{"name", name},
                              {"mvs", m.n_mv},
                              {"cvs", m.outputs()},
                              {"states", m.states()},
                              {"horizon", horizon},
                              {"moves", moves},
                              {"medianUs", share(times, 0.5)},
                              {"p99Us", share(times, 0.99)},
                              {"setupMs", setup},
                              {"changes", changes},
                              {"failures", failures},
                              {"allocations", allocated}};
  line["absoluteError"] =
      record.absolute_error.sum() / (span * period * 200 * static_cast<double>(m.outputs()));
  line["violation"] =
      record.violation.sum() / (span * period * 200 * static_cast<double>(m.outputs()));
  line["travel"] = record.travel.sum() / amplitude;
  std::printf(
      "%-16s %2ld x %-2ld P %3ld M %2ld  median %8.2f us  p99 %9.2f us  set-up %7.1f ms  changes "
      "%5ld  failures %ld  allocations %ld\n",
      name.c_str(), static_cast<long>(m.n_mv), static_cast<long>(m.outputs()),
      static_cast<long>(horizon), static_cast<long>(moves), line["medianUs"].get<double>(),
      line["p99Us"].get<double>(), setup, changes, failures, allocated);
  std::fprintf(stderr, "%s\n", line.dump().c_str());
}

/// A model around its resting point: inputs in amplitudes, outputs in spans, the affine term gone.
model::LinearStateSpace around_rest(const nlohmann::json& file,
                                    const std::vector<double>& amplitude,
                                    const std::vector<std::pair<Index, double>>& outputs) {
  const auto matrix = [&](const char* name) {
    const auto& rows = file.at(name);
    Matrix out(static_cast<Index>(rows.size()), static_cast<Index>(rows[0].size()));
    for (Index i = 0; i < out.rows(); ++i)
      for (Index j = 0; j < out.cols(); ++j)
        out(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)].get<double>();
    return out;
  };
  model::LinearStateSpace m;
  m.A = matrix("A");
  m.B = matrix("B") * Eigen::Map<const Vector>(amplitude.data(), 2).asDiagonal();
  const Matrix c = matrix("C");
  const auto ny = static_cast<Index>(outputs.size());
  m.C = Matrix(ny, c.cols());
  for (Index j = 0; j < ny; ++j)
    m.C.row(j) = c.row(outputs[static_cast<std::size_t>(j)].first) /
                 outputs[static_cast<std::size_t>(j)].second;
  m.D = Matrix::Zero(ny, m.B.cols());
  m.K = Matrix::Zero(m.A.rows(), ny);
  m.f = Vector::Zero(m.A.rows());
  m.g = Vector::Zero(ny);
  m.u0 = Vector::Zero(m.B.cols());
  m.S = Matrix::Identity(ny, ny) * 1e-4;
  m.n_mv = m.B.cols();
  for (Index i = 0; i < m.n_mv; ++i) m.channels.push_back({i, 0});
  return m;
}

/// The reactor of Klatt and Engell (1993), linear at its operating point: feed and heat removal to
/// concentration of B and temperature, the plant with 20 % more gain, noise 2 %, a disturbance.
void run_cstr(const std::string& file) {
  std::ifstream in(file);
  const auto json = nlohmann::json::parse(in);
  const auto m = around_rest(json, {2, 500}, {{1, 0.05}, {2, 2}});
  optimise::Stepper stepper(problem(m, 1, 1, 40, 10), m);
  math::Random random(3);
  Vector x = Vector::Zero(m.states()), u = m.u0, reference = m.g;
  std::vector<double> times;
  times.reserve(200);
  double error = 0, travel = 0;
  long allocated = 0, failures = 0;
  for (int t = 0; t < 200; ++t) {
    if (t % 50 == 10)
      for (Index j = 0; j < reference.size(); ++j) {
        reference(j) = random.uniform(-1, 1);
        stepper.set_reference(j, reference(j));
      }
    Vector y = m.C * x;
    if (t >= 100) y.array() += 0.4;
    error += (y - reference).cwiseAbs().sum() / (200.0 * static_cast<double>(y.size()));
    for (double& v : y) v += 0.02 * random.normal();
    const Vector held = u;
    x = (m.A * x + 1.2 * m.B * u).eval();
    const long before = allocations;
    const auto from = std::chrono::steady_clock::now();
    failures += stepper.step(held.data(), y.data()) != optimise::Answer::solved;
    times.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - from).count());
    allocated += allocations - before;
    for (Index i = 0; i < u.size(); ++i) u(i) = stepper.u(i);
    travel += (u - held).cwiseAbs().sum();
  }
  std::printf(
      "%-16s %2ld x %-2ld P  40 M 10  median %8.2f us  p99 %9.2f us  failures %ld  allocations %ld "
      " "
      "error %.3f  travel %.1f\n",
      "cstr", static_cast<long>(m.n_mv), static_cast<long>(m.outputs()), share(times, 0.5),
      share(times, 0.99), failures, allocated, error, travel);
}

void print_table() {
  for (const LoopPlant& plant : loop_plants()) {
    for (const std::string_view fault : kFaults) {
      const LoopRow row = run_fault(plant, fault);
      std::printf("    {\"%s\", \"%s\", %.4f, %.3f, %.3f, %.3f},\n", row.plant.c_str(),
                  row.fault.c_str(), row.error, row.violation, row.travel, row.cost);
    }
  }
}

}  // namespace
}  // namespace flyball::bench

int main(int argc, char** argv) {
  using namespace flyball;
  using bench::run;
  run("wood_berry", testbed::wood_berry(), 60, 0.05, 1, 60, 10);
  run("wood_berry", testbed::wood_berry(), 60, 0.05, 1, 120, 30);
  run("shell", testbed::shell_fractionator(), 240, 0.1, 0.4, 60, 10);
  run("quadruple_tank", testbed::quadruple_tank(), 15, 0.3, 1, 60, 10);
  run("injection_line", testbed::injection_line(), 2.5, 4, 0.15, 60, 10);
  for (int i = 1; i < argc; ++i) bench::run_cstr(argv[i]);
  for (const Index horizon : {20, 60, 120, 240})
    run("random 4x6", bench::random_plant(6, 4, 1), 1, 1, 1, horizon, 15);
  for (const auto& [nu, ny] :
       {std::pair<Index, Index>{1, 1}, {2, 3}, {4, 6}, {6, 10}, {10, 20}, {20, 40}})
    run("random", bench::random_plant(ny, nu, 2), 1, 1, 1, 80, nu > 10 ? 10 : 20);
  bench::print_table();
}
