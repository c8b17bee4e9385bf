#include "optimise/ranked.h"

#include <cmath>
#include <limits>

namespace flyball::optimise {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kFirstWeight = 1e3;  ///< scaled, of the linear penalty
constexpr double kFixedWeight = 1e9;
constexpr int kRaises = 4;
constexpr double kGivenUp = 1e-9;  ///< of σ
constexpr double kRoom = 1e-8;     ///< of σ, what is fixed is fixed with

}  // namespace

Ranked::Ranked(const ProblemIr& problem, const std::vector<TierPlan>& tiers, MpcEngine& engine)
    : p_(problem), tiers_(tiers), engine_(engine) {
  u_prev_ = Eigen::Map<const Vector>(p_.u_prev.data(), static_cast<Index>(p_.u_prev.size()));
  for (const TierPlan& t : tiers_) bands_.push_back(band_of(p_, t));
  hold_others(-1);
}

void Ranked::hold_others(Index only) {
  const auto steps = move_steps(p_);
  move_low_.clear();
  move_high_.clear();
  value_low_.clear();
  value_high_.clear();
  std::vector<Band> values;
  for (std::size_t m = 0; m < p_.mv.size(); ++m) values.push_back(mv_band(p_, m));
  for (const std::int64_t step : steps) {
    for (std::size_t m = 0; m < p_.mv.size(); ++m) {
      const bool held = !p_.mv[m].available || (only >= 0 && only != static_cast<Index>(m));
      const double most = held ? 0.0 : p_.mv[m].max_move;
      move_low_.push_back(-most);
      move_high_.push_back(most);
      value_low_.push_back(held ? -kInfinity : values[m].low[static_cast<std::size_t>(step)]);
      value_high_.push_back(held ? kInfinity : values[m].high[static_cast<std::size_t>(step)]);
    }
  }
  set_moves();
}

void Ranked::hold_first(Index m) {
  move_low_[static_cast<std::size_t>(m)] = move_high_[static_cast<std::size_t>(m)] = 0;
  set_moves();
}

void Ranked::move_first(Index m, double move) {
  const double most = p_.mv[static_cast<std::size_t>(m)].max_move;
  move_low_[static_cast<std::size_t>(m)] = move > 0 ? move : -most;
  move_high_[static_cast<std::size_t>(m)] = move > 0 ? most : move;
  set_moves();
}

void Ranked::free_mv(Index m, bool value) {
  const auto nu = static_cast<Index>(p_.mv.size());
  for (Index i = m; i < static_cast<Index>(move_low_.size()); i += nu) {
    const auto at = static_cast<std::size_t>(i);
    (value ? value_low_ : move_low_)[at] = -kInfinity;
    (value ? value_high_ : move_high_)[at] = kInfinity;
  }
  set_moves();
}

void Ranked::set_moves() {
  engine_.limit_moves(move_low_.data(), move_high_.data());
  engine_.limit_values(value_low_.data(), value_high_.data());
}

/// Hard limits and margins count from the first step at which some MV moves the CV.
void Ranked::set_cvs(std::size_t tiers_in_force) {
  const Shape& s = engine_.model().shape();
  for (std::size_t t = 0; t < tiers_.size(); ++t) {
    Band b = bands_[t];
    for (Index i = 0; i < s.cvs * s.horizon; ++i) {
      const Index row = s.y_at() + i / s.horizon * s.p4 + i % s.horizon;
      if (t < tiers_in_force &&
          (tiers_[t].what == TierPlan::What::soft || engine_.model().reached(row)))
        continue;
      b.low[static_cast<std::size_t>(i)] = -kInfinity;
      b.high[static_cast<std::size_t>(i)] = kInfinity;
    }
    engine_.limit_cvs(static_cast<Index>(t), b.low.data(), b.high.data());
  }
}

