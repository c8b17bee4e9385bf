#include "app/study_loop.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/time.h"

namespace flyball::app {
namespace {

/// Names may hold commas and equal signs: numbers are taken from the end.
std::optional<identify::PiLoop> read_loop(const std::string& text, const StudyRequest& r) {
  const std::size_t last = text.rfind(',');
  if (last == std::string::npos || last == 0) return std::nullopt;
  const std::size_t middle = text.rfind(',', last - 1);
  if (middle == std::string::npos) return std::nullopt;
  identify::PiLoop out;
  const char *at = text.data() + middle + 1, *end = text.data() + last;
  const auto [stop, error] = std::from_chars(at, end, out.gain);
  if (error != std::errc() || stop != end || out.gain == 0 || !std::isfinite(out.gain))
    return std::nullopt;
  try {
    out.reset_seconds = static_cast<double>(parse_duration(text.substr(last + 1))) / 1e6;
  } catch (const Error&) {
    return std::nullopt;
  }
  for (std::size_t e = text.find('='); e < middle; e = text.find('=', e + 1)) {
    out.mv = text.substr(0, e);
    out.cv = text.substr(e + 1, middle - e - 1);
    if (std::ranges::count(r.mv, out.mv) > 0 && std::ranges::count(r.cv, out.cv) > 0) return out;
  }
  return std::nullopt;
}

}  // namespace

std::vector<identify::PiLoop> read_loops(const StudyRequest& r, std::vector<Problem>& problems) {
  std::vector<identify::PiLoop> out;
  for (std::size_t i = 0; i < r.loop.size(); ++i) {
    const auto loop = read_loop(r.loop[i], r);
    const auto taken = [&](const identify::PiLoop& l) {
      return l.mv == loop->mv || l.cv == loop->cv;
    };
    if (loop && std::ranges::none_of(out, taken)) {
      out.push_back(*loop);
    } else {
      problems.push_back(
          {"/loop/" + std::to_string(i), {"LOOP_FLAG_INVALID", {{"text", r.loop[i]}}}});
    }
  }
  return out;
}

}  // namespace flyball::app
