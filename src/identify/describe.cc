#include "identify/describe.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "identify/block_bootstrap.h"
#include "identify/horizon.h"
#include "math/linear_algebra.h"

namespace flyball::identify {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr Index kStepsShown = 300;
constexpr double kSettled = 0.98;
constexpr Index kSettlings = 3;
constexpr double kToldTimes = 3;  ///< a covariance so much larger is not that of the gain
constexpr Interval kEverything{0, std::numeric_limits<Index>::max() / 2};

std::optional<double> known(double v) {
  return std::isfinite(v) ? std::optional(v) : std::nullopt;
}

/// The same CV with the most lags that were tried: it has less bias and more variance than the
/// chosen structure, so their difference measures what the parameter covariance cannot see.
std::optional<Arx> largest_fit(const Regression& r, const SearchResult& search) {
  const Candidate& chosen = search.candidates[search.chosen];
  const Candidate* largest = nullptr;
  for (const Candidate& c : search.candidates) {
    if (c.differenced != chosen.differenced || !std::isfinite(c.score)) continue;
    if (largest == nullptr || c.parameters > largest->parameters) largest = &c;
  }
  if (largest == nullptr || largest->parameters <= chosen.parameters) return std::nullopt;
  Arx arx = search.best;
  arx.structure.na = largest->na;
  arx.structure.nb = largest->nb;
  const auto terms = arx.structure.terms(r.nu);
  const Normal normal = normal_of(r, gram_of(r, arx.structure.max_lag(), {kEverything}));
  arx.theta = solve(normal, terms, {r.nu, 0}, {.lambda = largest->lambda}).theta;
  if (!arx.theta.allFinite() || !roots_inside(arx.a(), 1 - 1e-6)) return std::nullopt;
  return arx;
}

double by_covariance(const FinalFit& fit, Index at) {
  const Vector g = steady_slope(fit.arx, at);
  return std::sqrt(std::max(0.0, g.dot(fit.covariance * g)));
}

/// Standard error of the gain over that by the covariance alone.
double told_share(const FinalFit& fit, Index at) {
  const double own = by_covariance(fit, at);
  return own > 0 ? covariance_error(fit, at) / own : 1;
}

/// Covariance of the gains (rates) of two inputs of one CV, with the outer product of their
/// differences to the largest structure, in model units.
double gain_covariance(const TrainingData& data, const FinalFit& fit, Index cv, Index at,
                       Index other) {
  const auto& inputs = fit.arx.structure.inputs;
  const auto unit = [&](Index i) {
    return data.std(data.nu() + cv) / data.std(inputs[static_cast<std::size_t>(i)].input);
  };
  const auto moved = [&](Index i) {
    return fit.largest ? steady(fit.arx, i) - steady_by(*fit.largest, fit.arx, i) : 0;
  };
  const double own = steady_slope(fit.arx, at).dot(fit.covariance * steady_slope(fit.arx, other)) *
                     told_share(fit, at) * told_share(fit, other);
  return (own + moved(at) * moved(other)) * unit(at) * unit(other);
}

/// The 95 % ranges of the answer and of its gain or rate over the drawn parameters.
void describe_draws(const FinalFit& fit, Index at, double unit, StepResponse& s) {
  const Index n = fit.draws.rows(), steps = std::ssize(s.values);
  if (n == 0) return;
  Matrix answers(n, steps + 1);
  Arx arx = fit.arx;
  for (Index i = 0; i < n; ++i) {
    arx.theta = fit.draws.row(i).transpose();
    answers.row(i).head(steps) = step_response(arx, at, steps).transpose() * unit;
    answers(i, steps) = steady(arx, at) * unit;
  }
  const Matrix range = quantiles_95(answers);
  if (!range.allFinite()) return;
  s.bootstrap_low.assign(range.row(0).begin(), range.row(0).end() - 1);
  s.bootstrap_high.assign(range.row(1).begin(), range.row(1).end() - 1);
  s.gain_bootstrap_low = range(0, steps);
  s.gain_bootstrap_high = range(1, steps);
}

/// Answer and gain of the `at`-th input of the structure, in model units. The standard error holds
/// the parameter covariance and the difference to the largest structure.
StepResponse describe_step(const TrainingData& data, const FinalFit& fit, Index input, Index cv,
                           Index at, Index steps) {
  const Arx& arx = fit.arx;
  StepResponse s;
  s.input = data.name(input);
  s.cv = data.name(data.nu() + cv);
  const double unit = data.std(data.nu() + cv) / data.std(input);
  const Vector values = step_response(arx, at, steps) * unit;
  const Matrix slope = step_sensitivity(arx, at, steps);
  const Vector variance = (slope * fit.covariance).cwiseProduct(slope).rowwise().sum();
  const Vector other = fit.largest ? Vector(step_response(*fit.largest, at, steps) * unit) : values;
  s.values.assign(values.begin(), values.end());
  Vector own = variance.cwiseMax(0.0).cwiseSqrt() * unit;
  if (told_share(fit, at) < 1) {
    const double error = fit.told->errors[static_cast<std::size_t>(at)] * unit;
    const Vector told = step_response(fit.told->arx, at, steps) * unit;
    for (Index k = 0; k < steps; ++k)
      own(k) = std::min(own(k), std::hypot(error, values(k) - told(k)));
  }
  for (Index k = 0; k < steps; ++k)
    s.standard_errors.push_back(std::hypot(own(k), values(k) - other(k)));
  describe_draws(fit, at, unit, s);
  s.gain = known(gain(arx, at) * unit);
  if (!s.gain) s.rate = known(steady(arx, at) * unit);
  if (!s.gain) return s;
  const double other_gain = fit.largest ? steady_by(*fit.largest, arx, at) * unit : *s.gain;
  s.gain_std_error = std::hypot(covariance_error(fit, at) * unit, *s.gain - other_gain);
  return s;
}

}  // namespace

