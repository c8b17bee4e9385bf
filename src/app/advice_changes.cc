#include "app/advice_changes.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/error.h"

namespace flyball::app {
namespace {

struct Change {
  std::string variable, field;
  double value = 0;
};

constexpr const char* kFields =
    "of an MV min, max, maxMove, target; of a CV ref, softMin, softMax, hardMin, hardMax, weight";

Error invalid(const std::string& text, std::size_t at) {
  return Error("TRY_INVALID", {{"text", text}, {"fields", kFields}}, "/set/" + std::to_string(at));
}

/// Names may hold points and equal signs: the parts are taken from the end.
Change read(const std::string& text, std::size_t at) {
  const auto equal = text.rfind('=');
  const auto point = equal == std::string::npos ? equal : text.rfind('.', equal);
  if (equal == std::string::npos || point == std::string::npos || point == 0)
    throw invalid(text, at);
  Change out{text.substr(0, point), text.substr(point + 1, equal - point - 1), 0};
  const char *first = text.data() + equal + 1, *last = text.data() + text.size();
  const auto [end, error] = std::from_chars(first, last, out.value);
  if (error != std::errc() || end != last || !std::isfinite(out.value)) throw invalid(text, at);
  return out;
}

bool apply(const Change& c, optimise::MvTerm& mv) {
  const double value = c.value * mv.unit_scale + mv.unit_offset;
  if (c.field == "min") {
    mv.min = value;
  } else if (c.field == "max") {
    mv.max = value;
  } else if (c.field == "maxMove") {
    mv.max_move = c.value * std::abs(mv.unit_scale);
  } else if (c.field == "target") {
    mv.target = value;
  } else {
    return false;
  }
  return true;
}

bool apply(const Change& c, optimise::CvTerm& cv) {
  const double value = c.value * cv.unit_scale + cv.unit_offset;
  if (c.field == "ref") {
    cv.ref = value;
    cv.refs.clear();
  } else if (c.field == "softMin") {
    cv.soft_min = value;
    cv.soft_min_steps.clear();
  } else if (c.field == "softMax") {
    cv.soft_max = value;
    cv.soft_max_steps.clear();
  } else if (c.field == "hardMin") {
    cv.hard_min = value;
  } else if (c.field == "hardMax") {
    cv.hard_max = value;
  } else if (c.field == "weight") {
    cv.weight = c.value;
  } else {
    return false;
  }
  return true;
}

template <class Term>
bool apply(const Change& c, std::vector<Term>& terms) {
  const auto term = std::ranges::find(terms, c.variable, &Term::var_id);
  return term != terms.end() && apply(c, *term);
}

}  // namespace

void apply_changes(const std::vector<std::string>& changes, optimise::ProblemIr& problem) {
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const Change change = read(changes[i], i);
    if (!apply(change, problem.mv) && !apply(change, problem.cv)) throw invalid(changes[i], i);
  }
}

}  // namespace flyball::app
