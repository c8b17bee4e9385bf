#include "dataset/holds.h"

#include <algorithm>
#include <cmath>

namespace flyball::dataset {

std::vector<Hold> holds_of(const Series& series, const Block& block, const Spec& spec,
                           const std::vector<double>& move) {
  std::vector<Hold> out;
  const Index end = block.first_step + block.steps;
  const auto columns = static_cast<Index>(spec.variables.size());
  const auto role = [&](Index c) { return spec.variables[static_cast<std::size_t>(c)].role; };
  const auto known = [&](Index t) {
    for (Index c = 0; c < columns; ++c) {
      if (role(c) != Role::cv && !std::isfinite(series.values(t, c))) return false;
    }
    return true;
  };
  /// The MV that moves at row t, −1: none.
  const auto mover = [&](Index t) {
    for (Index c = 0; c < columns; ++c) {
      const double change = std::abs(series.values(t, c) - series.values(t - 1, c));
      if (role(c) == Role::mv && change > move[static_cast<std::size_t>(c)]) return c;
    }
    return Index{-1};
  };
  Index t = block.first_step;
  while (t < end) {
    if (!known(t)) {
      ++t;
      continue;
    }
    Hold hold{t, 1, -2};
    for (++t; t < end; ++t, ++hold.steps) {
      if (!known(t)) {
        hold.ended_by = -1;
        break;
      }
      if (const Index moved = mover(t); moved >= 0) {
        hold.ended_by = moved;
        break;
      }
    }
    out.push_back(hold);
  }
  return out;
}

LineSums::LineSums(const Series& series, const Hold& hold, Index column) {
  sums_.resize(static_cast<std::size_t>(hold.steps) + 1);
  bool first = true;
  for (Index i = 0; i < hold.steps; ++i) {
    Sums s = sums_[static_cast<std::size_t>(i)];
    const double value = series.values(hold.first + i, column);
    if (std::isfinite(value)) {
      if (first) origin_ = value;
      first = false;
      const double t = static_cast<double>(i), y = value - origin_;
      s = {s.n + 1, s.t + t, s.tt + t * t, s.y + y, s.ty + t * y, s.yy + y * y};
    }
    sums_[static_cast<std::size_t>(i) + 1] = s;
  }
}

Line LineSums::over(Index from, Index to) const {
  const Sums &a = sums_[static_cast<std::size_t>(from)], &b = sums_[static_cast<std::size_t>(to)];
  const double n = b.n - a.n;
  Line line;
  line.count = static_cast<Index>(n);
  if (n < 1) return line;
  const double t = (b.t - a.t) / n, y = (b.y - a.y) / n;
  line.mean = y + origin_;
  const double tt = (b.tt - a.tt) - n * t * t, ty = (b.ty - a.ty) - n * t * y;
  const double yy = (b.yy - a.yy) - n * y * y;
  if (n < 2 || !(tt > 0)) return line;
  line.slope = ty / tt;
  if (n > 2) line.spread = std::sqrt(std::max(0.0, yy - ty * ty / tt) / (n - 2));
  return line;
}

Calm::Calm(const Series& series, const Hold& hold, const SteadyRule& rule)
    : rule_(rule), steps_(hold.steps) {
  for (std::size_t c = 0; c < rule.tolerances.size(); ++c)
    lines_.emplace_back(series, hold, static_cast<Index>(c));
}

Calm::Blame Calm::blame(Index from, Index to) const {
  Blame worst;
  // Rounding of the sums: a constant has a slope of about 1e-16 of its level.
  constexpr double kRounding = 1 + 1e-6;
  for (std::size_t c = 0; c < lines_.size(); ++c) {
    const SteadyTolerance& limit = rule_.tolerances[c];
    const Line line = lines_[c].over(from, to);
    if (line.count < 2) continue;
    const auto n = static_cast<double>(line.count);
    const double drift =
        std::max(limit.drift, 3 * limit.noise * limit.inflation * std::sqrt(12 / n)) * kRounding;
    const double change = std::abs(line.slope) * static_cast<double>(to - from - 1);
    const double by_drift = change > drift ? change / drift : 0;
    const double spread = limit.spread * kRounding;
    const double by_spread = line.spread > spread ? line.spread / spread : 0;
    const double excess = std::max(by_drift, by_spread);
    if (excess > worst.excess) worst = {static_cast<Index>(c), by_drift >= by_spread, excess};
  }
  return worst;
}

std::vector<Piece> Calm::pieces() const {
  std::vector<Piece> out;
  const Index window = rule_.min_steps;
  for (Index from = 0; from + window <= steps_; ++from) {
    if (!calm(from, from + window)) continue;
    if (!out.empty() && out.back().to >= from) {
      out.back().to = from + window;
    } else if (!out.empty() && from - out.back().to < window &&
               calm(out.back().from, from + window)) {
      out.back().to = from + window;
    } else {
      out.push_back({from, from + window});
    }
  }
  return out;
}

}  // namespace flyball::dataset