double steady(const Arx& arx, Index at) {
  return arx.b(at).sum() / (1 - arx.a().sum());
}

double steady_by(const Arx& other, const Arx& fit, Index at) {
  if (fit.integrating || other.integrating) return steady(other, at);
  const Index settling = steps_to_share(fit, at, kSettled, kSteadyMax);
  if (settling < 0) return steady(other, at);
  const Index last =
      other.structure.inputs[static_cast<std::size_t>(at)].first_lag + other.structure.nb;
  const Index steps = last + kSettlings * std::max<Index>(settling, 1) + 1;
  return step_response(other, at, steps)(steps - 1);
}

double covariance_error(const FinalFit& fit, Index at) {
  const double own = by_covariance(fit, at);
  if (!fit.told || fit.arx.integrating) return own;
  const double bound = std::hypot(fit.told->errors[static_cast<std::size_t>(at)],
                                  gain(fit.arx, at) - steady_by(fit.told->arx, fit.arx, at));
  return own > kToldTimes * bound ? bound : own;
}

Vector steady_slope(const Arx& arx, Index at) {
  Vector g = Vector::Zero(arx.theta.size());
  const double a1 = 1 - arx.a().sum();
  g.segment(at * arx.structure.nb, arx.structure.nb).setConstant(1 / a1);
  g.tail(arx.structure.na).setConstant(arx.b(at).sum() / (a1 * a1));
  return g;
}

double radius_of(const Arx& arx) {
  const Index n = arx.structure.na;
  Matrix companion = Matrix::Zero(n, n);
  companion.row(0) = arx.a().transpose();
  for (Index i = 1; i < n; ++i) companion(i, i - 1) = 1;
  return math::eigenvalue_moduli(companion)(0);
}

FinalFit final_fit(const Regression& r, const SearchResult& search) {
  FinalFit fit;
  fit.arx = search.best;
  const Structure& s = fit.arx.structure;
  const auto terms = s.terms(r.nu);
  const Normal normal = normal_of(r, gram_of(r, s.max_lag(), {kEverything}));
  const double lambda = search.candidates[search.chosen].lambda;
  const auto [solution, constant, exact] =
      fit_rows(r, normal, terms, {.lambda = lambda, .exact_steps = 0, .inverse = true});
  if (roots_inside(solution.theta.tail(s.na), 1 - 1e-6)) {
    fit.arx.theta = solution.theta;
    fit.arx.constant = constant;
    fit.draws = draw_parameters(r, s, lambda);
  }
  fit.largest = largest_fit(r, search);
  fit.condition = solution.condition;
  fit.rank = solution.rank;
  fit.rows = normal.rows;
  const auto p = static_cast<Index>(terms.size());
  Matrix c(p, p);
  for (Index j = 0; j < p; ++j) {
    const Term& tj = terms[static_cast<std::size_t>(j)];
    for (Index i = 0; i < p; ++i) {
      const Term& ti = terms[static_cast<std::size_t>(i)];
      c(i, j) = normal.c(normal.index(ti.signal, ti.lag), normal.index(tj.signal, tj.lag));
    }
  }
  const double free_rows = static_cast<double>(std::max<Index>(normal.rows - p - 1, 1));
  fit.covariance = solution.rss / free_rows * (solution.inverse * c * solution.inverse);
  fit.residual = Vector::Constant(r.x.rows(), kNan);
  for_each_run(r, kEverything, s.max_lag(), [&](Index t0, Index t1) {
    residuals(r, s, fit.arx.theta, fit.arx.constant, t0, t1, fit.residual.data() + t0);
  });
  for (Index t = 0; t < r.x.rows(); ++t) {
    if (r.target[static_cast<std::size_t>(t)] == 0) fit.residual(t) = kNan;
  }
  return fit;
}

