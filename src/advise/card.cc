#include "advise/card.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace flyball::advise {
namespace {

using optimise::ProblemIr;
using optimise::SolveResult;

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : "; ") + text;
  return out;
}

/// "45 s", "12 min", "4 h 10 min".
std::string lasts(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 120) return fmt::format("{} s", whole);
  const std::int64_t minutes = (whole + 30) / 60;
  if (minutes < 120) return fmt::format("{} min", minutes);
  return minutes % 60 == 0 ? fmt::format("{} h", minutes / 60)
                           : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

class Maker {
 public:
  Maker(const CardParts& p)
      : p_(p),
        problem_(parse_record<ProblemIr>(p.run.problem, "DATABASE_RECORD")),
        solved_(p.run.result.is_object()
                    ? parse_record<SolveResult>(p.run.result, "DATABASE_RECORD")
                    : SolveResult{}) {}

  Card make() {
    card_.run_id = p_.run.id;
    card_.binding_id = p_.run.binding_id;
    for (const auto& r : solved_.relaxed) card_.relaxed.push_back(r.words);
    for (const auto& r : solved_.infeasible) card_.infeasible.push_back(r.words);
    card_.mind = solved_.reasons;
    if (p_.model_units) card_.mind.push_back(words({"CARD_MODEL_UNITS", {}}));
    at_rest();
    if (!p_.recommendation) return without_advice();
    const Recommendation& r = *p_.recommendation;
    card_.recommendation = r;
    card_.recommendation_id = r.id;
    card_.status = r.status;
    card_.status_label = r.status_label;
    card_.valid_until = r.valid_until;
    card_.advice = r.status != RecommendationStatus::expired;
    const auto chosen = std::ranges::find(p_.candidates, r.candidate_id, &CandidateRow::id);
    if (chosen == p_.candidates.end()) return without_advice();
    card_.saving = chosen->report.improvement;
    card_.distances = chosen->report.distances;
    moves(chosen->candidate);
    effects(chosen->candidate);
    binding_limits();
    lines(r);
    for (const Words& w : r.unverified_because) card_.mind.push_back(w);
    return std::move(card_);
  }

 private:
  Card without_advice() {
    card_.advice = false;
    std::string code = p_.run.code, reason = p_.run.reason;
    if (code.empty() && !card_.infeasible.empty()) reason = card_.infeasible.front().text;
    const Message line{"CARD_NO_ADVICE", {{"reason", reason}}};
    card_.no_advice = Words{code, reason, Json::object()};
    card_.lines = {line.text()};
    for (const Words& w : card_.infeasible) card_.lines.push_back(w.text);
    return std::move(card_);
  }

  [[nodiscard]] UnitMap unit(const std::string& id) const {
    const auto it = p_.units.find(id);
    return it == p_.units.end() ? UnitMap{} : it->second;
  }
  [[nodiscard]] std::string unit_name(const std::string& id) const {
    const auto it = p_.unit_names.find(id);
    return it == p_.unit_names.end() ? std::string() : it->second;
  }

  void at_rest() {
    if (!solved_.rest) return;
    const optimise::SteadyState& rest = *solved_.rest;
    card_.at_rest = rest.reasons;
    for (const auto* list : {&rest.infeasible, &rest.relaxed})
      for (const optimise::Relaxed& r : *list) card_.at_rest.push_back(r.words);
    for (const optimise::ShadowPrice& price : rest.prices) priced(price);
    if (!rest.found) return;
    const auto add = [&](const auto& term, double value, std::optional<double> wanted) {
      const UnitMap u = unit(term.var_id);
      if (wanted) wanted = u.source(*wanted);
      card_.rest.push_back({term.var_id, unit_name(term.var_id), u.source(value), wanted});
    };
    for (std::size_t m = 0; m < problem_.mv.size(); ++m)
      add(problem_.mv[m], rest.u[m], problem_.mv[m].target);
    for (std::size_t j = 0; j < problem_.cv.size(); ++j)
      add(problem_.cv[j], rest.y[j],
          problem_.cv[j].role == optimise::CvRole::track && problem_.cv[j].weight > 0
              ? problem_.cv[j].ref
              : std::nullopt);
  }
  /// What one unit of a limit at rest is worth.
  void priced(const optimise::ShadowPrice& price) {
    const std::string var = price.id.substr(0, price.id.rfind('.'));
    card_.at_rest.push_back(words({"REST_BINDS",
                                   {{"limit", price.id},
                                    {"amount", 1.0, unit_name(var)},
                                    {"price", price.price * unit(var).difference(1)}}}));
  }

  void moves(const optimise::Candidate& c) {
    for (std::size_t m = 0; m < problem_.mv.size(); ++m) {
      const std::string& id = problem_.mv[m].var_id;
      const double from = problem_.u_prev[m], to = c.controls.front()[m],
                   rest = c.controls.back()[m];
      const double least = 1e-9 * problem_.mv[m].train.std;
      if (std::abs(to - from) <= least && std::abs(rest - from) <= least) continue;
      const UnitMap u = unit(id);
      card_.moves.push_back({id, unit_name(id), u.source(from), u.source(to), u.source(rest)});
    }
  }

