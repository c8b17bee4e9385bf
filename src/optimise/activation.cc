#include "optimise/activation.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/checks.h"
#include "math/linear_algebra.h"
#include "optimise/trajectory.h"

namespace flyball::optimise {
namespace {

constexpr double kLimit = 1e-3;   ///< of the train range
constexpr double kAtRest = 0.02;  ///< of the train deviation, span over a quarter of the loop
constexpr double kDecays = 0.6;   ///< of the span over the quarter before
constexpr std::int64_t kLongest = 3000;

/// A plant that starts at rest at u.
class Plant {
 public:
  Plant(model::LinearStateSpace m, const Vector& u)
      : m_(std::move(m)), past_(static_cast<std::size_t>(m_.max_delay()) + 1, u) {
    const Index n = m_.states() - m_.integrators - m_.disturbance_states;
    Vector in(static_cast<Index>(m_.channels.size()));
    for (std::size_t c = 0; c < m_.channels.size(); ++c)
      in(static_cast<Index>(c)) = u(m_.channels[c].input) - m_.u0(m_.channels[c].input);
    x_ = Vector::Zero(m_.states());
    const Vector drive = (m_.B * in + m_.f).head(n);
    if (n > 0)
      if (const auto rest = math::solve(Matrix::Identity(n, n) - m_.A.topLeftCorner(n, n), drive))
        x_.head(n) = *rest;
    shift = Vector::Zero(m_.outputs());
  }
  [[nodiscard]] Vector measure() const { return m_.C * x_ + m_.g + shift; }
  void advance(const Vector& u) {
    past_.insert(past_.begin(), u);
    past_.pop_back();
    Vector in(static_cast<Index>(m_.channels.size()));
    for (std::size_t c = 0; c < m_.channels.size(); ++c) {
      const auto& ch = m_.channels[c];
      in(static_cast<Index>(c)) =
          past_[static_cast<std::size_t>(ch.delay)](ch.input) - m_.u0(ch.input);
    }
    x_ = (m_.A * x_ + m_.B * in + m_.f).eval();
  }
  Vector shift;

 private:
  model::LinearStateSpace m_;
  std::vector<Vector> past_;
  Vector x_;
};

struct Variant {
  std::string name;
  model::LinearStateSpace plant;
};

model::LinearStateSpace changed(model::LinearStateSpace m, Index input, double gain,
                                std::int64_t delay) {
  for (std::size_t c = 0; c < m.channels.size(); ++c) {
    const bool mv = m.channels[c].input < m.n_mv;
    if (!mv || (input >= 0 && m.channels[c].input != input)) continue;
    m.B.col(static_cast<Index>(c)) *= gain;
    m.D.col(static_cast<Index>(c)) *= gain;
    m.channels[c].delay = std::max<std::int64_t>(0, m.channels[c].delay + delay);
  }
  return m;
}

std::vector<Variant> variants(const ProblemIr& p, const model::LinearStateSpace& m) {
  std::vector<Variant> out{{"nominal", m}};
  for (const double gain : {0.5, 2.0})
    out.push_back({gain < 1 ? "all gains x0.5" : "all gains x2", changed(m, -1, gain, 0)});
  for (Index i = 0; i < m.n_mv; ++i) {
    const std::string& id = p.mv[static_cast<std::size_t>(i)].var_id;
    if (m.n_mv > 1) {
      out.push_back({"gains of " + id + " x0.5", changed(m, i, 0.5, 0)});
      out.push_back({"gains of " + id + " x2", changed(m, i, 2, 0)});
    }
    out.push_back({"dead times of " + id + " +2", changed(m, i, 1, 2)});
    std::int64_t longest = 0;
    for (const auto& c : m.channels)
      if (c.input == i) longest = std::max(longest, c.delay);
    if (longest > 0) out.push_back({"dead times of " + id + " -2", changed(m, i, 1, -2)});
  }
  return out;
}

using Clock = std::chrono::steady_clock;

/// A CV that has no target but soft limits on both sides may move between them.
bool stays_in_band(const CvTerm& cv, const Vector& y) {
  if (cv.role != CvRole::band || !cv.soft_min || !cv.soft_max) return false;
  const double room = kLimit * range_of(cv.train);
  return y.minCoeff() >= *cv.soft_min - room && y.maxCoeff() <= *cv.soft_max + room;
}

class Loop {
 public:
  Loop(ProblemIr p, const model::LinearStateSpace& m, Solver& solver, Clock::time_point until)
      : p_(std::move(p)), m_(m), solver_(solver), until_(until) {}

