#include "advise/plan_view.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace flyball::advise {
namespace {

using optimise::ProblemIr;

class View {
 public:
  explicit View(const CardParts& p)
      : p_(p), problem_(parse_record<ProblemIr>(p.run.problem, "DATABASE_RECORD")) {
    if (!p.run.result.is_object()) return;
    rest_ = parse_record<optimise::SolveResult>(p.run.result, "DATABASE_RECORD").rest;
    if (rest_ && !rest_->found) rest_.reset();
  }

  PlanView make() {
    PlanView out;
    out.beat_sec = problem_.beat_ms / 1000;
    if (!p_.recommendation) return out;
    const auto chosen =
        std::ranges::find(p_.candidates, p_.recommendation->candidate_id, &CandidateRow::id);
    if (chosen == p_.candidates.end()) return out;
    const auto hold = std::ranges::find_if(
        p_.candidates, [](const CandidateRow& row) { return row.candidate.label == "hold"; });
    const optimise::Candidate* still = hold == p_.candidates.end() ? nullptr : &hold->candidate;
    for (std::size_t m = 0; m < problem_.mv.size(); ++m)
      out.mvs.push_back(mv(m, chosen->candidate, still));
    for (std::size_t j = 0; j < problem_.cv.size(); ++j)
      out.cvs.push_back(cv(j, chosen->candidate, still));
    return out;
  }

 private:
  using Column = std::vector<std::vector<double>> optimise::Candidate::*;

  PlanTrace begin(const std::string& id) {
    PlanTrace out;
    out.var_id = id;
    if (const auto it = p_.units.find(id); it != p_.units.end())
      unit_ = it->second;
    else
      unit_ = {};
    if (const auto it = p_.unit_names.find(id); it != p_.unit_names.end()) out.unit = it->second;
    return out;
  }

  [[nodiscard]] std::vector<double> column(const std::vector<std::vector<double>>& rows,
                                           std::size_t at) const {
    std::vector<double> out;
    for (const auto& row : rows) out.push_back(unit_.source(row[at]));
    return out;
  }

  template <class Value>
  void history(const Value& value, PlanTrace& out) const {
    const auto shown = std::min<std::size_t>(problem_.history.size(),
                                             static_cast<std::size_t>(2 * problem_.horizon));
    for (auto row = problem_.history.end() - static_cast<std::ptrdiff_t>(shown);
         row != problem_.history.end(); ++row) {
      const std::optional<double> v = value(*row);
      out.history.push_back(v ? std::optional(unit_.source(*v)) : std::nullopt);
    }
  }

  /// Limits as people read them: a falling scale turns the lower into the upper one.
  void limits(std::optional<double> low, std::optional<double> high, std::optional<double>& least,
              std::optional<double>& most) const {
    if (unit_.scale < 0) std::swap(low, high);
    if (low) least = unit_.source(*low);
    if (high) most = unit_.source(*high);
  }

  PlanTrace mv(std::size_t m, const optimise::Candidate& chosen, const optimise::Candidate* still) {
    const optimise::MvTerm& term = problem_.mv[m];
    PlanTrace out = begin(term.var_id);
    history([&](const auto& row) { return row.u[m]; }, out);
    out.planned = column(chosen.controls, m);
    if (still != nullptr) out.hold = column(still->controls, m);
    limits(term.min, term.max, out.hard_min, out.hard_max);
    if (term.target) out.ref = unit_.source(*term.target);
    if (rest_) out.rest = unit_.source(rest_->u[m]);
    return out;
  }

  PlanTrace cv(std::size_t j, const optimise::Candidate& chosen, const optimise::Candidate* still) {
    const optimise::CvTerm& term = problem_.cv[j];
    PlanTrace out = begin(term.var_id);
    history([&](const auto& row) { return row.y[j]; }, out);
    out.planned = column(chosen.predicted, j);
    if (still != nullptr) out.hold = column(still->predicted, j);
    limits(term.hard_min, term.hard_max, out.hard_min, out.hard_max);
    limits(term.soft_min, term.soft_max, out.soft_min, out.soft_max);
    if (term.ref) out.ref = unit_.source(*term.ref);
    if (rest_) out.rest = unit_.source(rest_->y[j]);
    for (std::size_t k = 0; k < chosen.predicted.size(); ++k) {
      const auto half = half_width(p_.recommendation->uq, term.var_id, k);
      if (!half) break;
      const double a = unit_.source(chosen.predicted[k][j] - *half),
                   b = unit_.source(chosen.predicted[k][j] + *half);
      out.low.push_back(std::min(a, b));
      out.high.push_back(std::max(a, b));
    }
    if (out.low.size() != out.planned.size()) out.low = out.high = {};
    return out;
  }

  const CardParts& p_;
  ProblemIr problem_;
  std::optional<optimise::SteadyState> rest_;
  UnitMap unit_;
};

}  // namespace

PlanView plan_view(const CardParts& parts) {
  return View(parts).make();
}

}  // namespace flyball::advise
