#include "optimise/rest_again.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "optimise/rest_proof.h"
#include "optimise/steady_state.h"

namespace flyball::optimise {
namespace {

constexpr double kPredictions = 1e-5, kLimits = 1e-6, kCost = 1e-6, kLoss = 1e-4;
constexpr int kDoublings = 16;

bool all_finite(const std::vector<double>& values, std::size_t want) {
  return values.size() == want &&
         std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
}

double width(const TrainRange& t) {
  return std::max(t.std, t.max - t.min);
}

std::pair<double, double> box(const MvTerm& mv, double u_prev) {
  if (!mv.available) return {u_prev, u_prev};
  if (!(mv.train.min < mv.train.max)) return {mv.min, mv.max};
  return {std::max(mv.min, mv.train.min), std::min(mv.max, mv.train.max)};
}

class Check {
 public:
  Check(const ProblemIr& p, const model::LinearStateSpace& m, const SteadyState& c)
      : p_(p), m_(m), c_(c) {}

  RestAgain run() {
    if (!c_.found) return std::move(out_);
    const auto n = static_cast<std::size_t>(m_.states());
    if (!all_finite(c_.u, p_.mv.size()) || !all_finite(c_.y, p_.cv.size()) ||
        !all_finite(c_.x, n) || !std::isfinite(c_.cost) ||
        m_.n_mv != static_cast<Index>(c_.u.size()) ||
        m_.outputs() != static_cast<Index>(c_.y.size())) {
      fail("REST_SHAPE", {});
      return std::move(out_);
    }
    const Estimator estimator(m_, p_.solver.disturbance, p_.solver.disturbance_ratio);
    const Estimate at = p_.x0 ? estimator.given(*p_.x0, p_.disturbance) : estimator.run(p_.history);
    if (!at.inputs_known) fail("REST_SHAPE", {});
    steady(at);
    limits();
    costs();
    best();
    return std::move(out_);
  }

 private:
  void fail(const char* code, std::vector<Param> params) {
    out_.failures.push_back(words({code, std::move(params)}));
  }

  /// Channel inputs at rest.
  [[nodiscard]] std::vector<double> inputs() const {
    std::vector<double> in;
    for (const auto& channel : m_.channels) {
      const auto i = static_cast<std::size_t>(channel.input);
      double u = 0;
      if (i < c_.u.size()) {
        u = c_.u[i];
      } else {
        const DvTerm& dv = p_.dv[i - c_.u.size()];
        u = !dv.forecast.empty() ? dv.forecast.back()
            : p_.history.empty() ? dv.train.mean
                                 : p_.history.back().u[i].value_or(std::nan(""));
      }
      in.push_back(u - m_.u0(channel.input));
    }
    return in;
  }

  void steady(const Estimate& at) {
    const Index n = m_.states();
    for (Index i = n - m_.disturbance_states; i < n; ++i) {
      const double estimated = at.x(i);
      if (!(std::abs(c_.x[static_cast<std::size_t>(i)] - estimated) <=
            1e-9 * (1 + std::abs(estimated)))) {
        fail("REST_STATE", {});
        break;
      }
    }
    const std::vector<double> in = inputs();
    Matrix a = m_.A;
    std::vector<double> drive(static_cast<std::size_t>(n)), x = c_.x;
    for (Index i = 0; i < n; ++i) {
      double sum = m_.f(i) + at.x_shift(i);
      for (std::size_t c = 0; c < in.size(); ++c) sum += m_.B(i, static_cast<Index>(c)) * in[c];
      drive[static_cast<std::size_t>(i)] = sum;
    }
    out_.y = outputs(at, in, x);
    double worst = 0;
    std::size_t which = 0;
    const auto see = [&](const std::vector<double>& y) {
      for (std::size_t j = 0; j < y.size(); ++j) {
        const double off = std::abs(y[j] - c_.y[j]) / p_.cv[j].train.std;
        if (off <= worst) continue;
        worst = off;
        which = j;
      }
    };
    see(out_.y);
    for (int d = 0; d <= kDoublings; ++d) {  // a, drive: 2^d steps
      x = advanced(a, drive, c_.x);
      see(outputs(at, in, x));
      drive = advanced(a, drive, drive);
      a = (a * a).eval();
    }
    if (!(worst <= kPredictions))
      fail("REST_UNSTEADY",
           {{"cv", p_.cv[which].var_id}, {"difference", worst}, {"limit", kPredictions}});
  }
  static std::vector<double> advanced(const Matrix& a, const std::vector<double>& drive,
                                      const std::vector<double>& x) {
    std::vector<double> next(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      next[i] = drive[i];
      for (std::size_t l = 0; l < x.size(); ++l)
        next[i] += a(static_cast<Index>(i), static_cast<Index>(l)) * x[l];
    }
    return next;
  }
  [[nodiscard]] std::vector<double> outputs(const Estimate& at, const std::vector<double>& in,
                                            const std::vector<double>& x) const {
    std::vector<double> y;
    for (Index j = 0; j < m_.outputs(); ++j) {
      double sum = m_.g(j) + at.y_shift(j);
      for (std::size_t i = 0; i < x.size(); ++i) sum += m_.C(j, static_cast<Index>(i)) * x[i];
      for (std::size_t c = 0; c < in.size(); ++c) sum += m_.D(j, static_cast<Index>(c)) * in[c];
      y.push_back(sum);
    }
    return y;
  }