  ActivationCase run(const Variant& v, std::int64_t steps, Index first,
                     const std::stop_token& stop) {
    ActivationCase out{v.name, true, "", "", 0, 0};
    Vector u(m_.inputs());
    for (Index i = 0; i < u.size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      u(i) = i < m_.n_mv ? p_.u_prev[at] : p_.dv[at - static_cast<std::size_t>(m_.n_mv)].train.mean;
    }
    Plant plant(v.plant, u);
    start_history(u, plant.measure(), steps);
    Matrix seen(steps, m_.n_mv + m_.outputs());
    for (std::int64_t t = 0; t < steps; ++t) {
      check_stop(stop);
      if (Clock::now() >= until_) return failed(out, "time", "", 0, t);
      if (t == steps / 2)
        for (Index j = 0; j < m_.outputs(); ++j)
          plant.shift(j) = 0.5 * p_.cv[static_cast<std::size_t>(j)].train.std;
      const SolveResult r = solver_.solve(p_, m_, stop);
      if (r.candidates.empty()) return failed(out, "noAdvice", "", 0, t);
      for (Index i = 0; i < m_.n_mv; ++i) {
        if (r.status != SolveStatus::noChange)
          u(i) = r.candidates[0].controls[0][static_cast<std::size_t>(i)];
        p_.u_prev[static_cast<std::size_t>(i)] = u(i);
      }
      const Vector y = plant.measure();
      push(u, y);
      plant.advance(u);
      seen.row(t) << u.head(m_.n_mv).transpose(), y.transpose();
      if (t < first || (t >= steps / 2 && t < steps / 2 + first))
        continue;  // nothing could be done yet
      if (!inside(y, t, out)) return out;
    }
    if (const std::string restless = moves_on(seen); !restless.empty())
      return failed(out, "unstable", restless, 0, steps);
    return out;
  }

 private:
  static ActivationCase failed(ActivationCase& c, const char* fault, const std::string& limit,
                               double worst, std::int64_t step) {
    c.passed = false;
    c.fault = fault;
    c.limit = limit;
    c.worst = worst;
    c.step = step;
    return c;
  }

  void start_history(const Vector& u, const Vector& y, std::int64_t steps) {
    p_.history.clear();
    p_.x0.reset();
    const auto rows =
        std::min<std::int64_t>(std::max<std::int64_t>(60, steps / 2), 300) + m_.max_delay();
    for (std::int64_t i = 0; i < rows; ++i) push(u, y);
  }
  void push(const Vector& u, const Vector& y) {
    HistoryRow row;
    for (const double v : u) row.u.emplace_back(v);
    for (const double v : y) row.y.emplace_back(v);
    if (p_.history.size() > 300 + static_cast<std::size_t>(m_.max_delay()))
      p_.history.erase(p_.history.begin());
    p_.history.push_back(std::move(row));
  }
  bool inside(const Vector& y, std::int64_t t, ActivationCase& out) {
    for (std::size_t j = 0; j < p_.cv.size(); ++j) {
      const CvTerm& cv = p_.cv[j];
      const double value = y(static_cast<Index>(j));
      const double over = cv.hard_max ? value - *cv.hard_max : -1;
      const double under = cv.hard_min ? *cv.hard_min - value : -1;
      if (std::max(over, under) <= kLimit * range_of(cv.train)) continue;
      failed(out, "limit", cv.var_id + (over > under ? ".hardMax" : ".hardMin"),
             std::max(over, under), t);
      return false;
    }
    return true;
  }
  /// A variable whose last quarter of the loop moves, and not clearly less than the one before it;
  /// CVs first.
  [[nodiscard]] std::string moves_on(const Matrix& seen) const {
    const Index quarter = seen.rows() / 4;
    for (Index c = seen.cols() - 1; c >= 0; --c) {
      const bool mv = c < m_.n_mv;
      const auto at = static_cast<std::size_t>(mv ? c : c - m_.n_mv);
      const TrainRange& train = mv ? p_.mv[at].train : p_.cv[at].train;
      const std::string& id = mv ? p_.mv[at].var_id : p_.cv[at].var_id;
      const auto span = [&](Index from) {
        return seen.col(c).segment(from, quarter).maxCoeff() -
               seen.col(c).segment(from, quarter).minCoeff();
      };
      if (!mv && stays_in_band(p_.cv[at], seen.col(c).tail(2 * quarter))) continue;
      const double last = span(seen.rows() - quarter);
      if (!std::isfinite(last)) return id;
      if (last > kAtRest * train.std && last > kDecays * span(seen.rows() - 2 * quarter)) return id;
    }
    return "";
  }

