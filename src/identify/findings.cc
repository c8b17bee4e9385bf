#include "identify/findings.h"

namespace flyball::identify {
namespace {

template <class T>
Json list(const std::vector<T>& items) {
  Json out = Json::array();
  for (const T& item : items) out.push_back(to_json_value(item));
  return out;
}

}  // namespace

Json to_json(const Findings& f) {
  return Json{{"deadTimes", list(f.dead_times)},         {"cvs", list(f.cvs)},
              {"excitation", list(f.excitation)},        {"feedback", list(f.feedback)},
              {"loopGains", list(f.loop_gains)},         {"declaredLoops", list(f.declared_loops)},
              {"collinear", list(f.collinear)},          {"priors", list(f.priors)},
              {"stepResponses", list(f.step_responses)}, {"trainRows", f.train_rows},
              {"deadTimeMax", f.dead_time_max},          {"settlingSteps", f.settling_steps}};
}

}  // namespace flyball::identify
