// Our answers beside those of cvxopt 1.3 (build/oracles, scripts/bench.sh) on programs without a
// stored optimum: random families, degenerate ones, infeasible ones, and the shared collections.
//   bench_qp_oracle [DIR...]    default: ../shared/data/qp_* of the source
// One JSON line a family; exit 1 where they disagree (bench/oracles/qp_agreement.py says how).
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "math/random.h"
#include "qp_problems.h"
#include "solver/solve.h"

namespace flyball::bench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using solver::kInfinity;
using solver::Program;

constexpr int kEach = 60;
constexpr Index kMostVariables = 600;  ///< of a shared program: cvxopt takes long for more

Json triplets(const solver::SparseMatrix& m) {
  Json out{{"i", Json::array()}, {"j", Json::array()}, {"v", Json::array()}};
  for (Index c = 0; c < m.outerSize(); ++c) {
    for (solver::SparseMatrix::InnerIterator it(m, c); it; ++it) {
      out["i"].push_back(it.row());
      out["j"].push_back(it.col());
      out["v"].push_back(it.value());
    }
  }
  return out;
}

Json list(const Vector& v) {
  Json out = Json::array();
  for (const double x : v) out.push_back(std::isfinite(x) ? Json(x) : Json());
  return out;
}

void write(std::ofstream& out, const std::string& family, const std::string& name, Program p) {
  solver::complete(p);
  const solver::Solution s = solver::solve(p);
  out << Json{{"family", family},       {"name", name},
              {"H", triplets(p.h)},     {"A", triplets(p.a)},
              {"g", list(p.g)},         {"l", list(p.row_lower)},
              {"u", list(p.row_upper)}, {"lower", list(p.lower)},
              {"upper", list(p.upper)}, {"status", solver::name(s.status)},
              {"x", list(s.x)},         {"J", s.objective}}
      << "\n";
}

struct Dense {
  Matrix h, a;
  Vector g, low, high, lower, upper;
  [[nodiscard]] Program program() const { return Program::of(h, g, a, low, high, lower, upper); }
};

class Families {
 public:
  Matrix normal(Index rows, Index columns) {
    Matrix out(rows, columns);
    for (double& v : out.reshaped()) v = random_.normal();
    return out;
  }
  Index between(Index low, Index high) {
    return low + static_cast<Index>(random_.uniform() * static_cast<double>(high - low + 1));
  }
  /// Rows and bounds that a point meets, some on both sides, some as equations.
  Dense feasible(Index n, Index m, Index rank, double equations) {
    Dense d;
    const Matrix root = normal(rank, n);
    d.h = root.transpose() * root;
    d.g = 3 * normal(n, 1);
    d.a = normal(m, n);
    const Vector x = normal(n, 1), at = d.a * x;
    d.low = Vector::Constant(m, -kInfinity);
    d.high = Vector::Constant(m, kInfinity);
    for (Index i = 0; i < m; ++i) {
      if (random_.uniform() < equations) {
        d.low(i) = d.high(i) = at(i);
        continue;
      }
      if (random_.uniform() < 0.7) d.high(i) = at(i) + random_.uniform();
      if (random_.uniform() < 0.4 || d.high(i) == kInfinity) d.low(i) = at(i) - random_.uniform();
    }
    d.lower = x.array() - 2;
    d.upper = x.array() + 2;
    return d;
  }
  Dense convex() {
    const Index n = between(2, 25);
    Dense d = feasible(n, between(0, 2 * n), n + 2, 0);
    if (random_.uniform() < 0.5) d.lower = d.upper = {};
    return d;
  }
  Dense semidefinite() {
    const Index n = between(3, 25);
    return feasible(n, between(0, 2 * n), between(0, n - 1), 0);
  }
  Dense equations() {
    const Index n = between(6, 25);
    return feasible(n, between(1, n / 2), between(n / 2, n + 2), 0.6);
  }
  /// More limits than variables meet at the optimum, rows repeated and as sums of others; g is
  /// −Hx less a positive combination of some of them.
  Dense degenerate() {
    const Index n = between(2, 12), m = 3 * n;
    Dense d = feasible(n, m, between(0, n), 0);
    const Vector x = 0.5 * (d.lower + d.upper);
    for (Index i = n; i < m; ++i) {
      const Index a = between(0, n - 1), b = between(0, n - 1);
      d.a.row(i) = i % 2 == 0 ? Matrix(2 * d.a.row(a)) : Matrix(d.a.row(a) + d.a.row(b));
    }
    d.high = d.a * x;
    d.low.setConstant(-kInfinity);
    d.g = -(d.h * x);
    for (Index i = 0; i < m; ++i)
      if (random_.uniform() < 0.5) d.g -= random_.uniform() * d.a.row(i).transpose();
    return d;
  }
  /// Variables and rows in units three powers of ten apart.
  Dense scaled() {
    Dense d = convex();
    const auto power = [&](Index n) {
      Vector out(n);
      for (double& v : out) v = std::pow(10, random_.uniform(-1.5, 1.5));
      return out;
    };
    const Vector c = power(d.g.size()), r = power(d.a.rows());
    d.h = c.asDiagonal() * d.h * c.asDiagonal();
    d.g.array() *= c.array();
    d.a = r.asDiagonal() * d.a * c.asDiagonal();
    d.low.array() *= r.array();
    d.high.array() *= r.array();
    if (d.lower.size() > 0) d.lower.array() /= c.array(), d.upper.array() /= c.array();
    return d;
  }
  /// A positive combination of rows says 0 ≤ −1.
  Dense infeasible() {
    const Index n = between(2, 15), m = between(2, n + 1);
    Dense d = feasible(n, m, n, 0);
    d.low.setConstant(-kInfinity);
    Vector weights(m);
    for (double& w : weights) w = 0.2 + random_.uniform();
    d.high = normal(m, 1);
    d.a.row(m - 1) = -(weights.head(m - 1).transpose() * d.a.topRows(m - 1)) / weights(m - 1);
    d.high(m - 1) = (-1 - weights.head(m - 1).dot(d.high.head(m - 1))) / weights(m - 1);
    return d;
  }