  void effects(const optimise::Candidate& c) {
    const auto hold = std::ranges::find_if(
        p_.candidates, [](const CandidateRow& row) { return row.candidate.label == "hold"; });
    const auto last = static_cast<std::size_t>(problem_.horizon - 1);
    for (std::size_t j = 0; j < problem_.cv.size(); ++j) {
      const optimise::CvTerm& cv = problem_.cv[j];
      const UnitMap u = unit(cv.var_id);
      CardEffect e;
      e.var_id = cv.var_id;
      e.unit = unit_name(cv.var_id);
      e.from = u.source(newest(j).value_or(c.predicted.front()[j]));
      e.to = u.source(c.predicted[last][j]);
      e.hold = hold == p_.candidates.end() ? e.from : u.source(hold->candidate.predicted[last][j]);
      if (const auto half = half_width(p_.recommendation->uq, cv.var_id, last)) {
        const double a = u.source(c.predicted[last][j] - *half),
                     b = u.source(c.predicted[last][j] + *half);
        e.low = std::min(a, b);
        e.high = std::max(a, b);
      }
      e.after_sec = static_cast<double>(problem_.horizon) * problem_.beat_ms / 1000;
      card_.effects.push_back(std::move(e));
    }
  }

  [[nodiscard]] std::optional<double> newest(std::size_t j) const {
    for (auto row = problem_.history.rbegin(); row != problem_.history.rend(); ++row) {
      if (j < row->y.size() && row->y[j]) return row->y[j];
    }
    return std::nullopt;
  }

  void binding_limits() {
    for (const optimise::ShadowPrice& price : solved_.diagnostics.prices) {
      if (std::ranges::count(card_.binding_limits, price.id) == 0)
        card_.binding_limits.push_back(price.id);
    }
  }

  void lines(const Recommendation& r) {
    std::vector<std::string> what, effect;
    for (const CardMove& m : card_.moves)
      what.push_back(
          Message{"CARD_MOVE", {{"mv", m.var_id}, {"from", m.from, m.unit}, {"to", m.to, m.unit}}}
              .text());
    for (const CardEffect& e : card_.effects) {
      std::vector<Param> params{{"cv", e.var_id},
                                {"from", e.from, e.unit},
                                {"to", e.to, e.unit},
                                {"time", lasts(e.after_sec)}};
      if (e.low) {
        params.emplace_back("low", *e.low);
        params.emplace_back("high", *e.high, e.unit);
      }
      const bool rests = problem_.problem_template == optimise::kSteadyResponse;
      const char* const code = rests   ? (e.low ? "CARD_REST" : "CARD_REST_NO_INTERVAL")
                               : e.low ? "CARD_EFFECT"
                                       : "CARD_EFFECT_NO_INTERVAL";
      effect.push_back(Message{code, params}.text());
    }
    const std::string limits =
        card_.binding_limits.empty()
            ? Message{"CARD_NO_LIMIT", {}}.text()
            : Message{"CARD_LIMIT", {{"limits", joined(card_.binding_limits)}}}.text();
    std::vector<std::string> broken;
    for (const optimise::Relaxed& x : solved_.relaxed)
      if (x.id.ends_with(".hardMin") || x.id.ends_with(".hardMax")) broken.push_back(x.id);
    const std::string label =
        broken.empty()
            ? r.status_label
            : Message{"CARD_BROKEN", {{"label", r.status_label}, {"limits", joined(broken)}}}
                  .text();
    const bool over = r.status == RecommendationStatus::expired;
    const Message valid{over ? "CARD_EXPIRED" : "CARD_VALID",
                        {{"limits", limits},
                         {"label", label},
                         {"until", format_time(r.valid_until / kSecond * kSecond)},
                         {"cause", r.expiry_cause ? enum_name(*r.expiry_cause) : ""}}};
    card_.lines = {what.empty() ? Message{"CARD_HOLD", {}}.text() : joined(what), joined(effect),
                   valid.text()};
  }

  const CardParts& p_;
  ProblemIr problem_;
  SolveResult solved_;
  Card card_;
};

}  // namespace

std::optional<double> half_width(const Json& uq, const std::string& cv, std::size_t k) {
  if (!uq.is_object()) return std::nullopt;
  for (const Json& band : uq.value("stepBands", Json::array())) {
    if (band.value("cv", "") != cv) continue;
    const Json width = band.value("halfWidth", Json::array());
    if (k < width.size()) return width[k].get<double>();
  }
  const Json cvs = uq.value("cvs", Json::array()), q = uq.value("qhatPerCv", Json::array());
  for (std::size_t j = 0; j < cvs.size() && j < q.size(); ++j) {
    if (cvs[j] == cv) return q[j].get<double>();
  }
  return std::nullopt;
}

Card card_of(const CardParts& parts) {
  return Maker(parts).make();
}

}  // namespace flyball::advise
