#include "app/process_spec_use.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/units.h"

namespace flyball::app {
namespace {

/// What the spec says may not be said beside it.
void refuse_flags(const StudyRequest& r, const plant::ProcessSpec& spec) {
  const auto refuse = [&](bool given, const char* flag) {
    if (given) throw Error("PROCESS_SPEC_AND_FLAGS", {{"flag", flag}, {"spec", spec.name}});
  };
  refuse(!r.mv.empty(), "mv");
  refuse(!r.cv.empty(), "cv");
  refuse(!r.dv.empty(), "dv");
  refuse(!r.setpoint.empty(), "setpoint");
  refuse(!r.integrating.empty(), "integrating");
  refuse(!r.mode.empty(), "mode");
  refuse(!r.prior.empty(), "prior");
  refuse(!r.transport_delay.empty(), "transport-delay");
  const plant::SpecContent& c = spec.content;
  refuse(r.product != StudyRequest{}.product && r.product != c.product, "product");
  refuse(r.recipe != StudyRequest{}.recipe && r.recipe != c.recipe, "recipe");
}

std::vector<std::string> set_points(const plant::SpecContent& content) {
  std::vector<std::string> out;
  for (const plant::SpecVariable& v : content.variables) {
    if (v.set_point) out.push_back(v.tag + "=" + *v.set_point);
  }
  return out;
}

Trainer trainer_of(const std::string& name) {
  return parse_record<TrainRequest>({{"dataset", ""}, {"trainer", name}}).trainer;
}

void narrow(dataset::Variable& v, const std::optional<double>& min,
            const std::optional<double>& max) {
  if (min) v.min = std::max(v.min.value_or(*min), *min);
  if (max) v.max = std::min(v.max.value_or(*max), *max);
}

}  // namespace

StudyRequest stated(const StudyRequest& request, const plant::ProcessSpec& spec) {
  refuse_flags(request, spec);
  const plant::SpecContent& c = spec.content;
  StudyRequest out = request;
  out.product = c.product;
  out.recipe = c.recipe;
  for (const plant::SpecVariable& v : c.variables) {
    auto& names = v.role == plant::Role::mv ? out.mv : v.role == plant::Role::cv ? out.cv : out.dv;
    names.push_back(v.tag);
    if (v.integrating) out.integrating.push_back(v.tag);
    if (!v.modes.empty()) out.mode.push_back(fmt::format("{}={}", v.tag, fmt::join(v.modes, ",")));
    if (v.flow)
      out.transport_delay.push_back(
          fmt::format("{}={},{}ms,{}", v.tag, *v.flow, *v.delay_ms, *v.at_flow));
  }
  out.setpoint = set_points(c);
  out.prior = c.priors;
  if (c.beat_ms && !out.beat) out.beat = std::llround(*c.beat_ms * 1000);
  if (!out.history) out.history = c.history_steps;
  if (!out.horizon) out.horizon = c.horizon_steps;
  if (c.trainer && out.trainer == StudyRequest{}.trainer) out.trainer = trainer_of(*c.trainer);
  return out;
}

void state(const plant::ProcessSpec& spec, TrainRequest& request) {
  if (request.setpoint.empty()) request.setpoint = set_points(spec.content);
  if (request.prior.empty()) request.prior = spec.content.priors;
}

void declare(const plant::ProcessSpec& spec, dataset::Spec& out) {
  for (const plant::SpecVariable& s : spec.content.variables) {
    const auto v = std::ranges::find(out.variables, s.tag, &dataset::Variable::id);
    if (v == out.variables.end()) continue;
    const Conversion to_tag =
        s.unit && *s.unit != v->unit ? convert(*s.unit, v->unit) : Conversion{};
    const auto limit = [&](const std::optional<double>& x) {
      return x ? std::optional(to_tag.of(*x)) : std::nullopt;
    };
    narrow(*v, limit(s.min), limit(s.max));
    if (s.delay_ms && !s.flow) v->delay_ms = *s.delay_ms;
  }
}

}  // namespace flyball::app
