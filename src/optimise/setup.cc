#include "optimise/setup.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <set>

#include "core/checks.h"
#include "core/digest.h"

namespace flyball::optimise {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLeastPenalty = 1e-3;  ///< a slack needs some curvature

double scale(const TrainRange& t) {
  return 1 / t.std;
}

void check_model(const ProblemIr& p, const model::LinearStateSpace& m) {
  model::check(m);
  check_shape("MVs of the model", m.n_mv, 1, static_cast<long>(p.mv.size()), 1);
  check_shape("inputs of the model", m.inputs(), 1, static_cast<long>(p.mv.size() + p.dv.size()),
              1);
  check_shape("CVs of the model", m.outputs(), 1, static_cast<long>(p.cv.size()), 1);
}

CondenseInput condense_input(const ProblemIr& p, const model::LinearStateSpace& m) {
  check_model(p, m);
  CondenseInput in;
  in.horizon = p.horizon;
  in.mvs = m.n_mv;
  in.cvs = m.outputs();
  for (const std::int64_t s : move_steps(p)) in.steps.push_back(s);
  in.answers = Matrix(in.horizon, in.cvs * in.mvs);
  for (Index u = 0; u < in.mvs; ++u) {
    const Matrix step = model::step_response(m, u, in.horizon + 1);
    for (Index j = 0; j < in.cvs; ++j)
      in.answers.col(j * in.mvs + u) = step.col(j).tail(in.horizon);
  }
  in.cv_weight = Vector::Zero(in.cvs);
  in.cv_linear = Vector::Zero(in.cvs);
  for (Index j = 0; j < in.cvs; ++j) {
    const CvTerm& cv = p.cv[static_cast<std::size_t>(j)];
    const double s = scale(cv.train);
    if (cv.role == CvRole::track) in.cv_weight(j) = cv.weight * s * s;
    if (cv.role == CvRole::min) in.cv_linear(j) = cv.weight * s;
    if (cv.role == CvRole::max) in.cv_linear(j) = -cv.weight * s;
  }
  in.move_weight = Vector(in.mvs);
  in.target_weight = Vector::Zero(in.mvs);
  for (Index u = 0; u < in.mvs; ++u) {
    const MvTerm& mv = p.mv[static_cast<std::size_t>(u)];
    const double s = scale(mv.train);
    in.move_weight(u) = mv.move_weight * s * s;
    if (mv.target) in.target_weight(u) = mv.target_weight * s * s;
  }
  in.free = Matrix(in.horizon * in.cvs, 0);
  in.to_target = Matrix(in.mvs, 0);
  return in;
}

double value_or(const std::vector<double>& steps, std::size_t k, std::optional<double> one,
                double none) {
  if (!steps.empty()) return steps[k];
  return one.value_or(none);
}

}  // namespace

std::vector<TierPlan> plan_tiers(const ProblemIr& p) {
  std::vector<TierPlan> out;
  bool hard = false;
  bool back = false;
  bool margin = false;
  std::set<std::int64_t> ranks;
  for (const CvTerm& cv : p.cv) {
    const bool has_hard = cv.hard_min || cv.hard_max;
    hard = hard || (cv.hard_min && !cv.below_now) || (cv.hard_max && !cv.above_now);
    back = back || cv.below_now || cv.above_now;
    margin = margin || (has_hard && !cv.margin.empty());
    if (cv.soft_min || cv.soft_max || !cv.soft_min_steps.empty() || !cv.soft_max_steps.empty())
      ranks.insert(cv.rank);
  }
  if (hard) out.push_back({TierPlan::What::hard, 0});
  if (back) out.push_back({TierPlan::What::back, 0});
  if (margin) out.push_back({TierPlan::What::margin, 0});
  for (const std::int64_t r : ranks) out.push_back({TierPlan::What::soft, r});
  return out;
}

Band band_of(const ProblemIr& p, const TierPlan& tier) {
  const auto horizon = static_cast<std::size_t>(p.horizon);
  Band b{std::vector<double>(p.cv.size() * horizon, -kInfinity),
         std::vector<double>(p.cv.size() * horizon, kInfinity)};
  for (std::size_t j = 0; j < p.cv.size(); ++j) {
    const CvTerm& cv = p.cv[j];
    if (tier.what == TierPlan::What::soft && cv.rank != tier.rank) continue;
    if (tier.what == TierPlan::What::margin && cv.margin.empty()) continue;
    for (std::size_t k = 0; k < horizon; ++k) {
      double& low = b.low[j * horizon + k];
      double& high = b.high[j * horizon + k];
      if (tier.what == TierPlan::What::soft) {
        low = value_or(cv.soft_min_steps, k, cv.soft_min, -kInfinity);
        high = value_or(cv.soft_max_steps, k, cv.soft_max, kInfinity);
      } else {
        const bool all = tier.what == TierPlan::What::margin;
        const bool broken = tier.what == TierPlan::What::back;
        const double margin = all ? cv.margin[k] : 0.0;
        if (cv.hard_min && (all || cv.below_now == broken)) low = *cv.hard_min + margin;
        if (cv.hard_max && (all || cv.above_now == broken)) high = *cv.hard_max - margin;
      }
    }
  }
  return b;
}