 private:
  math::Random random_{20};
};

void write_families(std::ofstream& out) {
  Families f;
  using Make = Dense (Families::*)();
  const std::pair<const char*, Make> all[]{
      {"random convex", &Families::convex},       {"random semidefinite", &Families::semidefinite},
      {"random equations", &Families::equations}, {"random degenerate", &Families::degenerate},
      {"random scaled", &Families::scaled},       {"random infeasible", &Families::infeasible}};
  for (const auto& [family, make] : all) {
    for (int i = 0; i < kEach; ++i) write(out, family, std::to_string(i), (f.*make)().program());
  }
}

void write_folder(std::ofstream& out, const fs::path& folder) {
  for (const QpProblem& p : read_problems(folder)) {
    if (p.program.variables() <= kMostVariables)
      write(out, folder.filename().string(), p.name, p.program);
  }
  for (const QpSequence& q : read_sequences(folder)) {
    const Index step = std::max<Index>(1, q.g.cols() / 20);
    for (Index i = 0; i < q.g.cols(); i += step)
      write(out, folder.filename().string(), q.name + " " + std::to_string(i),
            Program::of(q.h, q.g.col(i), q.a, q.row_lower.col(i), q.row_upper.col(i),
                        q.lower.col(i), q.upper.col(i)));
  }
}

int run(std::vector<fs::path> folders) {
  const fs::path python = fs::path(FLYBALL_SOURCE_DIR) / "build/oracles/bin/python";
  if (!fs::exists(python)) {
    fmt::print(stderr, "no Python in build/oracles (scripts/bench.sh): nothing to compare with\n");
    return 0;
  }
  const fs::path shared = fs::path(FLYBALL_SOURCE_DIR) / "../shared/data";
  if (folders.empty()) {
    for (const char* name : {"qp_maros_meszaros", "qp_mpc_qpbenchmark", "qp_online_sequences"})
      if (fs::exists(shared / name)) folders.push_back(shared / name);
  }
  const fs::path file = fs::path(FLYBALL_BINARY_DIR) / "qp_oracle.jsonl";
  {
    std::ofstream out(file);
    write_families(out);
    for (const fs::path& folder : folders) write_folder(out, folder);
  }
  const std::string command = fmt::format("'{}' '{}/bench/oracles/qp_agreement.py' '{}'",
                                          python.string(), FLYBALL_SOURCE_DIR, file.string());
  return std::system(command.c_str()) == 0 ? 0 : 1;
}

}  // namespace
}  // namespace flyball::bench

int main(int argc, char** argv) {
  std::vector<std::filesystem::path> folders;
  for (int i = 1; i < argc; ++i)
    if (argv[i][0] != '-') folders.emplace_back(argv[i]);
  return flyball::bench::run(std::move(folders));
}
