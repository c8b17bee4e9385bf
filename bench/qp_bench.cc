// The shared collections of quadratic programs, each answer checked. One JSON line a problem and
// one a folder; exit 1 on a false `solved` or an unsolved problem whose optimum is stored.
//   qp_bench DIR... [--rivals]    --rivals: daqp, quadprog, osqp of build/oracles in the same run
// Time: the best of several runs, set-up included for single problems; for sequences the whole
// solve from the last working set, median and 99 %. gap = |J − stored| / max(1e-3, |stored|, |r|).
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "qp_problems.h"
#include "qp_rivals.h"
#include "solver/active_set.h"
#include "solver/solve.h"

namespace flyball::bench {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

/// A stored optimum is good to about this much, relative.
double trusted(const std::string& grade) {
  if (grade == "A" || grade == "B") return 2e-6;
  if (grade == "C" || grade == "-") return 1e-6;
  if (grade == "D") return 1e-4;
  return HUGE_VAL;
}

double seconds_since(Clock::time_point from) {
  return std::chrono::duration<double>(Clock::now() - from).count();
}

struct Count {
  int problems = 0, solved = 0, false_solved = 0, unsolved = 0, within = 0;
  double worst_gap = 0, worst_kkt = 0, log_time = 0;
};

using Times = std::map<std::string, double>;  ///< name → microseconds

bool run_problems(const std::string& folder, const std::vector<QpProblem>& problems, Times& ours) {
  Count c;
  for (const QpProblem& p : problems) {
    solver::Solution s;
    double best = HUGE_VAL;
    for (int run = 0; run < 5 && (run < 1 || best < 0.05); ++run) {
      const auto from = Clock::now();
      try {
        s = solver::solve(p.program);
      } catch (const std::exception& e) {
        fmt::print(stderr, "{}: {}\n", p.name, e.what());
      }
      best = std::min(best, seconds_since(from));
    }
    ours[p.name] = best * 1e6;
    const double value = s.objective + p.constant;
    const double scale = std::max({1e-3, std::abs(p.optimum.value_or(0)), std::abs(p.constant)});
    const double gap = p.optimum ? std::abs(value - *p.optimum) / scale : 0;
    const bool solved = s.status == solver::Status::solved;
    // Better than the stored value at a feasible point is no mistake of ours.
    const bool wrong = solved && value > p.optimum.value_or(value) + trusted(p.grade) * scale;
    ++c.problems;
    c.solved += solved;
    c.false_solved += wrong;
    c.unsolved += !solved;
    c.within += solved && gap <= 1e-9;
    c.log_time += std::log(best);
    if (solved && p.optimum) c.worst_gap = std::max(c.worst_gap, gap);
    if (solved) c.worst_kkt = std::max(c.worst_kkt, s.residuals.worst());
    Json line{{"name", p.name},
              {"variables", p.program.variables()},
              {"rows", p.program.rows()},
              {"status", solver::name(s.status)},
              {"objective", value}};
    if (p.optimum) line["stored"] = *p.optimum, line["gap"] = gap;
    line.update(Json{{"grade", p.grade},
                     {"stationarity", s.residuals.stationarity},
                     {"primal", s.residuals.primal},
                     {"complementarity", s.residuals.complementarity},
                     {"iterations", s.iterations},
                     {"active", s.active},
                     {"us", best * 1e6}});
    fmt::print("{}\n", line.dump());
  }
  const Json sum{{"folder", folder},
                 {"problems", c.problems},
                 {"solved", c.solved},
                 {"falseSolved", c.false_solved},
                 {"unsolved", c.unsolved},
                 {"gapWithin1e-9", c.within},
                 {"worstGap", c.worst_gap},
                 {"worstKkt", c.worst_kkt},
                 {"meanUs", 1e6 * std::exp(c.log_time / std::max(1, c.problems))}};
  fmt::print("{}\n", sum.dump());
  std::fflush(stdout);
  return c.false_solved == 0 && c.unsolved == 0;
}

bool run_sequence(const QpSequence& q, Times& ours) {
  const auto from = Clock::now();
  solver::ActiveSet set(q.h, q.a);
  const double set_up = seconds_since(from);
  std::vector<double> times, cold_times;
  double gap = 0, x_error = 0, kkt = 0;
  int unsolved = 0, iterations = 0;
  for (const bool cold : {false, true}) {
    for (Index i = 0; i < q.g.cols(); ++i) {
      if (cold) set.forget();
      const auto begin = Clock::now();
      const solver::Solution& s = set.solve(q.g.col(i), q.row_lower.col(i), q.row_upper.col(i),
                                            q.lower.col(i), q.upper.col(i));
      (cold ? cold_times : times).push_back(seconds_since(begin));
      if (!cold) iterations += s.iterations;
      unsolved += s.status != solver::Status::solved;
      kkt = std::max(kkt, s.residuals.worst());
      gap = std::max(
          gap, std::abs(s.objective - q.objective[i]) / std::max(1e-3, std::abs(q.objective[i])));
      x_error = std::max(x_error, (s.x - q.x.col(i)).cwiseAbs().maxCoeff() /
                                      (1 + q.x.col(i).cwiseAbs().maxCoeff()));
    }
  }
  const auto at = [](std::vector<double>& v, double share) {
    std::sort(v.begin(), v.end());
    return 1e6 * v[std::min(v.size() - 1,
                            static_cast<std::size_t>(share * static_cast<double>(v.size())))];
  };
  ours[q.name] = at(times, 0.5);
  const Json line{{"name", q.name},
                  {"programs", q.g.cols()},
                  {"variables", q.h.rows()},
                  {"rows", q.a.rows()},
                  {"unsolved", unsolved},
                  {"maxObjectiveGap", gap},
                  {"maxXError", x_error},
                  {"maxKkt", kkt},
                  {"iterations", iterations},
                  {"setupUs", set_up * 1e6},
                  {"medianUs", at(times, 0.5)},
                  {"p99Us", at(times, 0.99)},
                  {"coldMedianUs", at(cold_times, 0.5)},
                  {"coldP99Us", at(cold_times, 0.99)}};
  fmt::print("{}\n", line.dump());
  std::fflush(stdout);
  return unsolved == 0 && gap <= 1e-9;
}

int run(const std::vector<std::string>& folders, bool rivals) {
  bool good = true;
  for (const std::string& folder : folders) {
    Times ours;
    const std::vector<QpProblem> problems = read_problems(folder);
    const std::vector<QpSequence> sequences = read_sequences(folder);
    if (!problems.empty()) good &= run_problems(folder, problems, ours);
    for (const QpSequence& q : sequences) good &= run_sequence(q, ours);
    if (rivals) run_rivals(folder, ours);
  }
  return good ? 0 : 1;
}

}  // namespace
}  // namespace flyball::bench

int main(int argc, char** argv) {
  std::vector<std::string> folders;
  bool rivals = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--rivals") == 0) {
      rivals = true;
    } else {
      folders.push_back(argv[i]);
    }
  }
  if (folders.empty()) {
    fmt::print(stderr, "usage: qp_bench DIR... [--rivals]\n");
    return 2;
  }
  return flyball::bench::run(folders, rivals);
}