std::vector<Tier> engine_tiers(const ProblemIr& p, const std::vector<TierPlan>& plans,
                               bool elastic) {
  std::vector<Tier> out;
  const auto ny = static_cast<Index>(p.cv.size());
  const bool outside =
      std::ranges::any_of(p.cv, [](const CvTerm& c) { return c.below_now || c.above_now; });
  for (const TierPlan& plan : plans) {
    Tier t;
    t.soft = elastic || plan.what != TierPlan::What::hard;
    const bool each =
        plan.what == TierPlan::What::soft ? p.solver.slack == Slack::perStep : outside;
    t.slack = each ? Shares::step : Shares::side;
    t.quadratic = Vector(ny);
    t.linear = Vector::Zero(ny);
    for (Index j = 0; j < ny; ++j) {
      const CvTerm& cv = p.cv[static_cast<std::size_t>(j)];
      const double s = scale(cv.train);
      const double penalty = plan.what == TierPlan::What::back ? 0.0 : cv.soft_penalty;
      t.quadratic(j) = std::max(kLeastPenalty, penalty) * s * s;
    }
    out.push_back(t);
  }
  return out;
}

Setup::Setup(const ProblemIr& p, const model::LinearStateSpace& m)
    : tiers(plan_tiers(p)),
      estimator((check_model(p, m), m), p.solver.disturbance, p.solver.disturbance_ratio),
      condensed(std::make_shared<const Condensed>(condense_input(p, m))),
      engine(condensed, engine_tiers(p, tiers, false)) {
  const Shape& s = condensed->shape();
  for (Index j = 0; j < s.cvs; ++j) {
    Index k = 0;
    while (k < s.horizon && !condensed->reached(s.y_at() + j * s.p4 + k)) ++k;
    first_step.push_back(k + 1);
  }
}

std::string setup_hash(const ProblemIr& problem, const model::LinearStateSpace& model) {
  ProblemIr p = problem;  // what changes from step to step does not count
  p.history.clear();
  p.x0.reset();
  p.disturbance.clear();
  p.u_prev.clear();
  p.context_hash.clear();
  p.spread.reset();
  p.seed = 0;
  for (DvTerm& d : p.dv) d.forecast.clear();
  for (MvTerm& m : p.mv) {
    if (m.target) m.target = 0.0;  // that there is one counts
    m.price = 0;
  }
  for (CvTerm& c : p.cv) {
    c.refs.clear();
    c.ref.reset();
  }
  Sha256 hash;
  hash.update(canonical(to_json_value(p)));
  const auto add = [&](const auto& m) {
    hash.update(std::string_view(reinterpret_cast<const char*>(m.data()),
                                 static_cast<std::size_t>(m.size()) * sizeof(double)));
  };
  for (const Matrix* m : {&model.A, &model.B, &model.C, &model.D, &model.K, &model.S}) add(*m);
  for (const Vector* v : {&model.f, &model.g, &model.u0}) add(*v);
  for (const auto& c : model.channels)
    hash.update(std::to_string(c.input) + "," + std::to_string(c.delay) + ";");
  return hash.hex();
}

Setup& SetupCache::find(const ProblemIr& problem, const model::LinearStateSpace& model,
                        bool& built) {
  const std::string key = setup_hash(problem, model);
  for (auto it = kept_.begin(); it != kept_.end(); ++it) {
    if (it->first != key) continue;
    kept_.splice(kept_.begin(), kept_, it);
    built = false;
    return *kept_.front().second;
  }
  const auto from = std::chrono::steady_clock::now();
  auto made = std::make_unique<Setup>(problem, model);
  made->setup_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - from).count();
  kept_.emplace_front(key, std::move(made));
  if (kept_.size() > capacity_) kept_.pop_back();
  built = true;
  return *kept_.front().second;
}

}  // namespace flyball::optimise