void describe_parameters(const TrainingData& data, Index cv, const FinalFit& fit, CvFinding& f) {
  f.parameter_names.clear();
  f.parameter_values.clear();
  f.parameter_std_errors.clear();
  const auto terms = fit.arx.structure.terms(data.nu());
  const double sigma = data.std(data.nu() + cv);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const auto k = static_cast<Index>(i);
    const bool own = terms[i].signal == data.nu();
    const double unit = own ? 1 : sigma / data.std(terms[i].signal);
    f.parameter_names.push_back((own ? f.cv : data.name(terms[i].signal)) + "(t-" +
                                std::to_string(terms[i].lag) + ")");
    f.parameter_values.push_back(fit.arx.theta(k) * unit);
    f.parameter_std_errors.push_back(std::sqrt(std::max(0.0, fit.covariance(k, k))) * unit);
  }
}

CvFinding describe(const TrainingData& data, Index cv, const SearchResult& search,
                   const FinalFit& fit, Index folds) {
  const Candidate& chosen = search.candidates[search.chosen];
  CvFinding f;
  f.cv = data.name(data.nu() + cv);
  f.na = chosen.na;
  f.nb = chosen.nb;
  f.parameters = chosen.parameters;
  f.rows = fit.rows;
  f.folds = folds;
  f.rank = fit.rank;
  f.lambda = chosen.lambda;
  f.condition = fit.condition;
  f.radius = radius_of(fit.arx);
  f.differenced = chosen.differenced;
  f.integrating = fit.arx.integrating;
  f.score = known(chosen.score);
  f.noise_floor = known(search.noise_floor);
  for (const Candidate& c : search.candidates) {
    f.orders.push_back({c.na, c.nb, c.parameters, c.lambda, c.differenced, known(c.score),
                        known(c.one_step), c.reason});
  }
  describe_parameters(data, cv, fit, f);
  return f;
}

Matrix innovation_covariance(const std::vector<FinalFit>& fits) {
  const auto ny = static_cast<Index>(fits.size());
  Matrix joint = Matrix::Zero(ny, ny);
  Vector own = Vector::Zero(ny);
  Vector own_rows = Vector::Zero(ny);
  double rows = 0;
  Vector e(ny);
  for (Index t = 0; t < fits.front().residual.size(); ++t) {
    for (Index j = 0; j < ny; ++j) {
      e(j) = fits[static_cast<std::size_t>(j)].residual(t);
      if (!std::isfinite(e(j))) continue;
      own(j) += e(j) * e(j);
      own_rows(j) += 1;
    }
    if (!std::isfinite(e.sum())) continue;
    joint += e * e.transpose();
    rows += 1;
  }
  if (rows > static_cast<double>(ny)) return joint / rows;
  return Matrix((own.array() / own_rows.array().max(1)).matrix().asDiagonal());
}

std::vector<StepResponse> describe_steps(const TrainingData& data,
                                         const std::vector<FinalFit>& fits, Index horizon) {
  struct Pair {
    const FinalFit* fit;
    Index input, cv, at;  ///< at: position among the structure's inputs
    Index settling;
  };
  std::vector<Pair> pairs;
  Index shown = horizon;
  for (Index m = 0; m < data.nu(); ++m) {
    for (std::size_t j = 0; j < fits.size(); ++j) {
      const auto& inputs = fits[j].arx.structure.inputs;
      const auto found = std::ranges::find(inputs, m, &Structure::Input::input);
      if (found == inputs.end()) continue;
      const Index at = found - inputs.begin();
      const Index settling = steps_to_share(fits[j].arx, at, kSettled, kSteadyMax);
      shown = std::max(shown, settling < 0 ? 2 * horizon : settling);
      pairs.push_back({&fits[j], m, static_cast<Index>(j), at, settling});
    }
  }
  shown = std::min(shown, std::max(kStepsShown, horizon)) + 1;
  std::vector<StepResponse> out;
  for (const Pair& p : pairs)
    out.push_back(describe_step(data, *p.fit, p.input, p.cv, p.at, shown));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Pair& p = pairs[i];
    out[i].settling_steps = p.settling;
    out[i].gain_covariance.assign(static_cast<std::size_t>(data.nu()), 0);
    const auto& inputs = p.fit->arx.structure.inputs;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      out[i].gain_covariance[static_cast<std::size_t>(inputs[k].input)] =
          gain_covariance(data, *p.fit, p.cv, p.at, static_cast<Index>(k));
    }
  }
  return out;
}

}  // namespace flyball::identify
