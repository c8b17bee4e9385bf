// mpc_replay DIR... [--rivals] [--repeats N]
//
// Replays recorded MPC problems warm and cold and prints one JSON line for each. Every repeat
// starts from a new engine, so columns computed on first use are paid for in each; the time of a
// step is its median over the repeats, medianUs and p99Us are taken over the steps. coldUs is the
// median with the working set forgotten before every step. unitUs: z0 = Kz θ and y0 = Wy θ alone.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>

#include "replay_problem.h"

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

using Clock = std::chrono::steady_clock;

double microseconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::micro>(to - from).count();
}

double at_share(std::vector<double> x, double share) {
  std::sort(x.begin(), x.end());
  return x[std::min(x.size() - 1, static_cast<std::size_t>(share * static_cast<double>(x.size())))];
}

/// What one call of the clock costs is part of a time; the least difference is taken off.
double clock_cost() {
  double least = 1e9;
  for (int i = 0; i < 1000; ++i) {
    const auto a = Clock::now();
    const auto b = Clock::now();
    least = std::min(least, microseconds(a, b));
  }
  return least;
}

double unit_time(const optimise::Condensed& model, const ReplayProblem& p) {
  optimise::Doubles theta(model.shape().parameters), start(model.shape().u_at()),
      out(model.shape().length());
  const ReplayStep& s = p.steps[p.steps.size() / 2];
  std::copy_n(s.x0.data(), p.nx, theta.data());
  std::vector<double> times;
  for (int i = 0; i < 41; ++i) {
    const auto from = Clock::now();
    for (int r = 0; r < 100; ++r) model.closed_form(theta.data(), start.data(), out.data());
    times.push_back(microseconds(from, Clock::now()) / 100);
  }
  return at_share(times, 0.5);
}

nlohmann::json replay(const ReplayProblem& p, int repeats) {
  std::vector<double> setups;
  std::shared_ptr<const optimise::Condensed> model;
  for (int i = 0; i < 9; ++i) {
    const auto from = Clock::now();
    model = condense(p);
    auto first = engine(p, model);
    setups.push_back(microseconds(from, Clock::now()));
  }
  const Judge judge(p);
  const std::size_t n = p.steps.size();
  const double clock = clock_cost();
  std::vector<std::vector<double>> warm(n), cold(n);
  std::vector<double> theta(static_cast<std::size_t>(p.nx + p.nu + p.ny));
  double violation = 0, gap = 0, first_move = 0, kkt = 0;
  long failures = 0, allocated = 0, changes = 0;
  std::vector<std::vector<double>> moves(n);
  bool repeatable = true;
  for (int r = 0; r < repeats; ++r) {
    auto e = engine(p, model);
    for (std::size_t i = 0; i < n; ++i) {
      const long before = allocations;
      const auto from = Clock::now();
      const auto answer = solve(e, p, p.steps[i], theta.data());
      const auto to = Clock::now();
      allocated += allocations - before;
      warm[i].push_back(std::max(0.0, microseconds(from, to) - clock));
      const std::vector<double> z(e.z(), e.z() + p.moves * p.nu);
      if (r > 0)
        repeatable =
            repeatable && std::memcmp(z.data(), moves[i].data(), z.size() * sizeof(double)) == 0;
      if (r > 0) continue;
      moves[i] = z;
      changes += e.iterations();
      failures += answer != optimise::Answer::solved;
      const auto v = judge.judge(p.steps[i], e);
      violation = std::max(violation, v.violation);
      gap = std::max(gap, v.gap);
      first_move = std::max(first_move, v.first_move);
      kkt = std::max(kkt, v.kkt);
    }
  }
  for (int r = 0; r < repeats; ++r) {
    auto e = engine(p, model);
    for (std::size_t i = 0; i < n; ++i) {
      e.restart();
      const auto from = Clock::now();
      failures += solve(e, p, p.steps[i], theta.data()) != optimise::Answer::solved;
      cold[i].push_back(std::max(0.0, microseconds(from, Clock::now()) - clock));
    }
  }
  const auto middle = [](const std::vector<std::vector<double>>& times) {
    std::vector<double> out;
    for (const auto& t : times) out.push_back(at_share(t, 0.5));
    return out;
  };
  const auto warm_steps = middle(warm);
  nlohmann::ordered_json line;
  line["name"] = p.name;
  line["medianUs"] = at_share(warm_steps, 0.5);
  line["p99Us"] = at_share(warm_steps, 0.99);
  line["coldUs"] = at_share(middle(cold), 0.5);
  line["coldP99Us"] = at_share(middle(cold), 0.99);
  line["setupUs"] = at_share(setups, 0);
  line["unitUs"] = unit_time(*model, p);
  line["maxViolation"] = violation;
  line["maxObjectiveGap"] = gap;
  line["maxFirstMoveError"] = first_move;
  line["maxKkt"] = kkt;
  line["failures"] = failures;
  line["allocations"] = allocated;
  line["bitIdentical"] = repeatable;
  line["variables"] = p.moves * p.nu + p.ny;
  line["changes"] = changes;
  return line;
}

