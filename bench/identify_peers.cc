#include "identify_peers.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "identify/regression.h"
#include "identify/subspace.h"
#include "math/exact_gram.h"
#include "math/lag_gram.h"
#include "math/linear_algebra.h"
#include "math/random.h"

namespace flyball::identify {
namespace {

namespace fs = std::filesystem;

constexpr Index kInputs = 5, kOutputs = 5, kOrder = 10;

double cpu_seconds() {
  timespec t{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Least of five, as the peers' times are.
template <class F>
double time_of(F&& f) {
  double best = 1e300;
  for (int i = 0; i < 5; ++i) {
    const double start = cpu_seconds();
    f();
    best = std::min(best, cpu_seconds() - start);
  }
  return best;
}

/// Rows of numbers behind a name.
using Answers = std::map<std::string, std::vector<double>>;

Answers run_child(const std::vector<std::string>& words, const fs::path& out) {
  fs::remove(out);
  const pid_t pid = ::fork();
  if (pid == 0) {
    std::vector<char*> argv;
    for (const std::string& w : words) argv.push_back(const_cast<char*>(w.c_str()));
    argv.push_back(nullptr);
    const int nothing = ::open("/dev/null", O_RDWR);
    for (const int fd : {0, 1, 2}) ::dup2(nothing, fd);
    ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
    ::setenv("OMP_NUM_THREADS", "1", 1);
    ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  Answers answers;
  std::ifstream in(out);
  for (std::string line; std::getline(in, line);) {
    std::istringstream cells(line);
    std::string name, cell;
    std::getline(cells, name, ',');
    while (std::getline(cells, cell, ','))
      answers[name].push_back(std::strtod(cell.c_str(), nullptr));
  }
  return answers;
}

fs::path folder() {
  const fs::path path = fs::path(FLYBALL_BINARY_DIR) / "bench" / "peers";
  fs::create_directories(path);
  return path;
}

fs::path write_rows(const Matrix& x) {
  const fs::path path = folder() / "rows.f64";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(x.data()),
             static_cast<std::streamsize>(sizeof(double)) * x.size());
  return path;
}

std::vector<math::LaggedColumn> lagged(Index signals, Index order) {
  std::vector<math::LaggedColumn> out;
  for (Index i = 0; i < signals; ++i) {
    for (Index k = 1; k <= order; ++k) out.push_back({i, k});
  }
  return out;
}

/// Coefficients of every output on lags 1..order of all columns, the constant last.
Matrix by_lag_gram(const Matrix& x) {
  math::LagGram gram(x.cols(), kOrder);
  gram.add(x, kOrder, x.rows());
  Normal n{gram.centred(), gram.sums() / static_cast<double>(gram.rows()), gram.rows(), kOrder};
  std::vector<Term> terms;
  for (const auto& c : lagged(x.cols(), kOrder)) terms.push_back({c.signal, c.lag});
  Matrix theta(x.cols() * kOrder + 1, kOutputs);
  for (Index j = 0; j < kOutputs; ++j) {
    const Vector t = solve(n, terms, {kInputs + j, 0}, {.lambda = 1e-14, .exact_steps = 1}).theta;
    double constant = n.mean(n.index(kInputs + j, 0));
    for (std::size_t i = 0; i < terms.size(); ++i)
      constant -= t(static_cast<Index>(i)) * n.mean(n.index(terms[i].signal, terms[i].lag));
    theta.col(j) << t, constant;
  }
  return theta;
}

Matrix by_exact_gram(const Matrix& x) {
  std::vector<Index> signals;
  for (Index i = 0; i < x.cols(); ++i) signals.push_back(i);
  math::ExactGram gram(signals, kOrder);
  gram.add(x, kOrder, x.rows());
  Matrix theta(x.cols() * kOrder + 1, kOutputs);
  for (Index j = 0; j < kOutputs; ++j) {
    const auto fit = gram.fit(lagged(x.cols(), kOrder), {kInputs + j, 0}, true, 0);
    if (!fit) return Matrix::Zero(theta.rows(), theta.cols());
    theta.col(j) << fit->theta, fit->constant;
  }
  return theta;
}

double difference(const Matrix& a, const Matrix& b) {
  return (a - b).norm() / b.norm();
}

void print(const std::string& what, const std::string& who, double seconds, double reference,
           const std::string& note) {
  fmt::print("{:<34}{:<30}{:>10.4f} s{:>9.2f}x  {}\n", what, who, seconds, seconds / reference,
             note);
}

/// Coefficients and mean square of a solution of the peers: 1e-9 where the data determine them.
bool long_regression(const Matrix& x, const std::string& what, bool ill) {
  Matrix ours, exact;
  const double fast = time_of([&] { ours = by_lag_gram(x); });
  const double slow = time_of([&] { exact = by_exact_gram(x); });
  const fs::path rows = write_rows(x), out = folder() / "least_squares.csv";
  const fs::path python = fs::path(FLYBALL_SOURCE_DIR) / "build/oracles/bin/python";
  Answers answers;
  if (fs::exists(python)) {
    answers = run_child({python.string(), FLYBALL_SOURCE_DIR "/bench/oracles/least_squares.py",
                         rows.string(), std::to_string(x.rows()), std::to_string(kInputs),
                         std::to_string(kOutputs), std::to_string(kOrder), out.string()},
                        out);
  }
  fs::remove(rows);
  if (answers.empty()) fmt::print("{}: no numpy in build/oracles (scripts/bench.sh)\n", what);
  const double reference = answers.contains("lapack_dgels") ? answers["lapack_dgels"][0] : fast;
  // QR itself is only good to cond(Φ)·eps.
  const double agree = ill ? 1e-4 : 1e-9;
  bool right = true;
  const double plain = difference(ours, exact);
  if (!ill) right = plain < agree;
  print(what, "ours, normal equations", fast, reference,
        fmt::format("{:.1e} from the exact fit{}", plain, ill ? ": not usable here" : ""));
  print("", "ours, twice the precision", slow, reference, "");
  for (const auto& [name, numbers] : answers) {
    const Index columns = (static_cast<Index>(numbers.size()) - 2) / exact.rows();
    const Matrix theirs = Eigen::Map<const Matrix>(numbers.data() + 2, exact.rows(), columns);
    const double d = difference(theirs, exact.leftCols(columns));
    right = right && d < agree;
    print("", name, numbers[0], reference,
          fmt::format("{:.1e} from the exact fit; {:.3f} s without building{}", d, numbers[1],
                      columns < kOutputs ? "; one output only" : ""));
  }
  if (!right) fmt::print("{}: answers do not agree\n", what);
  return right;
}

/// arx: own lags and all inputs, no constant.
Matrix arx_of(const Matrix& x, Index inputs, Index order) {
  const Index outputs = x.cols() - inputs;
  math::LagGram gram(x.cols(), order);
  gram.add(x, order, x.rows());
  const Normal n{gram.gram(), Vector::Zero(gram.gram().rows()), gram.rows(), order};
  Matrix theta((inputs + 1) * order, outputs);
  for (Index j = 0; j < outputs; ++j) {
    std::vector<Term> terms;
    for (Index k = 1; k <= order; ++k) terms.push_back({inputs + j, k});
    for (Index m = 0; m < inputs; ++m) {
      for (Index k = 1; k <= order; ++k) terms.push_back({m, k});
    }
    theta.col(j) = solve(n, terms, {inputs + j, 0}, {.lambda = 1e-14, .exact_steps = 1}).theta;
    theta.col(j).head(order) *= -1;
  }
  return theta;
}

/// Steady-state gains of the largest order, all orders from one call.
Matrix subspace_gains(const Matrix& x, Index inputs, Index order) {
  SubspaceSpec spec;
  for (Index m = 0; m < inputs; ++m) spec.inputs.push_back({m, 1});
  for (Index j = inputs; j < x.cols(); ++j) spec.outputs.push_back(j);
  spec.max_order = order;
  math::LagGram gram(x.cols(), spec.max_lag());
  gram.add(x, spec.max_lag(), x.rows());
  const Normal n{gram.centred(), gram.sums() / static_cast<double>(gram.rows()), gram.rows(),
                 spec.max_lag()};
  const SubspaceFit fit = fit_subspace(n, spec);
  const InnovationForm& m = fit.models.back();
  const Matrix rest = Matrix::Identity(m.A.rows(), m.A.rows()) - m.A;
  return m.C * *math::solve(rest, m.B) + m.D;
}

bool beside_octave() {
  constexpr Index kRows = 4000, kIn = 2, kOut = 2, kOctaveOrder = 8;
  const Matrix x = bench_series(kRows, kIn, kOut);
  Matrix theta, gains;
  const double arx = time_of([&] { theta = arx_of(x, kIn, kOctaveOrder); });
  const double subspace = time_of([&] { gains = subspace_gains(x, kIn, kOctaveOrder); });
  const fs::path rows = write_rows(x), out = folder() / "octave.csv";
  const Answers answers =
      run_child({"octave-cli", "-qf", FLYBALL_SOURCE_DIR "/bench/octave/time_peers.m",
                 rows.string(), std::to_string(kRows), std::to_string(kIn), std::to_string(kOut),
                 std::to_string(kOctaveOrder), out.string()},
                out);
  fs::remove(rows);
  const std::string what = "4 000 rows, 2 x 2, order 8";
  if (!answers.contains("slicot")) {
    fmt::print("{}: octave with its control package is not here\n", what);
    print(what, "ours, ARX", arx, arx, "");
    print("", "ours, subspace, orders 1..8", subspace, subspace, "");
    return true;
  }
  const auto& their_arx = answers.at("arx");
  const Matrix their_theta =
      Eigen::Map<const Matrix>(their_arx.data() + 1, theta.rows(), theta.cols());
  const double d = difference(their_theta, theta);
  print(what + ": ARX", "ours", arx, their_arx[0], "");
  print("", "octave arx", their_arx[0], their_arx[0], fmt::format("{:.1e} from ours", d));
  bool right = d < 1e-9;
  const double reference = answers.at("slicot")[0];
  print("subspace, orders 1..8", "ours", subspace, reference, "");
  for (const char* name : {"n4sid", "slicot"}) {
    const std::vector<double>& numbers = answers.at(name);
    Matrix theirs(kOut, kIn);
    for (Index i = 0; i < theirs.size(); ++i)
      theirs(i / kIn, i % kIn) = numbers[static_cast<std::size_t>(i) + 1];
    print("", name, numbers[0], reference,
          fmt::format("gains {:.1e} from ours", difference(theirs, gains)));
    // Two different estimators of the same gains.
    right = right && difference(theirs, gains) < 0.05;
  }
  if (!right) fmt::print("octave: answers do not agree\n");
  return right;
}

}  // namespace

Matrix bench_series(Index rows, Index inputs, Index outputs) {
  math::Random random(1);
  Matrix x = Matrix::Zero(rows, inputs + outputs);
  for (Index t = 0; t < rows; ++t) {
    for (Index m = 0; m < inputs; ++m) {
      const bool move = t == 0 || random.uniform() < 0.1;
      x(t, m) = move ? random.uniform(-1, 1) : x(t - 1, m);
    }
    for (Index j = 0; j < outputs; ++j) {
      double y = 0.1 * random.normal();
      if (t > 0) y += 0.9 * x(t - 1, inputs + j);
      for (Index m = 0; m < inputs && t > 3; ++m) {
        y += 0.1 * static_cast<double>(1 + (m + j) % 3) * x(t - 1 - (m + j) % 3, m);
      }
      x(t, inputs + j) = y;
    }
  }
  return x;
}

bool compare_with_peers(Index rows) {
  fmt::print("\nCPU time of one thread; ratios to LAPACK's QR, octave's arx and SLICOT\n");
  Matrix x = bench_series(rows, kInputs, kOutputs);
  const std::string size = fmt::format("{} rows, 100 regressors", rows);
  bool right = long_regression(x, size, false);
  // An input that another one nearly copies.
  x.col(1) = x.col(0) + 1e-8 * x.col(1);
  right = long_regression(x, "the same, condition 1e8", true) && right;
  return beside_octave() && right;
}

}  // namespace flyball::identify
