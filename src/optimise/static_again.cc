#include "optimise/static_again.h"

#include <algorithm>
#include <cmath>

#include "core/checks.h"
#include "math/random.h"
#include "optimise/recount.h"

namespace flyball::optimise {
namespace {

using Rows = std::vector<std::vector<double>>;
constexpr double kRegion = 1e-6;  ///< of hMax

void same_variables(const ProblemIr& p, const model::StaticArtifact& a) {
  std::vector<std::string> want, have;
  for (const MvTerm& m : p.mv) want.push_back(m.var_id);
  for (const DvTerm& d : p.dv) want.push_back(d.var_id);
  for (const CvTerm& c : p.cv) want.push_back(c.var_id);
  for (const auto& v : a.variables) have.push_back(v.id);
  if (want != have || a.surfaces.size() != p.cv.size())
    throw Error("ARTIFACT_INVALID", {{"detail", "its variables are not those of the problem"}});
}

/// Inputs at a row of MVs: DVs by forecast, else as measured last, else at their mean.
std::vector<double> inputs(const ProblemIr& p, const std::vector<double>& u) {
  std::vector<double> out = u;
  for (std::size_t d = 0; d < p.dv.size(); ++d) {
    const DvTerm& dv = p.dv[d];
    std::optional<double> last;
    if (!p.history.empty()) last = p.history.back().u[p.mv.size() + d];
    out.push_back(dv.forecast.empty() ? last.value_or(dv.train.mean) : dv.forecast.front());
  }
  return out;
}

/// The surface at inputs, and its leverage.
struct Surveyed {
  double y = 0, leverage = 0;
};
Surveyed survey(const model::StaticArtifact& a, const model::StaticSurface& s,
                const std::vector<double>& in) {
  std::vector<double> z, phi;
  for (std::size_t i = 0; i < in.size(); ++i)
    z.push_back((in[i] - a.variables[i].mean) / a.variables[i].std);
  Surveyed out;
  for (std::size_t t = 0; t < s.terms.size(); ++t) {
    double product = 1;
    if (s.terms[t].first >= 0) product *= z[static_cast<std::size_t>(s.terms[t].first)];
    if (s.terms[t].second >= 0) product *= z[static_cast<std::size_t>(s.terms[t].second)];
    phi.push_back(product);
    out.y += s.coefficients[t] * product;
  }
  for (std::size_t r = 0; r < phi.size(); ++r)
    for (std::size_t c = 0; c < phi.size(); ++c)
      out.leverage += phi[r] * s.information[r][c] * phi[c];
  return out;
}

Resimulated evaluated(const ProblemIr& p, const model::StaticArtifact& a, const Rows& controls) {
  Resimulated out;
  out.feasible = true;
  const std::vector<double> in = inputs(p, controls.front());
  std::vector<double> y;
  std::vector<ConstraintItem> regions;
  for (std::size_t j = 0; j < p.cv.size(); ++j) {
    const Surveyed at = survey(a, a.surfaces[j], in);
    y.push_back(at.y);
    ConstraintItem item;
    item.id = p.cv[j].var_id + ".region";
    item.margin = a.surfaces[j].h_max - at.leverage;
    item.passed = item.margin >= -kRegion * a.surfaces[j].h_max;
    if (!item.passed) item.first_violation_step = 1;
    out.feasible = out.feasible && item.passed;
    regions.push_back(item);
  }
  out.predicted = {y};
  for (const auto& list : {in, y})
    for (const double v : list) out.feasible = out.feasible && std::isfinite(v);
  out.cost = cost_of(p, controls, out.predicted);
  add_limits(p, std::vector<std::int64_t>(p.cv.size(), 1), controls, out);
  out.constraints.insert(out.constraints.end(), regions.begin(), regions.end());
  return out;
}

void check_asked(const ProblemIr& p, const model::StaticArtifact& a, const Rows& controls) {
  check(p);
  same_variables(p, a);
  check_shape("controls", static_cast<long>(controls.size()), 1, 1, 1);
  check_shape("controls row", static_cast<long>(controls.front().size()), 1,
              static_cast<long>(p.mv.size()), 1);
}

}  // namespace

Resimulated static_again(const ProblemIr& p, const model::StaticArtifact& a, const Rows& controls) {
  check_asked(p, a, controls);
  Resimulated out = evaluated(p, a, controls);
  const Resimulated hold = evaluated(p, a, {p.u_prev});
  out.cost_hold = hold.cost;
  compare_with_hold(hold, out);
  add_distances(p, controls, out);
  return out;
}

double better_nearby(const ProblemIr& p, const model::StaticArtifact& a, const Rows& controls) {
  check_asked(p, a, controls);
  const double here = evaluated(p, a, controls).cost;
  const double scale = std::max({1e-6, std::abs(here), std::abs(evaluated(p, a, {p.u_prev}).cost)});
  double best = here;
  const auto look = [&](const std::vector<double>& direction) {
    for (const double by : {1e-4, 1e-3, 1e-2}) {
      Rows next = controls;
      for (std::size_t m = 0; m < p.mv.size(); ++m) {
        const double reach = std::min(p.mv[m].max - p.mv[m].min, 2 * p.mv[m].max_move);
        if (p.mv[m].available) next[0][m] += by * reach * direction[m];
      }
      const Resimulated there = evaluated(p, a, next);
      if (there.feasible) best = std::min(best, there.cost);
    }
  };
  const std::size_t n = p.mv.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (const double side : {-1.0, 1.0}) {
      std::vector<double> direction(n, 0.0);
      direction[i] = side;
      look(direction);
      for (std::size_t k = 0; k < i; ++k) {
        for (const double other : {-1.0, 1.0}) {
          direction[k] = other;
          look(direction);
          direction[k] = 0;
        }
      }
    }
  }
  math::Random random(7);
  for (int i = 0; i < 32; ++i) {
    std::vector<double> direction(n);
    for (double& d : direction) d = random.uniform(-1, 1);
    look(direction);
  }
  return (here - best) / scale;
}

}  // namespace flyball::optimise
