#include "gates/gates.h"

#include <algorithm>
#include <limits>

#include "gates/rules.h"

namespace flyball::gates {
namespace {

enum class RolloutRule { none, improvement, error };

/// Which gates a kind of artifact has to pass (platform.md §2.9).
struct KindRules {
  RolloutRule rollout;
  bool generalisation;
  bool parts_suffice;
  bool stable;  ///< has a state that could run away
};

KindRules rules_of(ArtifactKind kind) {
  switch (kind) {
    case ArtifactKind::linear_state_space:
    case ArtifactKind::polynomial_narx:
      return {RolloutRule::improvement, true, true, true};
    case ArtifactKind::static_response:
      return {RolloutRule::none, false, true, false};
    case ArtifactKind::onnx_one_step:
    case ArtifactKind::hybrid_manifest:
      return {RolloutRule::error, true, false, true};
  }
  return {RolloutRule::improvement, true, false, true};
}

Check named(Check check, const char* id, const char* name, const char* threshold,
            const Provenance& provenance) {
  check.id = id;
  check.name = name;
  const auto source = provenance.sources.find(threshold);
  check.source = source == provenance.sources.end() ? "default" : source->second;
  for (const Words& w : check.reasons) {
    check.detail += (check.detail.empty() ? "" : "; ") + w.text;
  }
  return check;
}

}  // namespace

void say(Check& check, std::string code, std::vector<Param> params) {
  check.reasons.push_back(words(Message{std::move(code), std::move(params)}));
}

double or_nan(const std::optional<double>& value) {
  return value.value_or(std::numeric_limits<double>::quiet_NaN());
}

const CvEvidence* find_cv(const GateInput& input, const std::string& id) {
  const auto it = std::ranges::find(input.cvs, id, &CvEvidence::id);
  return it == input.cvs.end() ? nullptr : &*it;
}

GateReport judge(const GateInput& input, const Thresholds& thresholds,
                 const Provenance& provenance) {
  const Case c{input, thresholds, input.evaluation ? &input.evaluation->metrics : nullptr};
  const KindRules rules = rules_of(input.kind);
  GateReport report;
  const auto add = [&](Check check, const char* id, const char* name, const char* threshold) {
    report.checks.push_back(named(std::move(check), id, name, threshold, provenance));
  };
  const bool at_points = input.kind == ArtifactKind::static_response;
  add(one_step_error(c), "G1", at_points ? "error at test points" : "one-step error on test",
      "nrmse");
  if (rules.rollout == RolloutRule::improvement) {
    add(rollout_improvement(c), "G2", "rollout against holding the last value",
        "rolloutImprovement");
  } else if (rules.rollout == RolloutRule::error) {
    add(rollout_error(c), "G2", "rollout error on test", "rolloutNrmse");
  }
  if (rules.generalisation) add(generalisation(c), "G3", "val against test", "valTestGap");
  add(coverage(c, rules.parts_suffice), "G4", "amount of data", "minRows");
  add(artifact(c), "G5", "model file", "");
  if (rules.stable) add(stable(c), "stable", "stable and bounded", "maxExcursion");
  add(informative(c), "informative", "inputs moved and answered", "");
  add(sealed(c), "sealed", "judged on sealed data", "");

  report.passed = std::ranges::all_of(report.checks, &Check::pass);
  for (const bool first : {true, false}) {
    for (const Check& check : report.checks) {
      if (check.pass || (check.id == "informative") != first) continue;
      report.reasons.insert(report.reasons.end(), check.reasons.begin(), check.reasons.end());
    }
  }
  report.thresholds = thresholds;
  report.settings_version = provenance.settings_version;
  report.policy = provenance.policy;
  report.loosened = provenance.reasons;
  return report;
}

Thresholds policy(std::string_view name) {
  Thresholds out;
  if (name == "flyball@1") return out;
  if (name != "mission@1") {
    throw Error("POLICY_UNKNOWN", {{"policy", name}, {"known", "flyball@1, mission@1"}});
  }
  out.val_floor = 1e-9;
  return out;
}

}  // namespace flyball::gates
