#include "app/study_transport.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/time.h"

namespace flyball::app {
namespace {

/// Names may hold commas and equal signs: the numbers are taken from the end, the first "=" that
/// ends the name of an input is the one meant.
std::optional<DeclaredTransport> read_transport(const std::string& text,
                                                const std::vector<std::string>& inputs) {
  const std::size_t last = text.rfind(',');
  if (last == std::string::npos || last == 0) return std::nullopt;
  const std::size_t middle = text.rfind(',', last - 1);
  if (middle == std::string::npos) return std::nullopt;
  DeclaredTransport out;
  const char *at = text.data() + last + 1, *end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(at, end, out.delay.at_flow);
  if (error != std::errc() || stop != end || !(out.delay.at_flow > 0)) return std::nullopt;
  if (!std::isfinite(out.delay.at_flow)) return std::nullopt;
  try {
    out.delay.delay_ms =
        static_cast<double>(parse_duration(text.substr(middle + 1, last - middle - 1))) / 1000;
  } catch (const Error&) {
    return std::nullopt;
  }
  for (std::size_t e = text.find('='); e < middle; e = text.find('=', e + 1)) {
    out.input = text.substr(0, e);
    out.delay.flow = text.substr(e + 1, middle - e - 1);
    if (std::ranges::count(inputs, out.input) > 0 && !out.delay.flow.empty()) return out;
  }
  return std::nullopt;
}

}  // namespace

std::vector<DeclaredTransport> read_transports(const StudyRequest& r,
                                               const std::vector<std::string>& inputs,
                                               std::vector<Problem>& problems) {
  std::vector<DeclaredTransport> out;
  for (std::size_t i = 0; i < r.transport_delay.size(); ++i) {
    const auto t = read_transport(r.transport_delay[i], inputs);
    const bool twice = t && std::ranges::count(out, t->input, &DeclaredTransport::input) > 0;
    if (r.trainer == Trainer::static_response_1) {
      problems.push_back({"/transportDelay", {"TRANSPORT_STATIC", {}}});
    } else if (!t || twice) {
      problems.push_back({"/transportDelay/" + std::to_string(i),
                          {"TRANSPORT_FLAG", {{"text", r.transport_delay[i]}}}});
    } else {
      out.push_back(*t);
    }
  }
  return out;
}

void declare(const std::vector<DeclaredTransport>& transports, dataset::Spec& spec) {
  for (const DeclaredTransport& t : transports) {
    for (dataset::Variable& v : spec.variables) {
      if (v.id == t.input) v.transport = t.delay;
    }
  }
}

}  // namespace flyball::app
