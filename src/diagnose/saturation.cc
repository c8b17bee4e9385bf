#include "diagnose/saturation.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace flyball::diagnose {
namespace {

constexpr double kNear = 1e-3;
constexpr std::size_t kLevels = 10;
constexpr double kTimesUsual = 5;
constexpr double kTwoLevels = 0.8;  ///< of the rows at both ends: a two-level test signal

std::vector<double> train_values(const dataset::Dataset& data, Index column) {
  std::vector<double> out;
  for (const dataset::Block* b : data.part(dataset::Part::train)) {
    const Matrix& values = data.run(b->run_id).values;
    for (Index t = b->first_step; t < b->first_step + b->steps; ++t) {
      if (std::isfinite(values(t, column))) out.push_back(values(t, column));
    }
  }
  return out;
}

/// Rows at each level, levels a thousandth of the range apart.
std::map<std::int64_t, double> levels_of(const std::vector<double>& x, double low, double width) {
  std::map<std::int64_t, double> out;
  for (const double v : x) out[std::llround((v - low) / width)] += 1;
  return out;
}

double usual_rows(const std::map<std::int64_t, double>& levels) {
  std::vector<double> rows;
  for (const auto& [level, n] : levels) rows.push_back(n);
  const auto middle = rows.begin() + std::ssize(rows) / 2;
  std::ranges::nth_element(rows, middle);
  return *middle;
}

double share(const std::vector<double>& x, auto&& at) {
  return static_cast<double>(std::ranges::count_if(x, at)) / static_cast<double>(x.size());
}

Saturation judge(const dataset::Variable& v, const std::vector<double>& x) {
  Saturation s;
  s.mv = v.id;
  if (x.empty()) return s;
  const auto [least, largest] = std::ranges::minmax(x);
  const double width = kNear * (largest - least);
  const double scale = v.scale.value_or(1), offset = v.offset.value_or(0);
  const bool low_declared = v.min && scale * *v.min + offset >= least - width;
  const bool high_declared = v.max && scale * *v.max + offset <= largest + width;
  s.low = low_declared ? scale * *v.min + offset : least;
  s.high = high_declared ? scale * *v.max + offset : largest;
  s.declared = low_declared || high_declared;
  if (!(width > 0)) return s;
  s.at_low = share(x, [&](double value) { return value <= s.low + width; });
  s.at_high = share(x, [&](double value) { return value >= s.high - width; });
  const auto levels = levels_of(x, least, width);
  const auto stands = [&](double at, bool declared) {
    if (levels.size() <= 2 || at <= kSaturatedShare) return false;
    if (declared) return true;
    if (s.at_low > kSaturatedShare && s.at_high > kSaturatedShare &&
        s.at_low + s.at_high > kTwoLevels)
      return false;
    return levels.size() > kLevels &&
           at * static_cast<double>(x.size()) >= kTimesUsual * usual_rows(levels);
  };
  s.saturated = stands(s.at_low, low_declared) || stands(s.at_high, high_declared);
  return s;
}

}  // namespace

std::vector<Saturation> saturation_of(const dataset::Dataset& data) {
  std::vector<Saturation> out;
  for (const Index c : data.columns(dataset::Role::mv)) {
    out.push_back(judge(data.spec.variables[static_cast<std::size_t>(c)], train_values(data, c)));
  }
  return out;
}

}  // namespace flyball::diagnose
