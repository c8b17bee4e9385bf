#include "survey/dataset_proposals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "identify/excitation.h"

namespace flyball::survey {
namespace {

constexpr double kCollinear = 30, kPartOfCombination = 0.2;
constexpr double kFollows = 0.2, kFollowsMore = 1.5;
constexpr double kRunDiffers = 6, kSparse = 0.7;
constexpr std::int64_t kRiseLong = 60, kRiseShort = 2, kRiseWanted = 20;

class Collector {
 public:
  Collector(const dataset::Spec& spec, const DatasetSurvey& survey)
      : spec_(spec), survey_(survey) {}

  std::vector<Proposal> collect() {
    time_scale();
    holds();
    excitation();
    correlations();
    feedback();
    integration();
    runs();
    return std::move(out_);
  }

 private:
  void add(Message message, std::vector<std::string> tags, std::string field = {},
           std::string value = {}) {
    out_.push_back(propose(message, std::move(tags), std::move(field), std::move(value)));
  }

  [[nodiscard]] std::string beats(std::int64_t steps) const {
    return format_duration(steps * dataset::beat_us(spec_));
  }

  void time_scale() {
    const CvFacts* fastest = nullptr;
    for (const CvFacts& cv : survey_.cvs) {
      if (cv.rise_steps && (fastest == nullptr || *cv.rise_steps < *fastest->rise_steps)) {
        fastest = &cv;
      }
    }
    if (fastest == nullptr) return;
    const std::int64_t rise = *fastest->rise_steps;
    if (rise > kRiseLong) {
      const std::string beat = beats(rise / kRiseWanted);
      add({"SURVEY_BEAT_SHORT", {{"cv", fastest->cv}, {"rise", rise, "steps"}, {"beat", beat}}},
          {fastest->cv}, "--beat", beat);
    } else if (rise < kRiseShort) {
      add({"SURVEY_BEAT_LONG",
           {{"cv", fastest->cv}, {"rise", std::max<std::int64_t>(rise, 1), "step(s)"}}},
          {fastest->cv}, "--beat");
    }
  }

  /// CVs and DVs that are held on the grid, by their period.
  void holds() {
    std::map<std::int64_t, std::vector<std::string>> by_period;
    for (const VariableFacts& v : survey_.variables) {
      if (v.hold_steps && v.role != dataset::Role::mv)
        by_period[*v.hold_steps].push_back(v.variable);
    }
    for (const auto& [steps, names] : by_period) {
      const std::string beat = beats(steps);
      add({"SURVEY_HELD_ON_GRID",
           {{"variables", list_of(names)}, {"steps", steps, "steps"}, {"beat", beat}}},
          names, "--beat", beat);
    }
  }

  void excitation() {
    for (const VariableFacts& v : survey_.variables) {
      if (!v.excitation) continue;
      const identify::Excitation& e = *v.excitation;
      if (e.constant) {
        add({"SURVEY_NOT_MOVED", {{"input", e.input}}}, {e.input});
      } else if (e.mv && !e.excited) {
        add({"SURVEY_NOT_EXCITED",
             {{"input", e.input}, {"moves", e.moves}, {"needed", identify::kMovesNeeded}}},
            {e.input});
      }
    }
  }

  void correlations() {
    for (const StrongPair& p : survey_.correlations.strong) {
      const bool inputs = is_input(p.first) && is_input(p.second);
      if (!inputs) continue;
      add({"SURVEY_CORRELATED", {{"first", p.first}, {"second", p.second}, {"r", p.r}}},
          {p.first, p.second});
    }
    const Collinearity& c = survey_.collinearity;
    if (c.weights.empty() || (c.condition && *c.condition <= kCollinear)) return;
    std::string combination;
    std::vector<std::string> names;
    for (const Weight& w : c.weights) {
      if (std::abs(w.weight) < kPartOfCombination) continue;
      const char* sign = w.weight < 0 ? (names.empty() ? "-" : " - ") : names.empty() ? "" : " + ";
      combination += fmt::format("{}{:.2f} {}", sign, std::abs(w.weight), w.variable);
      names.push_back(w.variable);
    }
    const std::string condition = c.condition ? fmt::format("{:.4g}", *c.condition) : "infinite";
    add({"SURVEY_COLLINEAR", {{"condition", condition}, {"combination", combination}}}, names);
  }

  [[nodiscard]] bool is_input(const std::string& name) const {
    const auto v = std::ranges::find(survey_.variables, name, &VariableFacts::variable);
    return v->role != dataset::Role::cv;
  }

  void feedback() {
    std::vector<std::string> computed;
    for (const identify::Feedback& f : survey_.feedback) {
      if (!f.computed_from_cvs) continue;
      computed.push_back(f.mv);
      add({"SURVEY_FEEDBACK", {{"mv", f.mv}, {"kept", 100 * f.variance_kept.value_or(0), "%"}}},
          {f.mv});
    }
    for (const PairFacts& p : survey_.pairs) {
      const std::string& mv = p.dead_time.input;
      const auto v = std::ranges::find(survey_.variables, mv, &VariableFacts::variable);
      const bool known = std::ranges::find(computed, mv) != computed.end();
      if (v->role != dataset::Role::mv || known || !follows(p)) continue;
      const double lead = std::abs(p.lead_r) > std::abs(p.same_step_r) ? p.lead_r : p.same_step_r;
      add({"SURVEY_MAY_FEED_BACK",
           {{"mv", mv}, {"cv", p.dead_time.cv}, {"lead", lead}, {"lag", p.lag_r}}},
          {mv, p.dead_time.cv}, "tag.modeTag");
    }
  }

  static bool follows(const PairFacts& p) {
    const double lead = std::max(std::abs(p.lead_r), std::abs(p.same_step_r));
    return lead > std::max({p.bound, kFollows, kFollowsMore * std::abs(p.lag_r)});
  }

  void integration() {
    for (const CvFacts& cv : survey_.cvs) {
      const auto v = std::ranges::find(spec_.variables, cv.cv, &dataset::Variable::id);
      if (!cv.may_integrate || v->integrating) continue;
      add({"SURVEY_MAY_INTEGRATE", {{"cv", cv.cv}, {"t", cv.restoring_t.value_or(0)}}}, {cv.cv},
          "--integrating", cv.cv);
    }
  }

  void runs() {
    for (const RunFacts& run : survey_.runs) {
      if (!run.reason.empty()) {
        add({"SURVEY_RUN_DROPPED", {{"run", run.run_id}, {"reason", run.reason}}}, {});
        continue;
      }
      if (run.usable_share < kSparse) {
        add({"SURVEY_RUN_SPARSE", {{"run", run.run_id}, {"value", 100 * run.usable_share, "%"}}},
            {});
      }
      std::vector<std::string> names;
      for (std::size_t c = 0; c < run.distance.size(); ++c) {
        if (std::abs(run.distance[c]) > kRunDiffers) names.push_back(survey_.variables[c].variable);
      }
      if (names.empty()) continue;
      add({"SURVEY_RUN_DIFFERS", {{"run", run.run_id}, {"variables", list_of(names)}}}, names,
          "runIds");
    }
  }

  const dataset::Spec& spec_;
  const DatasetSurvey& survey_;
  std::vector<Proposal> out_;
};

}  // namespace

std::vector<Proposal> dataset_proposals(const dataset::Spec& spec, const DatasetSurvey& survey) {
  return Collector(spec, survey).collect();
}

}  // namespace flyball::survey