  /// Beyond a limit by `over`: allowed are rounding and what was told.
  void limit(const std::string& id, double over, double range) {
    double told = 0;
    for (const Relaxed& r : c_.relaxed)
      if (r.id == id) told = std::max(told, r.amount);
    room_[id] = told - over;
    if (over <= told + kLimits * range) return;
    fail("REST_BROKEN", {{"limit", id}, {"amount", over}});
  }
  void limits() {
    for (std::size_t m = 0; m < p_.mv.size(); ++m) {
      const auto [low, high] = box(p_.mv[m], p_.u_prev[m]);
      const double range = width(p_.mv[m].train);
      limit(p_.mv[m].var_id + ".min", low - c_.u[m], range);
      limit(p_.mv[m].var_id + ".max", c_.u[m] - high, range);
    }
    for (std::size_t j = 0; j < p_.cv.size(); ++j) {
      const CvTerm& cv = p_.cv[j];
      const double y = out_.y[j], range = width(cv.train);
      const double margin = cv.margin.empty() ? 0 : cv.margin.back();
      const auto low =
          cv.soft_min_steps.empty() ? cv.soft_min : std::optional(cv.soft_min_steps.back());
      const auto high =
          cv.soft_max_steps.empty() ? cv.soft_max : std::optional(cv.soft_max_steps.back());
      if (cv.hard_min) limit(cv.var_id + ".hardMin", *cv.hard_min - y, range);
      if (cv.hard_max) limit(cv.var_id + ".hardMax", y - *cv.hard_max, range);
      if (cv.hard_min && margin > 0)
        limit(cv.var_id + ".hardMin+margin", *cv.hard_min + margin - y, range);
      if (cv.hard_max && margin > 0)
        limit(cv.var_id + ".hardMax+margin", y - *cv.hard_max + margin, range);
      if (low) limit(cv.var_id + ".softMin", *low - y, range);
      if (high) limit(cv.var_id + ".softMax", y - *high, range);
    }
  }

  [[nodiscard]] double reference(const CvTerm& cv) const {
    return cv.refs.empty() ? cv.ref.value_or(0.0) : cv.refs.back();
  }
  void costs() {
    for (std::size_t m = 0; m < p_.mv.size(); ++m) {
      const MvTerm& mv = p_.mv[m];
      out_.cost += mv.price * c_.u[m];
      out_.cost += kNearWeight / 2 * std::pow((c_.u[m] - p_.u_prev[m]) / mv.train.std, 2);
      if (mv.target)
        out_.cost += mv.target_weight / 2 * std::pow((c_.u[m] - *mv.target) / mv.train.std, 2);
    }
    for (std::size_t j = 0; j < p_.cv.size(); ++j) {
      const CvTerm& cv = p_.cv[j];
      const double y = out_.y[j] / cv.train.std;
      out_.cost += cv.price * out_.y[j];
      if (cv.role == CvRole::min) out_.cost += cv.weight * y;
      if (cv.role == CvRole::max) out_.cost -= cv.weight * y;
      if (cv.role == CvRole::track)
        out_.cost += cv.weight / 2 * std::pow(y - reference(cv) / cv.train.std, 2);
    }
    if (!(std::abs(out_.cost - c_.cost) <= kCost * (1 + std::abs(out_.cost))))
      fail("REST_COST", {{"solver", c_.cost}, {"cost", out_.cost}});
  }

  void best() {
    const double loss = savings_left(p_, m_, c_, out_.y, room_);
    const double most = kLoss * (1 + std::abs(out_.cost));
    if (!(loss <= most)) fail("REST_NOT_BEST", {{"loss", loss}, {"limit", most}});
  }

  const ProblemIr& p_;
  const model::LinearStateSpace& m_;
  const SteadyState& c_;
  std::map<std::string, double> room_;  ///< up to each limit, as far as it may be given up
  RestAgain out_;
};

}  // namespace

RestAgain rest_again(const ProblemIr& problem, const model::LinearStateSpace& model,
                     const SteadyState& claimed) {
  check(problem);
  model::check(model);
  return Check(problem, model, claimed).run();
}

SteadyState confirmed(const SteadyState& claimed, const RestAgain& again) {
  SteadyState out = claimed;
  out.verified = claimed.found && again.failures.empty();
  if (!claimed.found) return out;
  out.y = again.y;
  out.cost = again.cost;
  return out;
}

}  // namespace flyball::optimise
