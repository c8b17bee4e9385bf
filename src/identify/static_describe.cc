// What a fitted surface says: coefficients, gains, curvature, lack of fit, leverage.
#include <algorithm>
#include <cmath>

#include "identify/static_parts.h"
#include "math/distributions.h"
#include "math/linear_algebra.h"
#include "math/statistics.h"

namespace flyball::identify::statics {
namespace {

constexpr double kHighLeverage = 3, kActive = 0.01, kClear = 2, kSameSetting = 0.02;
constexpr Index kMostPointsForRepeats = 3000, kFewestRepeats = 3;

std::string term_name(const model::Term& t, const std::vector<StaticInput>& inputs) {
  const auto id = [&](std::int64_t i) { return inputs[static_cast<std::size_t>(i)].input; };
  if (t.first < 0) return "1";
  if (t.second < 0) return id(t.first);
  return t.first == t.second ? id(t.first) + "²" : id(t.first) + "·" + id(t.second);
}

double two_sided(double t, double dof) {
  return dof > 0 ? math::f_survival(t * t, 1, dof) : 1;
}

/// ∂φ/∂z_i at z: the gain is b · this / σ_i.
Vector slope_of_terms(const std::vector<model::Term>& terms, const ConstVectorRef& z, Index input) {
  Vector c = Vector::Zero(static_cast<Index>(terms.size()));
  for (std::size_t t = 0; t < terms.size(); ++t) {
    const auto at = static_cast<Index>(t);
    if (terms[t].first == input) c(at) += terms[t].second < 0 ? 1 : z(terms[t].second);
    if (terms[t].second == input) c(at) += z(terms[t].first);
  }
  return c;
}

StaticGain gain_of(const PointTable& points, const TermRegression& regression,
                   const TermRegression::Fit& fit, const ConstVectorRef& y, double lambda,
                   Index input, const StaticInput& in) {
  StaticGain g;
  g.input = in.input;
  g.sign = "unclear";
  if (in.left_out) return g;
  const double scale = points.scale(input);
  const auto at = [&](const ConstVectorRef& z, double& error) {
    const Vector c = slope_of_terms(regression.terms(), z, input);
    error = std::sqrt(std::max(0.0, c.dot(fit.covariance * c))) / scale;
    return fit.coefficients.dot(c) / scale;
  };
  g.centre = at(Vector::Zero(points.z.cols()), g.std_error);
  g.low = g.high = g.centre;
  bool up = false, down = false;
  for (Index i = 0; i < points.z.rows(); ++i) {
    double error = 0;
    const double gain = at(points.z.row(i).transpose(), error);
    g.low = std::min(g.low, gain);
    g.high = std::max(g.high, gain);
    up = up || gain > kClear * error;
    down = down || gain < -kClear * error;
  }
  if (up || down) g.sign = up && down ? "changes" : up ? "+" : "-";
  const auto rest = regression.without(y, lambda, input);
  if (!rest || !(fit.dof > 0)) return g;
  const auto df = static_cast<double>(rest->terms);
  const double excess = std::max(0.0, rest->squares - fit.squares);
  g.p_value = fit.squares > 0 ? math::f_survival(excess / df / fit.variance, df, fit.dof)
                              : (excess > 0 ? 0 : 1);
  g.active = g.p_value < kActive;
  return g;
}

/// Setting of each point: the first one within 2 % of the range in every input.
std::vector<Index> settings_of(const PointTable& points, Index& settings) {
  const Index n = points.u.rows();
  const Vector near =
      kSameSetting * (points.u.colwise().maxCoeff() - points.u.colwise().minCoeff()).transpose();
  std::vector<Index> first, setting(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    std::size_t s = 0;
    while (
        s < first.size() &&
        ((points.u.row(i) - points.u.row(first[s])).cwiseAbs().transpose().array() > near.array())
            .any())
      ++s;
    if (s == first.size()) first.push_back(i);
    setting[static_cast<std::size_t>(i)] = static_cast<Index>(s);
  }
  settings = static_cast<Index>(first.size());
  return setting;
}

}  // namespace

LackOfFit lack_of_fit(const PointTable& points, const ConstVectorRef& y, double squares,
                      Index parameters) {
  LackOfFit out;
  const Index n = points.u.rows();
  if (n > kMostPointsForRepeats) {
    out.note = Message{"STATIC_REPEATS_MANY",
                       {{"limit", static_cast<std::int64_t>(kMostPointsForRepeats)}}}
                   .text();
    return out;
  }
  Index settings = 0;
  const std::vector<Index> setting = settings_of(points, settings);
  out.settings = settings;
  out.replicates = n - settings;
  if (out.replicates < kFewestRepeats) {
    out.note =
        Message{"STATIC_REPEATS_FEW",
                {{"count", out.replicates}, {"needed", static_cast<std::int64_t>(kFewestRepeats)}}}
            .text();
    return out;
  }
  Vector sum = Vector::Zero(settings), count = Vector::Zero(settings);
  for (Index i = 0; i < n; ++i) {
    sum(setting[static_cast<std::size_t>(i)]) += y(i);
    count(setting[static_cast<std::size_t>(i)]) += 1;
  }
  double pure = 0;
  for (Index i = 0; i < n; ++i) {
    const Index s = setting[static_cast<std::size_t>(i)];
    pure += std::pow(y(i) - sum(s) / count(s), 2);
  }
  const auto pure_dof = static_cast<double>(n - settings);
  const auto lack_dof = static_cast<double>(settings - parameters);
  out.pure_error = std::sqrt(pure / pure_dof);
  if (lack_dof < 1) {
    out.note =
        Message{"STATIC_SETTINGS_FEW",
                {{"settings", out.settings}, {"parameters", static_cast<std::int64_t>(parameters)}}}
            .text();
    return out;
  }
  const double lack = std::max(0.0, squares - pure);
  if (!(pure > 1e-18 * y.squaredNorm())) {
    out.note = Message{"STATIC_REPEATS_EXACT", {}}.text();
    return out;
  }
  out.f = lack / lack_dof / (pure / pure_dof);
  out.p_value = math::f_survival(*out.f, lack_dof, pure_dof);
  out.note = Message{*out.p_value < 0.05 ? "STATIC_LACKS" : "STATIC_FITS",
                     {{"p", *out.p_value}, {"count", out.replicates}}}
                 .text();
  return out;
}

Curvature curvature_of(const model::StaticResponse& m, const model::Surface& surface) {
  Curvature out;
  const Matrix h = model::hessian(m, surface);
  std::vector<Index> bent;
  for (Index i = 0; i < h.rows(); ++i) {
    if (h.row(i).cwiseAbs().maxCoeff() > 0) bent.push_back(i);
  }
  if (bent.empty()) return out;
  const auto n = static_cast<Index>(bent.size());
  Matrix part(n, n);
  for (Index a = 0; a < n; ++a) {
    for (Index b = 0; b < n; ++b)
      part(a, b) = h(bent[static_cast<std::size_t>(a)], bent[static_cast<std::size_t>(b)]);
  }
  const auto eigen = math::symmetric_eigen(part);
  out.eigenvalues.assign(eigen.values.begin(), eigen.values.end());
  const double largest = eigen.values.cwiseAbs().maxCoeff();
  constexpr double kFlat = 0.01;
  const bool up = eigen.values.maxCoeff() > kFlat * largest,
             down = eigen.values.minCoeff() < -kFlat * largest;
  const bool flat = eigen.values.cwiseAbs().minCoeff() <= kFlat * largest;
  out.kind = up && down ? "saddle" : flat ? "ridge" : up ? "minimum" : "maximum";
  // An input with a slope and no product keeps the gradient from being zero anywhere.
  const Vector slope = model::gradient(m, surface, m.mean).cwiseProduct(m.scale);
  Vector right(n);
  for (Index a = 0; a < n; ++a) right(a) = -slope(bent[static_cast<std::size_t>(a)]);
  for (Index i = 0; i < h.rows(); ++i) {
    if (std::ranges::find(bent, i) == bent.end() && slope(i) != 0) return out;
  }
  const auto z = math::solve(part, right);
  if (flat || !z) return out;
  Vector u = m.mean;
  for (Index a = 0; a < n; ++a)
    u(bent[static_cast<std::size_t>(a)]) += (*z)(a, 0) * m.scale(bent[static_cast<std::size_t>(a)]);
  out.stationary.assign(u.begin(), u.end());
  model::StaticResponse alone = m;
  alone.surfaces = {surface};
  out.inside = !model::outside(alone, u);
  out.value = model::surface_values(alone, u)(0);
  return out;
}

StaticCv describe(const PointTable& points, const dataset::OperatingPoints& all, Index cv,
                  const std::string& name, const std::vector<StaticInput>& inputs,
                  const Choice& choice, model::StaticResponse& m, model::Surface& surface) {
  const Vector y = points.y.col(cv);
  const Index n = y.size();
  const double deviation = math::sample_std({y.data(), static_cast<std::size_t>(n)});
  const TermRegression regression(points, choice.basis.terms);
  const auto fit = regression.fit(y, choice.lambda);
  if (!fit) throw Error("STATIC_SINGULAR", {{"cv", name}});
  surface = {choice.basis.terms, fit->coefficients, fit->information, fit->leverages.maxCoeff()};
  StaticCv out;
  out.cv = name;
  out.basis = choice.basis.name;
  out.parameters = regression.parameters();
  out.points = n;
  out.groups = points.groups;
  out.by_run = points.by_run;
  out.lambda = choice.lambda;
  out.residual_std = std::sqrt(fit->variance);
  out.explained = 1 - fit->squares / (deviation * deviation * static_cast<double>(n - 1));
  out.h_max = surface.h_max;
  out.leverage_sum = fit->leverages.sum();
  out.score = choice.score;
  for (Index t = 0; t < fit->coefficients.size(); ++t) {
    const double error = std::sqrt(std::max(0.0, fit->covariance(t, t)));
    const double value = fit->coefficients(t);
    out.terms.push_back(
        {term_name(choice.basis.terms[static_cast<std::size_t>(t)], inputs), value, error,
         error > 0 ? two_sided(value / error, fit->dof) : (value != 0 ? 0.0 : 1.0)});
  }
  for (std::size_t i = 0; i < inputs.size(); ++i)
    out.gains.push_back(
        gain_of(points, regression, *fit, y, choice.lambda, static_cast<Index>(i), inputs[i]));
  out.lack_of_fit = lack_of_fit(points, y, fit->squares, out.parameters);
  if (out.lack_of_fit.pure_error) out.noise_floor = *out.lack_of_fit.pure_error / deviation;
  m.surfaces.push_back(surface);
  out.curvature = curvature_of(m, surface);
  m.surfaces.pop_back();
  const auto train = all.part(dataset::Part::train);
  const double high = kHighLeverage * static_cast<double>(out.parameters) / static_cast<double>(n);
  for (Index i = 0; i < n; ++i) {
    if (!(fit->leverages(i) > high)) continue;
    const auto* p = train[static_cast<std::size_t>(i)];
    out.high_leverage.push_back({p->run_id, p->first_step, fit->leverages(i)});
  }
  return out;
}

}  // namespace flyball::identify::statics
