#include "advise/overlap.h"

#include <algorithm>
#include <set>

namespace flyball::advise {
namespace {

template <class Setting>
std::set<std::string> nodes(const InForce& in, const std::vector<Setting>& settings) {
  std::set<std::string> out;
  for (const Setting& s : settings) {
    const auto named = in.binding.node_map.find(s.var_id);
    out.insert(named == in.binding.node_map.end() ? in.binding.line_id + "/" + s.var_id
                                                  : named->second);
  }
  return out;
}

std::vector<std::string> in_both(const std::set<std::string>& a, const std::set<std::string>& b) {
  std::vector<std::string> out;
  std::ranges::set_intersection(a, b, std::back_inserter(out));
  return out;
}

std::string name_of(const Binding& b) {
  return b.profile_id + "@" + std::to_string(b.profile_version);
}

}  // namespace

std::optional<Message> conflict(const InForce& asks, const InForce& holds) {
  const auto moved = nodes(asks, asks.profile.content.mv);
  const auto steered = nodes(asks, asks.profile.content.cv);
  const auto its_moved = nodes(holds, holds.profile.content.mv);
  const auto its_steered = nodes(holds, holds.profile.content.cv);
  const Param binding{"binding", holds.binding.id}, profile{"profile", name_of(holds.binding)};
  for (const std::string& node : in_both(moved, its_moved))
    return Message{"BINDING_MV_TAKEN", {{"node", node}, binding, profile}};
  for (const std::string& node : in_both(moved, its_steered))
    return Message{"BINDING_MV_STEERED", {{"node", node}, binding, profile}};
  for (const std::string& node : in_both(steered, its_moved))
    return Message{"BINDING_CV_MOVED", {{"node", node}, binding, profile}};
  return std::nullopt;
}

std::vector<Message> shared_cvs(const InForce& asks, const InForce& holds) {
  std::vector<Message> out;
  for (const std::string& node :
       in_both(nodes(asks, asks.profile.content.cv), nodes(holds, holds.profile.content.cv)))
    out.push_back(
        {"BINDING_CV_SHARED",
         {{"node", node}, {"binding", holds.binding.id}, {"profile", name_of(holds.binding)}}});
  return out;
}

}  // namespace flyball::advise
