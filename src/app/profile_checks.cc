#include "app/profile_checks.h"

namespace flyball::app {
namespace {

struct Named {
  const char* name;
  std::optional<double> value;
};

/// Both in the unit of the tag; equal is in order.
void in_order(const std::string& at, const std::string& variable, const Named& low,
              const Named& high, std::vector<Problem>& problems) {
  if (!low.value || !high.value || *low.value <= *high.value) return;
  problems.push_back({at + "/" + low.name,
                      {"PROFILE_ORDER",
                       {{"variable", variable},
                        {"low", low.name},
                        {"value", *low.value},
                        {"high", high.name},
                        {"limit", *high.value}}}});
}

}  // namespace

void check_profile(const advise::ProfileContent& content, std::vector<Problem>& problems) {
  for (std::size_t i = 0; i < content.mv.size(); ++i) {
    const advise::MvSetting& mv = content.mv[i];
    const Named min{"min", mv.min}, max{"max", mv.max}, target{"target", mv.target};
    const auto order = [&](const Named& low, const Named& high) {
      in_order("/mv/" + std::to_string(i), mv.var_id, low, high, problems);
    };
    order(min, max);
    order(min, target);
    order(target, max);
    order({"minMove", mv.min_move}, {"maxMove", mv.max_move});
  }
  for (std::size_t i = 0; i < content.cv.size(); ++i) {
    const advise::CvSetting& cv = content.cv[i];
    const std::string at = "/cv/" + std::to_string(i);
    const Named hard_min{"hardMin", cv.hard_min}, hard_max{"hardMax", cv.hard_max};
    const Named soft_min{"softMin", cv.soft_min}, soft_max{"softMax", cv.soft_max};
    const bool tracks = cv.role == optimise::CvRole::track && cv.weight > 0;
    const Named ref{"ref", tracks ? cv.ref : std::nullopt};
    const auto order = [&](const Named& low, const Named& high) {
      in_order(at, cv.var_id, low, high, problems);
    };
    order(hard_min, hard_max);
    order(soft_min, soft_max);
    order(hard_min, soft_min);
    order(soft_max, hard_max);
    order(soft_min, hard_max);
    order(hard_min, soft_max);
    order(hard_min, ref);
    order(ref, hard_max);
    if (tracks && !cv.ref) problems.push_back({at + "/ref", {"PROBLEM_REF", {{"cv", cv.var_id}}}});
  }
  const bool dynamic = content.problem_template == optimise::kLinearMpc;
  if (dynamic && content.control_horizon > content.horizon)
    problems.push_back(
        {"/controlHorizon",
         {"PROBLEM_BLOCKS", {{"moves", content.control_horizon}, {"horizon", content.horizon}}}});
}

}  // namespace flyball::app
