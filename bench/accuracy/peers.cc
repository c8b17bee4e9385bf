#include "accuracy/peers.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <thread>

#include "core/digest.h"

namespace flyball::bench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kOrders = 10;
constexpr int kStuckCalls = 2;
constexpr const char* kMethods[] = {"arx1", "arx0", "n4sid", "moen4"};

std::string text_of(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

pid_t start(const std::vector<std::string>& words) {
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  std::vector<char*> argv;
  for (const std::string& w : words) argv.push_back(const_cast<char*>(w.c_str()));
  argv.push_back(nullptr);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int fd : {0, 1, 2}) ::dup2(nothing, fd);
  ::setenv("OMP_NUM_THREADS", "1", 1);
  ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
  ::execvp(argv[0], argv.data());
  ::_exit(127);
}

/// Waits while `file` grows at least every `limit`; else kills the child. True when it ended.
bool wait_while_growing(pid_t pid, const fs::path& file, std::chrono::seconds limit) {
  std::uintmax_t size = 0;
  auto since = Clock::now();
  for (;;) {
    int status = 0;
    if (::waitpid(pid, &status, WNOHANG) == pid) return true;
    std::error_code absent;
    const auto now = fs::file_size(file, absent);
    if (!absent && now != size) {
      size = now;
      since = Clock::now();
    }
    if (Clock::now() - since > limit) {
      ::kill(pid, SIGKILL);
      ::waitpid(pid, &status, 0);
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

/// Scaled by mean and deviation of the train rows.
std::string csv_of(const PeerTask& task) {
  Matrix x = task.values;
  for (Index c = 0; c < x.cols(); ++c) {
    const double mean = x.col(c).head(task.train_rows).mean();
    const double power = (x.col(c).head(task.train_rows).array() - mean).square().sum();
    const double std = std::sqrt(power / static_cast<double>(task.train_rows - 1));
    x.col(c) = (x.col(c).array() - mean) / (std > 0 ? std : 1);
  }
  std::string out;
  for (Index t = 0; t < x.rows(); ++t) {
    for (Index c = 0; c < x.cols(); ++c) {
      fmt::format_to(std::back_inserter(out), "{}{:.17g}", c > 0 ? "," : "", x(t, c));
    }
    out += '\n';
  }
  return out;
}

/// The order whose line says that it began last.
int last_begun(const fs::path& file, int fallback) {
  std::ifstream in(file);
  int order = fallback;
  for (std::string line; std::getline(in, line);) {
    std::istringstream cells(line);
    std::string method, number, what;
    std::getline(cells, method, ',');
    std::getline(cells, number, ',');
    std::getline(cells, what, ',');
    if (what == "begin") order = std::atoi(number.c_str());
  }
  return order;
}

void run_method(const std::vector<std::string>& arguments, const std::string& method,
                const fs::path& out, std::chrono::seconds limit) {
  fs::remove(out);
  int stuck = 0;
  for (int first = 1; first <= kOrders;) {
    std::vector<std::string> words = arguments;
    words.insert(words.end(),
                 {method, std::to_string(first), std::to_string(kOrders), out.string()});
    if (wait_while_growing(start(words), out, limit)) return;
    first = last_begun(out, first) + 1;
    if (++stuck == kStuckCalls) {
      std::ofstream(out, std::ios::app) << method << ",0,stuck,,,,\n";
      return;
    }
  }
}

void read_results(const fs::path& file, PeerResult& result) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> cells;
    std::istringstream text(line);
    for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
    if (cells.size() < 3 || cells[2] == "begin") continue;
    if (cells[2] == "stuck") {
      result.stuck.push_back(cells[0]);
      continue;
    }
    if (cells.size() < 7) continue;
    const auto number = [&](std::size_t i) { return std::strtod(cells[i].c_str(), nullptr); };
    result.fits.push_back({cells[0], std::atoi(cells[1].c_str()), std::atoi(cells[2].c_str()) - 1,
                           cells[3], number(4), number(5), number(6)});
  }
}

PeerBest best_by(const PeerResult& result, int cv, const std::string& method,
                 double PeerFit::*criterion) {
  PeerBest best{std::numeric_limits<double>::quiet_NaN(), ""};
  double highest = -std::numeric_limits<double>::infinity();
  for (const PeerFit& f : result.fits) {
    if (f.cv != cv || !f.method.starts_with(method) || !(f.*criterion > highest)) continue;
    highest = f.*criterion;
    best = {f.test, fmt::format("{} {} {}", f.method, f.order, f.state)};
  }
  return best;
}

}  // namespace

bool octave_is_there() {
  int status = 0;
  // Octave 7 ends with 1 after a script that succeeded, so the answer is a file.
  const fs::path answer = fs::temp_directory_path() / fmt::format("flyball-octave-{}", ::getpid());
  ::waitpid(start({"octave-cli", "-qf", "--eval",
                   fmt::format("pkg load control; fclose (fopen ('{}', 'w'));", answer.string())}),
            &status, 0);
  return fs::remove(answer);
}

PeerResult fit_peers(const PeerTask& task, const fs::path& folder, std::chrono::seconds limit) {
  fs::create_directories(folder);
  const fs::path script = fs::path(FLYBALL_SOURCE_DIR) / "bench/octave/fit_peers.m";
  const std::string data = csv_of(task);
  const Index outputs = task.values.cols() - task.inputs;
  const std::string shape = fmt::format("{} {} {} {} {} {}", task.inputs, outputs, task.train_rows,
                                        task.test_first, task.history, task.horizon);
  const std::string key = sha256(data + text_of(script) + shape).substr(0, 16);
  const fs::path file = folder / fmt::format("{}-{}.csv", task.name, key);
  if (!fs::exists(file)) {
    const fs::path input = folder / (task.name + ".csv"), part = folder / (task.name + ".part");
    std::ofstream(input) << data;
    std::vector<std::string> words{"octave-cli", "-qf", script.string(), input.string()};
    std::istringstream numbers(shape);
    for (std::string n; numbers >> n;) words.push_back(n);
    std::string all;
    for (const char* method : kMethods) {
      run_method(words, method, part, limit);
      all += text_of(part);
    }
    fs::remove(part);
    std::ofstream(file) << all;
  }
  PeerResult result;
  read_results(file, result);
  return result;
}

PeerBest best_by_validation(const PeerResult& result, int cv, const std::string& method) {
  return best_by(result, cv, method, &PeerFit::validation);
}

PeerBest best_by_test(const PeerResult& result, int cv, const std::string& method) {
  return best_by(result, cv, method, &PeerFit::test);
}

}  // namespace flyball::bench
