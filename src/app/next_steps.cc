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
                            Twin{"INFORMATIVE_NOT_MOVED", "MV_NOT_EXCITED", "mv"},
                            Twin{"INFORMATIVE_LEFT_OUT", "INPUT_NO_ANSWER", "input"}};

std::string text_of(const Words& w, const std::string& param) {
  const auto it = w.params.find(param);
  return it != w.params.end() && (*it)["value"].is_string() ? (*it)["value"].get<std::string>() : "";
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
    out = gates.reasons;
  }
  if (findings != nullptr) {
    for (const Message& m : findings->warnings) {
      if (const Words w = words(m); !said(out, w)) out.push_back(w);
    }
  }
  return out;
}

}  // namespace flyball::app