/// Empty where there is no Python with the rivals.
nlohmann::json rivals(const std::filesystem::path& folder, int repeats) {
  const std::filesystem::path own = FLYBALL_SOURCE_DIR "/build/oracles/bin/python";
  const std::string python = std::filesystem::exists(own) ? own.string() : "python3";
  const std::string command = python + " " FLYBALL_SOURCE_DIR "/bench/oracles/mpc_rivals.py '" +
                              folder.string() + "' " + std::to_string(repeats) + " 2>/dev/null";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return {};
  std::string text;
  for (char part[4096]; const std::size_t n = std::fread(part, 1, sizeof part, pipe);)
    text.append(part, n);
  ::pclose(pipe);
  return nlohmann::json::parse(text, nullptr, false);
}

/// Ours over theirs, geometric mean over the problems.
void print_ratios(const std::vector<nlohmann::ordered_json>& lines) {
  for (const char* const what : {"medianUs", "ownMedianUs", "p99Us", "ownP99Us", "coldUs"}) {
    const std::string ours = std::string_view(what).starts_with("ownM")   ? "medianUs"
                             : std::string_view(what).starts_with("ownP") ? "p99Us"
                                                                          : what;
    double sum = 0, worst = 0;
    int n = 0;
    for (const auto& l : lines) {
      if (!l.contains("daqp") || !l["daqp"].is_object()) continue;
      const double ratio = l[ours].get<double>() / l["daqp"][what].get<double>();
      sum += std::log(ratio);
      worst = std::max(worst, ratio);
      ++n;
    }
    if (n > 0)
      std::cerr << ours << " / daqp " << what << ": geometric mean " << std::exp(sum / n)
                << ", worst " << worst << "\n";
  }
}

}  // namespace
}  // namespace flyball::bench

int main(int argc, char** argv) {
  using namespace flyball::bench;
  int repeats = 15;
  bool with_rivals = false;
  std::vector<std::filesystem::path> folders;
  for (int i = 1; i < argc; ++i) {
    const std::string_view arg = argv[i];
    if (arg == "--repeats" && i + 1 < argc) {
      repeats = std::atoi(argv[++i]);
    } else if (arg == "--rivals") {
      with_rivals = true;
    } else {
      for (const auto& folder : replay_folders(arg)) folders.push_back(folder);
    }
  }
  if (folders.empty()) {
    std::cerr << "usage: mpc_replay DIR... [--rivals] [--repeats N]\n";
    return 2;
  }
  std::vector<nlohmann::ordered_json> lines;
  for (const auto& folder : folders) {
    nlohmann::ordered_json line = replay(read_replay(folder), repeats);
    if (with_rivals) {
      const nlohmann::json theirs = rivals(folder, std::max(3, repeats / 3));
      for (const char* const name : {"daqp", "osqp"})
        line[name] = theirs.is_object() && theirs.contains(name) ? theirs[name] : nlohmann::json();
    }
    std::cout << line.dump() << std::endl;
    lines.push_back(std::move(line));
  }
  print_ratios(lines);
}
