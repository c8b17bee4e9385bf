#include "app/next_steps.h"

#include <algorithm>
#include <array>

namespace flyball::app {
namespace {

/// A gate's reason and the warning of identification that says the same of the same input.
struct Twin {
  std::string_view gate, warning, param;
};
constexpr std::array kTwins{Twin{"INFORMATIVE_FEEDBACK", "FEEDBACK_FOUND", "mv"},
                            Twin{"INFORMATIVE_FEEDBACK_MOVE", "FEEDBACK_FOUND", "mv"},
                            Twin{"INFORMATIVE_FEEDBACK_MOVE", "LOOP_SIGN_UNKNOWN", "mv"},
                            Twin{"INFORMATIVE_SIGN", "LOOP_SIGN_UNKNOWN", "mv"},
                            Twin{"INFORMATIVE_NOT_MOVED", "MV_NOT_EXCITED", "mv"},
                            Twin{"INFORMATIVE_LEFT_OUT", "INPUT_NO_ANSWER", "input"}};

/// What to do about a gate's reason. Reasons without a row are their own advice or need none.
struct Advice {
  std::string_view reason, step;  ///< step empty: nothing to do
};
constexpr std::array kAdvice{Advice{"G4_ROWS", "NEXT_LONGER_RECORD"},
                             Advice{"G4_RUNS", "NEXT_MORE_RUNS"},
                             Advice{"G4_PARTS", "NEXT_MORE_RUNS"},
                             Advice{"G1_NOISE", "NEXT_NOISE"},
                             Advice{"G1_MODEL", "NEXT_EXPLAIN_MORE"},
                             Advice{"G1_FLOOR_UNKNOWN", "NEXT_EXPLAIN_MORE"},
                             Advice{"G2_FAIL", "NEXT_EXPLAIN_MORE"},
                             Advice{"G2_CV_WORSE", "NEXT_EXPLAIN_MORE"},
                             Advice{"G2_CV_NOISE", ""},
                             Advice{"G3_TEST_WORSE", "NEXT_COMPARE_PARTS"},
                             Advice{"G3_TEST_BETTER", "NEXT_COMPARE_PARTS"},
                             Advice{"STABLE_FIT", "NEXT_EXPLAIN_MORE"},
                             Advice{"STABLE_CHANGE_FIT", "NEXT_EXPLAIN_MORE"},
                             Advice{"STABLE_FIT_UNKNOWN", ""},
                             Advice{"STABLE_FREE_RUN_UNKNOWN", ""},
                             Advice{"GATE_NOT_FINITE", "NEXT_UNSTABLE"},
                             Advice{"STABLE_RADIUS", "NEXT_UNSTABLE"},
                             Advice{"STABLE_FREE_RUN", "NEXT_UNSTABLE"},
                             Advice{"STABLE_STEP", "NEXT_UNSTABLE"}};

/// Most useful first: what the inputs lack, how much data is missing, then the rest as it came.
int rank(const Words& step) {
  if (step.code.starts_with("PRIOR_")) return -1;  // what was stated shaped everything else
  if (step.code.starts_with("INFORMATIVE")) return 0;
  if (step.code == "MV_COLLINEAR") return 0;
  return step.code == "NEXT_LONGER_RECORD" || step.code == "NEXT_MORE_RUNS" ||
                 step.code == "FOLDS_TOO_FEW"
             ? 1
             : 2;
}

/// A noise floor says something of noise only when the model is stable and its inputs informative.
bool floor_means_noise(const gates::GateReport& gates) {
  return std::ranges::none_of(gates.checks, [](const gates::Check& c) {
    return !c.pass && (c.id == "informative" || c.id == "stable");
  });
}

std::string text_of(const Words& w, const std::string& param) {
  const auto it = w.params.find(param);
  return it != w.params.end() && (*it)["value"].is_string() ? (*it)["value"].get<std::string>()
                                                            : "";
}

std::vector<Param> params_of(const Words& w) {
  std::vector<Param> out;
  for (const auto& [name, entry] : w.params.items()) {
    const Json& v = entry["value"];
    if (v.is_string()) out.emplace_back(name, v.get<std::string>());
    if (v.is_number()) out.emplace_back(name, v.get<double>(), entry.value("unit", ""));
  }
  return out;
}

/// Whether a warning already says what a gate's reason says.
bool said(const std::vector<Words>& steps, const Words& warning) {
  for (const Twin& twin : kTwins) {
    if (twin.warning != warning.code) continue;
    const std::string name = text_of(warning, std::string(twin.param));
    if (std::ranges::any_of(steps, [&](const Words& s) {
          return s.code == twin.gate && (text_of(s, "mv") == name || text_of(s, "input") == name);
        })) {
      return true;
    }
  }
  return std::ranges::any_of(steps, [&](const Words& s) { return s.text == warning.text; });
}

}  // namespace

std::vector<Words> next_steps(const std::optional<Error>& refusal, const gates::GateReport& gates,
                              const identify::Findings* findings) {
  std::vector<Words> out;
  if (refusal) {
    out.push_back(words(refusal->message()));
    for (const Problem& p : refusal->problems()) out.push_back(words(p.message));
  } else {
    for (const Words& reason : gates.reasons) {
      if (reason.code == "G1_NOISE" && !floor_means_noise(gates)) continue;
      const auto advice = std::ranges::find(kAdvice, reason.code, &Advice::reason);
      if (advice == kAdvice.end()) {
        if (!said(out, reason)) out.push_back(reason);
      } else if (!advice->step.empty()) {
        Words step = words({std::string(advice->step), params_of(reason)});
        if (!said(out, step)) out.push_back(std::move(step));
      }
    }
  }
  if (findings != nullptr) {
    for (const Message& m : findings->warnings) {
      if (const Words w = words(m); !said(out, w)) out.push_back(w);
    }
  }
  std::ranges::stable_sort(out, {}, rank);
  return out;
}

}  // namespace flyball::app
