#include "core/record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace flyball {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = std::min({above + 1, row[j] + 1, diagonal + (a[i] == b[j] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(std::string_view given, const std::vector<std::string_view>& known) {
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(2, given.size() / 3) + 1;
  for (const auto k : known) {
    const std::size_t distance = edit_distance(given, k);
    if (distance < best_distance) {
      best_distance = distance;
      best = k;
    }
  }
  return std::string(best);
}

namespace record_detail {

std::string escape_pointer(std::string_view token) {
  std::string out;
  for (const char c : token) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

std::string suggestion(std::string_view given, const std::vector<std::string_view>& known) {
  const std::string best = nearest(given, known);
  return best.empty() ? "" : "; did you mean \"" + best + "\"?";
}

Problem type_problem(const std::string& at, const char* expected, const Json& actual) {
  return {at, {"FIELD_TYPE", {{"expected", expected}, {"actual", actual.type_name()}}}};
}

Problem range_problem(const std::string& at, double value, const Limits& limits) {
  return {at, {"FIELD_RANGE", {{"value", value}, {"limits", fmt::format("{:g} .. {:g}", limits.min, limits.max)}}}};
}

Problem choice_problem(const std::string& at, const std::string& value, const std::vector<std::string_view>& choices) {
  return {at, {"FIELD_CHOICE", {{"value", value}, {"choices", fmt::format("{}", fmt::join(choices, ", "))}}}};
}

}  // namespace record_detail
}  // namespace flyball