bool Ranked::priced(std::size_t tier, Index cv) const {
  return tiers_[tier].what == TierPlan::What::soft &&
         p_.cv[static_cast<std::size_t>(cv)].soft_linear.has_value();
}

/// `weight` for one tier, for those before it the one that never gives way.
void Ranked::set_weights(std::size_t tier, double weight) {
  for (std::size_t t = 0; t < tiers_.size(); ++t) {
    if (!engine_.is_soft(static_cast<Index>(t))) continue;
    for (Index j = 0; j < static_cast<Index>(p_.cv.size()); ++j) {
      const CvTerm& cv = p_.cv[static_cast<std::size_t>(j)];
      const double scaled = priced(t, j) ? *cv.soft_linear : t < tier ? kFixedWeight : weight;
      engine_.set_linear(static_cast<Index>(t), j, scaled / cv.train.std);
    }
  }
}

/// Σ slack/σ of what is ranked, not priced.
double Ranked::given_up(std::size_t tier) const {
  if (!engine_.is_soft(static_cast<Index>(tier))) return 0;
  const Shape& s = engine_.model().shape();
  double sum = 0;
  for (Index j = 0; j < s.cvs; ++j) {
    if (priced(tier, j)) continue;
    const Index first = engine_.first_slack(static_cast<Index>(tier), j);
    for (Index i = 0; i < engine_.slacks_each(static_cast<Index>(tier)); ++i)
      sum += engine_.slack(first + i) / p_.cv[static_cast<std::size_t>(j)].train.std;
  }
  return sum;
}

/// The limits of a tier, moved outwards by what each side had to give up.
void Ranked::relax(std::size_t tier) {
  const Shape& s = engine_.model().shape();
  for (Index j = 0; j < s.cvs; ++j) {
    if (priced(tier, j)) continue;
    const double std = p_.cv[static_cast<std::size_t>(j)].train.std;
    for (Index k = 0; k < s.horizon; ++k) {
      const auto at = static_cast<std::size_t>(j * s.horizon + k);
      for (const double side : {-1.0, 1.0}) {
        const double e =
            engine_.slack(engine_.slack_at(static_cast<Index>(tier), j * s.p4 + k, side));
        if (e <= kGivenUp * std) continue;
        (side > 0 ? bands_[tier].high : bands_[tier].low)[at] += side * (e + kRoom * std);
      }
    }
  }
}

RankedAnswer Ranked::run() {
  const Answer answer = engine_.solve(nullptr, u_prev_.data());
  return {answer, engine_.iterations(), false};
}

void Ranked::prepare() {
  bands_.clear();
  for (const TierPlan& t : tiers_) bands_.push_back(band_of(p_, t));
  set_cvs(tiers_.size());
  set_weights(0, kFirstWeight);
}

RankedAnswer Ranked::solve() {
  prepare();
  RankedAnswer out = run();
  if (out.answer != Answer::solved) return out;
  double all = 0;
  for (std::size_t t = 0; t < tiers_.size(); ++t) all += given_up(t);
  if (all <= kGivenUp) return out;
  out.gave_up = true;
  for (std::size_t t = 0; t < tiers_.size(); ++t) {
    if (!engine_.is_soft(static_cast<Index>(t))) continue;
    set_cvs(t + 1);
    double weight = kFirstWeight;
    double before = kInfinity;
    for (int raise = 0; raise < kRaises; ++raise, weight *= 10) {
      set_weights(t, weight);
      const RankedAnswer step = run();
      out.iterations += step.iterations;
      if (step.answer != Answer::solved) return {step.answer, out.iterations, true};
      const double now = given_up(t);
      if (now <= kGivenUp || now > before * (1 - 1e-7)) break;
      before = now;
    }
    relax(t);
  }
  set_cvs(tiers_.size());
  set_weights(tiers_.size(), kFixedWeight);
  const RankedAnswer last = run();
  return {last.answer, out.iterations + last.iterations, true};
}

}  // namespace flyball::optimise