  ProblemIr p_;
  const model::LinearStateSpace& m_;
  Solver& solver_;
  Clock::time_point until_;
};

void check_horizon(const ProblemIr& p, const model::LinearStateSpace& m, Activation& out) {
  for (Index i = 0; i < m.n_mv; ++i) {
    for (const auto& c : m.channels)
      if (c.input == i) out.dead_time = std::max(out.dead_time, c.delay + 1);
    const Index settled = model::steps_to_share(m, i, 0.95, kLongest);
    if (settled > 0) out.settling = std::max<std::int64_t>(out.settling, settled);
  }
  if (p.horizon >= out.settling) return;  // settling counts from the move, dead time included
  out.passed = false;
  out.reasons.push_back(
      words({"ACTIVATE_HORIZON",
             {{"horizon", p.horizon}, {"needed", out.settling}, {"deadTime", out.dead_time}}}));
}

/// What would help a loop that does not come to rest.
Words unstable(const ProblemIr& p, const ActivationCase& c) {
  const bool level = std::ranges::any_of(p.cv, [&](const CvTerm& v) {
    return v.var_id == c.limit && v.integrating && (v.role == CvRole::band || v.weight == 0);
  });
  const bool weighs = std::ranges::any_of(p.mv, [](const MvTerm& v) { return v.move_weight > 0; });
  const char* const code = level    ? "ACTIVATE_LEVEL"
                           : weighs ? "ACTIVATE_UNSTABLE"
                                    : "ACTIVATE_NO_WEIGHT";
  return words({code, {{"case", c.name}, {"variable", c.limit}}});
}

}  // namespace

Activation check_activation(const ProblemIr& problem, const model::LinearStateSpace& model,
                            std::int64_t steps, const std::stop_token& stop, double limit,
                            const ProgressFn& progress) {
  const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(limit));
  ProblemIr p = problem;
  p.solver.time_limit_ms = std::min(p.solver.time_limit_ms, std::max(1.0, 1e3 * limit));
  if (p.history.empty()) {  // only to pass the check; the loop makes its own
    HistoryRow row;
    row.u.assign(p.mv.size() + p.dv.size(), 0.0);
    row.y.assign(p.cv.size(), 0.0);
    p.history = {row};
  }
  check(p);
  Activation out;
  check_horizon(p, model, out);
  if (steps == 0) steps = std::max<std::int64_t>(60, 3 * std::max(p.horizon, out.settling));
  Solver solver;
  const Index first = out.dead_time + 2 + static_cast<Index>(p.horizon) / 10;
  const std::vector<Variant> all = variants(p, model);
  for (const Variant& v : all) {
    if (progress)
      progress({"loops", static_cast<double>(out.cases.size()) / static_cast<double>(all.size()),
                v.name});
    const ActivationCase c = Loop(p, model, solver, until).run(v, steps, first, stop);
    out.cases.push_back(c);
    if (c.passed) continue;
    out.passed = false;
    if (c.fault == "time") {
      out.timed_out = true;
      out.reasons.push_back(words({"ACTIVATE_TIME",
                                   {{"case", c.name},
                                    {"at", out.cases.size()},
                                    {"count", all.size()},
                                    {"step", c.step},
                                    {"steps", steps}}}));
      break;
    }
    out.reasons.push_back(
        c.fault == "limit"
            ? words({"ACTIVATE_LIMIT",
                     {{"case", c.name}, {"limit", c.limit}, {"amount", c.worst}, {"step", c.step}}})
        : c.fault == "unstable"
            ? unstable(p, c)
            : words({"ACTIVATE_NO_ADVICE", {{"case", c.name}, {"step", c.step}}}));
  }
  return out;
}

}  // namespace flyball::optimise
