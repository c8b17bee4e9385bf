#pragma once
// The card that an operator reads: three lines first (what to move, what it will do, which limit
// binds and until when it holds), then the numbers behind them; or "no advice" and its cause.
// Values are in the units of the tags.
#include <map>

#include "advise/problem_of.h"
#include "advise/records.h"

namespace flyball::advise {

struct CardMove {
  std::string var_id, unit;
  double from = 0, to = 0, rest = 0;
  static constexpr auto fields() {
    using M = CardMove;
    return FieldList{field("varId", &M::var_id, "MV"), field("unit", &M::unit, "of the tag"),
                     field("from", &M::from, "where it is"), field("to", &M::to, "first move"),
                     field("rest", &M::rest, "where the plan ends")};
  }
};

struct CardEffect {
  std::string var_id, unit;
  double from = 0, to = 0, hold = 0;
  std::optional<double> low, high;
  double after_sec = 0;
  static constexpr auto fields() {
    using E = CardEffect;
    return FieldList{field("varId", &E::var_id, "CV"),
                     field("unit", &E::unit, "of the tag"),
                     field("from", &E::from, "newest value"),
                     field("to", &E::to, "at the end of the plan"),
                     field("hold", &E::hold, "at the same time when nothing is moved"),
                     field("low", &E::low, "of the interval at the end"),
                     field("high", &E::high, "of the interval at the end"),
                     field("afterSec", &E::after_sec, "end of the plan").unit("s")};
  }
};

/// One variable where the plant should rest, and what was wanted of it.
struct CardRest {
  std::string var_id, unit;
  double value = 0;
  std::optional<double> wanted;
  static constexpr auto fields() {
    using R = CardRest;
    return FieldList{field("varId", &R::var_id, "MV or CV"), field("unit", &R::unit, "of the tag"),
                     field("value", &R::value, "at rest"),
                     field("wanted", &R::wanted, "reference or resting value of the profile")};
  }
};

struct Card {
  std::string recommendation_id, run_id, binding_id;
  std::optional<RecommendationStatus> status;
  std::string status_label;
  std::vector<std::string> lines;
  bool advice = false;
  std::optional<Words> no_advice;
  std::vector<CardMove> moves;
  std::vector<CardEffect> effects;
  std::vector<std::string> binding_limits;
  std::vector<CardRest> rest;
  std::vector<Words> at_rest, relaxed, infeasible, mind;
  std::optional<double> saving;
  std::optional<InputDistances> distances;
  std::optional<TimeUs> valid_until;
  std::optional<Recommendation> recommendation;
  static constexpr auto fields() {
    using C = Card;
    return FieldList{
        field("recommendationId", &C::recommendation_id, "rec-..., empty without advice"),
        field("runId", &C::run_id, "or-..."),
        field("bindingId", &C::binding_id, "bnd-..."),
        field("status", &C::status, "of the advice"),
        field("statusLabel", &C::status_label, "as people read it"),
        field("lines", &C::lines, "the three lines that matter"),
        field("advice", &C::advice, "there is advice"),
        field("noAdvice", &C::no_advice, "why there is none"),
        field("moves", &C::moves, "what to move"),
        field("effects", &C::effects, "what it will do"),
        field("bindingLimits", &C::binding_limits, "limits that stop it from doing more"),
        field("rest", &C::rest, "where the plant should rest; empty: that was not asked"),
        field("atRest", &C::at_rest, "what is not reached at rest, what binds, what it is worth"),
        field("relaxed", &C::relaxed, "soft limits given up"),
        field("infeasible", &C::infeasible, "limits that cannot all hold"),
        field("mind", &C::mind, "what to keep in mind"),
        field("saving", &C::saving, "share of the cost of holding"),
        field("distances", &C::distances, "from where the model was trained"),
        field("validUntil", &C::valid_until, "when").unit("us"),
        field("recommendation", &C::recommendation, "the record")};
  }
};

/// What a card is made of; `units` and `unit_names` by variable; `model_units`: neither is known
/// any more.
struct CardParts {
  const AdviceRun& run;
  const std::vector<CandidateRow>& candidates;
  const std::optional<Recommendation>& recommendation;
  const std::map<std::string, UnitMap>& units;
  const std::map<std::string, std::string>& unit_names;
  TimeUs now = 0;
  bool model_units = false;
};

Card card_of(const CardParts& parts);

/// Half of the interval of a CV at step k (0 the first) in the evidence of a recommendation, model
/// units: its band per step, else its quantile.
std::optional<double> half_width(const Json& uq, const std::string& cv, std::size_t k);

}  // namespace flyball::advise
