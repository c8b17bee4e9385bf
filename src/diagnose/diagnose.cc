#include "diagnose/diagnose.h"

#include <algorithm>
#include <cmath>

#include "core/checks.h"

namespace flyball::diagnose {
namespace {

constexpr double kPercent = 100;

void warn_of_gains(const GainMatrix& g, std::vector<Message>& warnings) {
  for (const WeakDirection& w : g.weak) {
    warnings.push_back({"GAIN_NEAR_SINGULAR",
                        {{"moves", w.moves},
                         {"ratio", w.singular_value / g.singular_values.front() * kPercent, "%"}}});
  }
}

void warn_of_saturation(const std::vector<Saturation>& list, std::vector<Message>& warnings) {
  for (const Saturation& s : list) {
    if (!s.saturated) continue;
    const bool high = s.at_high >= s.at_low;
    warnings.push_back({"MV_SATURATED",
                        {{"mv", s.mv},
                         {"share", std::max(s.at_high, s.at_low) * kPercent, "%"},
                         {"limit", high ? s.high : s.low}}});
  }
}

/// Of one CV only the clearest: a gain that depends on one signal shows in those that follow it.
void warn_of_regimes(const std::vector<RegimeTest>& tests, std::vector<Message>& warnings) {
  std::vector<const RegimeTest*> clearest;
  for (const RegimeTest& t : tests) {
    if (!t.material || !t.valid_from) continue;
    if (clearest.empty() || clearest.back()->cv != t.cv) {
      clearest.push_back(&t);
    } else if (t.below.spread + t.above.spread <
               clearest.back()->below.spread + clearest.back()->above.spread) {
      clearest.back() = &t;
    }
  }
  for (const RegimeTest* t : clearest) {
    const bool by_gain = !t->gains.empty() && std::abs(t->gains.front().ratio - 1) > 0.2;
    std::vector<Param> params{{"cv", t->cv},
                              {"by", t->by},
                              {"level", t->level},
                              {"from", *t->valid_from},
                              {"to", *t->valid_to}};
    if (by_gain) {
      params.emplace_back("input", t->gains.front().input);
      params.emplace_back("ratio", t->gains.front().ratio);
    } else {
      params.emplace_back("below", t->below.bias);
      params.emplace_back("above", t->above.bias);
    }
    warnings.push_back({by_gain ? "REGIME_GAIN" : "REGIME_BIAS", std::move(params)});
  }
}

void warn_of_time(const std::vector<TimeChange>& list, std::vector<Message>& warnings) {
  for (const TimeChange& c : list) {
    warnings.push_back({"GAIN_CHANGED_IN_TRAIN",
                        {{"cv", c.cv},
                         {"input", c.input},
                         {"share", c.share * kPercent, "%"},
                         {"before", c.before},
                         {"beforeError", c.before_std_error},
                         {"after", c.after},
                         {"afterError", c.after_std_error}}});
  }
}

void warn_of_collinear(const identify::Findings& findings, const std::vector<SeparatingMove>& moves,
                       std::vector<Message>& warnings) {
  for (const identify::Collinear& c : findings.collinear) {
    const auto move = std::ranges::find(moves, c.mv, &SeparatingMove::mv);
    if (move == moves.end()) continue;
    warnings.push_back({"MV_COLLINEAR",
                        {{"mv", c.mv},
                         {"combination", c.combination},
                         {"explained", c.explained * kPercent, "%"},
                         {"vif", c.vif},
                         {"step", move->step},
                         {"steps", move->steps},
                         {"moves", move->moves},
                         {"others", move->others}}});
  }
}

/// As the gate `priors` says it, which passes.
void warn_of_priors(const identify::Findings& findings, std::vector<Message>& warnings) {
  for (const identify::PriorCheck& c : findings.priors) {
    if (c.status != identify::PriorStatus::violated) continue;
    const std::string unit = c.quantity == identify::PriorQuantity::gain ? "" : "s";
    warnings.push_back({"PRIOR_VIOLATED",
                        {{"prior", c.prior},
                         {"estimate", c.estimate.value_or(std::nan("")), unit},
                         {"low", c.low.value_or(std::nan("")), unit},
                         {"high", c.high.value_or(std::nan("")), unit}}});
  }
}

template <class T>
Json list(const std::vector<T>& items) {
  Json out = Json::array();
  for (const T& item : items) out.push_back(to_json_value(item));
  return out;
}

}  // namespace

Diagnosis diagnose(const dataset::Dataset& data, const identify::IdentifyResult& found,
                   std::stop_token stop) {
  Diagnosis out;
  out.gain_matrix = gain_matrix_of(data, found.findings);
  out.saturation = saturation_of(data);
  check_stop(stop);
  out.regimes = regimes_of(data, found);
  out.time_changes = time_changes_of(data, found.findings);
  check_stop(stop);
  out.lags = identify::identify_lags(data, found);
  out.inverse_responses = inverse_responses_of(found.findings);
  out.moves = separating_moves(data, found);
  warn_of_priors(found.findings, out.warnings);
  warn_of_collinear(found.findings, out.moves, out.warnings);
  for (const InverseResponse& r : out.inverse_responses) {
    if (!r.certain) continue;
    out.warnings.push_back({"INVERSE_RESPONSE",
                            {{"cv", r.cv},
                             {"input", r.input},
                             {"share", r.share * kPercent, "%"},
                             {"low", r.low * kPercent, "%"},
                             {"high", r.high * kPercent, "%"}}});
  }
  if (out.gain_matrix) warn_of_gains(*out.gain_matrix, out.warnings);
  warn_of_saturation(out.saturation, out.warnings);
  warn_of_regimes(out.regimes, out.warnings);
  warn_of_time(out.time_changes, out.warnings);
  return out;
}

Json to_json(const Diagnosis& d) {
  return Json{{"gainMatrix", d.gain_matrix ? to_json_value(*d.gain_matrix) : Json()},
              {"saturation", list(d.saturation)},
              {"regimes", list(d.regimes)},
              {"timeChanges", list(d.time_changes)},
              {"lags", list(d.lags)},
              {"inverseResponses", list(d.inverse_responses)},
              {"separatingMoves", list(d.moves)}};
}

}  // namespace flyball::diagnose
