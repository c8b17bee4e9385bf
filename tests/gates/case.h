#pragma once
// A study of the known plant as the gates see it: everything in order, so that each test breaks
// one.
#include <algorithm>

#include "evaluate/plant.h"
#include "gates/gates.h"
#include "model/artifact.h"

namespace flyball::testing {

/// The artifact of a model of the known plant's shape.
inline std::string artifact_of(const model::LinearStateSpace& m, const dataset::Dataset& data) {
  model::Artifact artifact;
  artifact.dataset_sha256 = "d1";
  artifact.beat_ms = data.spec.beat_ms;
  artifact.history_steps = data.spec.window.history_steps;
  artifact.horizon_steps = data.spec.window.horizon_steps;
  for (std::size_t c = 0; c < data.spec.variables.size(); ++c) {
    const auto& v = data.spec.variables[c];
    artifact.variables.push_back({v.id, std::string(enum_name(v.role)), "", data.norm.mean[c],
                                  data.norm.std[c], data.norm.min[c], data.norm.max[c]});
  }
  std::ranges::stable_sort(artifact.variables, {}, [](const auto& v) {
    return v.role == "mv" ? 0 : v.role == "dv" ? 1 : 2;
  });
  model::pack(m, artifact);
  return model::write_artifact(artifact);
}

/// Of the known plant's variables.
inline std::string artifact_of(const model::LinearStateSpace& m) {
  return artifact_of(m, make_dataset(known_plant(), {}));
}

/// Evidence of identification, as for the known plant.
inline void add_evidence(gates::GateInput& input) {
  input.inputs = {{"mv1", true, true, 100, false, false},
                  {"mv2", true, true, 100, false, false},
                  {"dv", false, true, 100, false, false}};
  input.pairs = {{"mv1", "y1", 3}, {"mv2", "y1", std::nullopt},
                 {"dv", "y1", 1},  {"mv1", "y2", std::nullopt},
                 {"mv2", "y2", 1}, {"dv", "y2", std::nullopt}};
  input.cvs = {{"y1", false, false, 0.01}, {"y2", false, false, 0.01}};
  input.dataset_sha256 = "d1";
  input.artifact_hash = "a1";
}

/// The artifact and its hash, as if it had been evaluated.
inline void put_artifact(gates::GateInput& input, const model::LinearStateSpace& m,
                         const dataset::Dataset& data) {
  input.model_json = artifact_of(m, data);
  input.artifact_hash =
      parse_json(input.model_json, "model.json")["artifactHash"].get<std::string>();
  input.evaluation->metrics.artifact_hash = input.artifact_hash;
}

inline gates::GateInput good_case(const dataset::Dataset& data, const evaluate::Predict& predict) {
  gates::GateInput input;
  input.evaluation = evaluate_known(data, predict);
  add_evidence(input);
  put_artifact(input, known_plant(), data);
  return input;
}

/// The right model of a quiet plant.
inline gates::GateInput good_case() {
  return good_case(make_dataset(known_plant(), {.noise = 0.01, .history = 30}),
                   evaluate::predict_with(known_plant()));
}

inline const gates::Check& check_of(const gates::GateReport& report, const std::string& id) {
  const auto it = std::ranges::find(report.checks, id, &gates::Check::id);
  if (it == report.checks.end()) throw std::out_of_range(id);
  return *it;
}

inline bool says(const gates::Check& check, const std::string& code) {
  return std::ranges::any_of(check.reasons, [&](const Words& w) { return w.code == code; });
}

inline std::vector<std::string> failed(const gates::GateReport& report) {
  std::vector<std::string> out;
  for (const auto& check : report.checks) {
    if (!check.pass) out.push_back(check.id);
  }
  return out;
}

}  // namespace flyball::testing
