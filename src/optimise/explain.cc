#include "optimise/explain.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "optimise/in_units.h"

namespace flyball::optimise {
namespace {

constexpr double kSeen = 1e-6;     ///< of the train range
constexpr double kNoMove = 1e-12;  ///< of the train range: rounding, not a move
constexpr Index kElasticBytes = Index{4} << 20;

/// The largest excess of a CV over one side of a band: amount, the limit there, the first and the
/// last step with some, and the last one with as much.
struct Excess {
  double amount = 0, limit = 0;
  std::int64_t first = 0, worst = 0, last = 0;
};
Excess excess(const Matrix& y, const Band& b, std::size_t j, bool high, double least) {
  Excess out;
  for (Index k = 0; k < y.rows(); ++k) {
    const std::size_t at = j * static_cast<std::size_t>(y.rows()) + static_cast<std::size_t>(k);
    const double limit = high ? b.high[at] : b.low[at];
    const double over =
        high ? y(k, static_cast<Index>(j)) - limit : limit - y(k, static_cast<Index>(j));
    if (!(over > least)) continue;
    if (out.first == 0) out.first = k + 1;
    out.last = k + 1;
    if (over > out.amount - least) out.worst = k + 1;
    if (over > out.amount) {
      out.amount = over;
      out.limit = limit;
    }
  }
  return out;
}

/// MVs that stand at a limit up to step k, as "FT101 (max)".
std::string held_by(const ProblemIr& p, const Trajectory& t, std::int64_t until) {
  std::string out;
  for (std::size_t m = 0; m < p.mv.size(); ++m) {
    const MvTerm& mv = p.mv[m];
    const Band band = mv_band(p, m);
    const auto u = t.controls.col(static_cast<Index>(m));
    const double near = kSeen * range_of(mv.train);
    std::set<std::string> kinds;
    for (Index k = 0; k < std::min<Index>(until, u.size()); ++k) {
      const auto at = static_cast<std::size_t>(k);
      if (u(k) > band.high[at] - near) kinds.insert("max");
      if (u(k) < band.low[at] + near) kinds.insert("min");
      if (std::abs(u(k) - (k == 0 ? p.u_prev[m] : u(k - 1))) > mv.max_move - near)
        kinds.insert("maxMove");
    }
    if (!mv.available) kinds = {"manual"};
    for (const std::string& kind : kinds)
      out += (out.empty() ? "" : ", ") + mv.var_id + " (" + kind + ")";
  }
  return out;
}

/// Which limits of single MVs would do if only they were wider.
void try_wider(const ProblemIr& p, const Setup& setup, const double* start,
               std::vector<Words>& reasons) {
  std::vector<TierPlan> hard{{TierPlan::What::hard, 0}};
  MpcEngine engine(setup.condensed, engine_tiers(p, hard, false), kElasticBytes);
  engine.set_deadline(setup.engine.deadline());
  std::copy_n(start, setup.condensed->shape().u_at(), engine.start());
  for (std::size_t m = 0; m < p.mv.size(); ++m) {
    if (!p.mv[m].available) continue;
    for (const bool value : {true, false}) {
      Ranked ranked(p, hard, engine);
      ranked.free_mv(static_cast<Index>(m), value);
      if (ranked.solve().answer != Answer::solved) continue;
      const Trajectory t = trajectory_of(p, engine);
      const auto u = t.controls.col(static_cast<Index>(m));
      const Band band = mv_band(p, m);
      double needed = 0;
      bool high = true;
      for (Index k = 0; k < u.size(); ++k) {
        const auto at = static_cast<std::size_t>(k);
        const double over = u(k) - band.high[at];
        const double under = band.low[at] - u(k);
        const double move = std::abs(u(k) - (k == 0 ? p.u_prev[m] : u(k - 1)));
        if (value && std::max(over, under) > 0) {
          high = over > 0;
          needed = high ? std::max(needed, u(k)) : (needed == 0 ? u(k) : std::min(needed, u(k)));
        }
        if (!value) needed = std::max(needed, move);
      }
      const std::string limit = value ? (high ? ".max" : ".min") : ".maxMove";
      reasons.push_back(words({"INFEASIBLE_WIDEN",
                               {{"limit", p.mv[m].var_id + limit},
                                value ? in_units("value", needed, p.mv[m])
                                      : difference_in_units("value", needed, p.mv[m])}}));
    }
  }
}

}  // namespace

Trajectory trajectory_of(const ProblemIr& p, const MpcEngine& e) {
  const Shape& s = e.model().shape();
  Trajectory t{Matrix(s.horizon, s.mvs), Matrix(s.horizon, s.cvs)};
  const auto& steps = e.model().steps();
  for (Index m = 0; m < s.mvs; ++m) {
    const MvTerm& mv = p.mv[static_cast<std::size_t>(m)];
    const Band band = mv_band(p, static_cast<std::size_t>(m));
    double u = p.u_prev[static_cast<std::size_t>(m)];
    std::size_t next = 0;
    for (Index k = 0; k < s.horizon; ++k) {
      const auto at = static_cast<std::size_t>(k);
      if (next < steps.size() && steps[next] == k) {
        const double move = e.z()[static_cast<Index>(next++) * s.mvs + m];
        if (std::abs(move) > kNoMove * range_of(mv.train)) u += move;
      }
      const double inside = std::clamp(u, band.low[at], band.high[at]);
      if (std::abs(inside - u) < kNoMove * range_of(mv.train)) u = inside;
      t.controls(k, m) = u;
    }
  }
  for (Index j = 0; j < s.cvs; ++j)
    for (Index k = 0; k < s.horizon; ++k) t.predicted(k, j) = e.y()[j * s.p4 + k];
  return t;
}

std::vector<Relaxed> relaxed_limits(const ProblemIr& p, const Trajectory& t) {
  std::vector<Relaxed> out;
  for (const TierPlan& tier : plan_tiers(p)) {
    if (tier.what == TierPlan::What::hard) continue;
    const bool margin = tier.what == TierPlan::What::margin;
    const bool back = tier.what == TierPlan::What::back;
    const Band band = band_of(p, tier);
    for (std::size_t j = 0; j < p.cv.size(); ++j) {
      const CvTerm& cv = p.cv[j];
      for (const bool high : {false, true}) {
        const Excess e = excess(t.predicted, band, j, high, kSeen * range_of(cv.train));
        if (e.first == 0) continue;
        if (margin && (high ? cv.above_now : cv.below_now)) continue;  // its limit is told
        const std::string limit =
            std::string(tier.what == TierPlan::What::soft ? ".soft" : ".hard") +
            (high ? "Max" : "Min") + (margin ? "+margin" : "");
        std::vector<Param> params{{"cv", cv.var_id},
                                  {"limit", cv.var_id + limit},
                                  difference_in_units("amount", e.amount, cv),
                                  {"step", e.first}};
        if (back) params.back() = {"step", e.last + 1};
        const Message said =
            margin  ? Message{"RELAXED_MARGIN", params}
            : !back ? Message{"RELAXED_SOFT", params}
                    : Message{e.last < p.horizon ? "RELAXED_BACK" : "RELAXED_STAYS", params};
        out.push_back({cv.var_id + limit, tier.rank, e.amount, e.first, words(said)});
      }
    }
  }
  return out;
}

std::vector<Relaxed> infeasible_limits(const ProblemIr& p, const Setup& setup, const double* start,
                                       std::vector<Words>& reasons) {
  const std::vector<TierPlan> hard{{TierPlan::What::hard, 0}};
  MpcEngine elastic(setup.condensed, engine_tiers(p, hard, true), kElasticBytes);
  elastic.set_deadline(setup.engine.deadline());
  std::copy_n(start, setup.condensed->shape().u_at(), elastic.start());
  Ranked ranked(p, hard, elastic);
  std::vector<Relaxed> out;
  if (ranked.solve().answer != Answer::solved) return out;
  const Trajectory t = trajectory_of(p, elastic);
  const Band band = band_of(p, hard[0]);
  for (std::size_t j = 0; j < p.cv.size(); ++j) {
    const CvTerm& cv = p.cv[j];
    Matrix y = t.predicted;
    y.topRows(std::min<Index>(setup.first_step[j] - 1, y.rows()))
        .setConstant(std::nan(""));  // not hard yet
    for (const bool high : {false, true}) {
      const Excess e = excess(y, band, j, high, kSeen * range_of(cv.train));
      if (e.first == 0) continue;
      const std::string limit = cv.var_id + (high ? ".hardMax" : ".hardMin");
      const std::string held = held_by(p, t, e.worst);
      out.push_back({limit, 0, e.amount, e.first,
                     words({"INFEASIBLE_LIMIT",
                            {{"limit", limit},
                             difference_in_units("amount", e.amount, cv),
                             {"step", e.first},
                             in_units("value", high ? e.limit + e.amount : e.limit - e.amount, cv),
                             {"held", held.empty() ? std::string("no MV") : held}}})});
    }
  }
  std::sort(out.begin(), out.end(),
            [&](const Relaxed& a, const Relaxed& b) { return a.first_step < b.first_step; });
  try_wider(p, setup, start, reasons);
  return out;
}

std::vector<ShadowPrice> shadow_prices(const ProblemIr& p, const std::vector<TierPlan>& tiers,
                                       const MpcEngine& e) {
  std::vector<ShadowPrice> out;
  const Shape& s = e.model().shape();
  for (Index i = 0; i < e.set().size(); ++i) {
    const Constraint& c = e.set().at(i);
    const double price = e.set().multiplier(i);
    if (c.row < 0 || price <= 0) continue;
    if (c.tier >= 0) {
      const Index at = c.row - s.y_at();
      const TierPlan& tier = tiers[static_cast<std::size_t>(c.tier)];
      const char* const kind = tier.what == TierPlan::What::soft ? ".soft" : ".hard";
      const char* const margin = tier.what == TierPlan::What::margin ? "+margin" : "";
      out.push_back({p.cv[static_cast<std::size_t>(at / s.p4)].var_id + kind +
                         (c.side > 0 ? "Max" : "Min") + margin,
                     at % s.p4 + 1, price});
      continue;
    }
    const Index at = c.row < s.n ? c.row : c.row - s.u_at();
    const MvTerm& mv = p.mv[static_cast<std::size_t>(at % s.mvs)];
    const bool least = c.row < s.mvs && mv.available && std::abs(c.bound) < mv.max_move;
    const char* const limit = c.row < s.n  ? (least ? ".minMove" : ".maxMove")
                              : c.side > 0 ? ".max"
                                           : ".min";
    out.push_back(
        {mv.var_id + limit, e.model().steps()[static_cast<std::size_t>(at / s.mvs)], price});
  }
  return out;
}

}  // namespace flyball::optimise
