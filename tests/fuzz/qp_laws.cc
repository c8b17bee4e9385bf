#include <cmath>

#include "core/error.h"
#include "fuzz/laws.h"
#include "solver/active_set.h"
#include "solver/random_qp.h"
#include "solver/solve.h"

namespace flyball::fuzz {
namespace {

using solver::DenseQp;
using solver::kInfinity;
using solver::Solution;
using solver::Status;

class Source {
 public:
  explicit Source(std::string_view bytes) : bytes_(bytes) {}

  unsigned byte() {
    if (bytes_.empty()) return 0;
    const auto out = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return out;
  }
  /// Mostly small whole numbers; rarely what is no number.
  double number(bool wild) {
    const unsigned b = byte();
    if (wild && b == 255) return std::nan("");
    if (wild && b == 254) return kInfinity;
    if (wild && b == 253) return -kInfinity;
    if (wild && b >= 248) return std::ldexp(1.0, static_cast<int>(b - 250) * 40);
    return static_cast<double>(static_cast<int>(b % 16) - 8);
  }

 private:
  std::string_view bytes_;
};

DenseQp read(Source& in, bool wild, bool raw) {
  const Index n = 1 + in.byte() % 5, m = in.byte() % 7;
  DenseQp q{Matrix::Zero(n, n), Matrix(m, n), Vector(n), Vector(m),
            Vector(m),          Vector(n),    Vector(n)};
  if (raw) {
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j <= i; ++j) q.h(i, j) = q.h(j, i) = in.number(wild);
    }
  } else {
    Matrix b(n, 1 + in.byte() % 5);
    for (double& v : b.reshaped()) v = in.number(false);
    q.h = b * b.transpose();
  }
  for (double& v : q.a.reshaped()) v = in.number(wild);
  for (double& v : q.g) v = in.number(wild);
  const auto limits = [&](Vector& low, Vector& high) {
    for (Index i = 0; i < low.size(); ++i) {
      const unsigned kind = in.byte() % 8;
      const double at = in.number(wild), room = std::abs(in.number(wild));
      low[i] = kind == 0 || kind == 1 ? -kInfinity : at;
      high[i] = kind == 0 || kind == 2 ? kInfinity : kind == 3 ? at : at + room;
    }
  };
  limits(q.row_lower, q.row_upper);
  limits(q.lower, q.upper);
  return q;
}

/// Numbers up to 2^80 leave residuals below 1e-9 under their own rounding: what 64-bit mantissas
/// lose of the largest terms is no fault of an answer.
bool optimal(const DenseQp& q, const Solution& s, bool wild) {
  const solver::Residuals r = solver::residuals_by_definition(q, s);
  if (r.worst() <= 1e-9) return true;
  if (!wild) return false;
  const auto most = [](const auto& v) { return v.size() == 0 ? 0.0 : v.cwiseAbs().maxCoeff(); };
  const double multiplier = std::max(most(s.y), most(s.z));
  const double terms = most(q.h) * most(s.x) + most(q.a) * most(s.y) + most(s.z);
  const double values = 1 + most(s.x) * (1 + most(q.a));
  const double cost = 1 + std::abs(0.5 * s.x.dot(q.h * s.x) + q.g.dot(s.x));
  return r.primal <= 1e-9 && r.stationarity * (1 + most(q.g)) <= 1e-9 + 1e-17 * terms &&
         r.complementarity <= 1e-9 + 1e-14 * multiplier * values / cost;
}

void judge(const DenseQp& q, const Solution& s, bool wild) {
  if (s.status == Status::solved) {
    require(optimal(q, s, wild), "solved is optimal");
  } else if (s.status == Status::infeasible) {
    require(solver::proves_infeasible(q, s.certificate), "infeasible is proved");
  } else if (s.status == Status::unbounded) {
    require(q.g.dot(s.direction) < 0, "an unbounded direction descends");
    require((q.h * s.direction).cwiseAbs().maxCoeff() <= 1e-8 * (1 + q.h.cwiseAbs().maxCoeff()),
            "an unbounded direction costs nothing");
  } else {
    require(wild, "small whole numbers are decided: " + std::string(name(s.status)));
  }
}

void solve_one(const DenseQp& q, bool wild) {
  const Solution s =
      solve(solver::Program::of(q.h, q.g, q.a, q.row_lower, q.row_upper, q.lower, q.upper));
  judge(q, s, wild);
}

/// The second solve starts from the first one's set, after another program in between. ActiveSet
/// adds in double precision: numbers 1e12 apart only have to pass without harm.
void solve_again(const DenseQp& q, bool wild) {
  solver::ActiveSet set(q.h, q.a);
  if (!set.strictly_convex()) return;
  const auto run = [&](const Vector& g) -> const Solution& {
    return set.solve(g, q.row_lower, q.row_upper, q.lower, q.upper);
  };
  const Solution cold = run(q.g);
  run(-q.g);
  const Solution warm = run(q.g);
  if (wild || cold.status == Status::invalid) return;
  judge(q, cold, true);
  judge(q, warm, true);
  if (cold.status != Status::solved || warm.status != Status::solved) return;
  require(std::abs(cold.objective - warm.objective) <= 1e-8 * (1 + std::abs(cold.objective)),
          "a warm start changes nothing");
}

}  // namespace

void qp_laws(std::string_view bytes) {
  Source in(bytes);
  const unsigned mode = in.byte();
  const bool wild = mode % 2 == 1, raw = mode % 4 >= 2;
  const DenseQp q = read(in, wild, raw);
  for (const auto& run : {+[](const DenseQp&p, bool w) { solve_one(p, w); },
                          +[](const DenseQp&p, bool w) { solve_again(p, w); }}) {
    try {
      run(q, wild);
    } catch (const Error& e) {
      require(e.code().starts_with("QP_"), "refused by a code of the solver");
    }
  }
}

}  // namespace flyball::fuzz
