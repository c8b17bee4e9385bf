#include "report/path.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace flyball::report {
namespace {

/// Tenths of a pixel, so that relative moves never drift.
using Tenths = std::int64_t;

Tenths to_tenths(double px) {
  return std::llround(px * 10);
}

void append_tenths(std::string& out, Tenths v) {
  if (v < 0) out += '-';
  const Tenths a = v < 0 ? -v : v;
  if (a >= 10 || a == 0) out += std::to_string(a / 10);
  if (a % 10 != 0) {
    out += '.';
    out += static_cast<char>('0' + a % 10);
  }
}

/// Writes a polyline with relative moves.
class Pen {
 public:
  void move(Tenths x, Tenths y) {
    out_ += 'M';
    append_tenths(out_, x);
    out_ += ' ';
    append_tenths(out_, y);
    x_ = x;
    y_ = y;
  }
  void line(Tenths x, Tenths y) {
    const Tenths dx = x - x_;
    const Tenths dy = y - y_;
    if (dy == 0) {
      out_ += 'h';
      append_tenths(out_, dx);
    } else if (dx == 0) {
      out_ += 'v';
      append_tenths(out_, dy);
    } else {
      out_ += 'l';
      append_tenths(out_, dx);
      if (dy >= 0) out_ += ' ';
      append_tenths(out_, dy);
    }
    x_ = x;
    y_ = y;
  }
  void close() { out_ += 'z'; }
  [[nodiscard]] Tenths y() const { return y_; }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
  Tenths x_ = 0, y_ = 0;
};

/// y in tenths, kept within ten heights of the picture so that a diverging series stays a short
/// text.
Tenths clamped(double value, const Scale& sy) {
  const double height = std::abs(sy.to - sy.from);
  const double top = std::min(sy.from, sy.to);
  return to_tenths(std::clamp(sy(value), top - 10 * height, top + 11 * height));
}

/// Finite points in the order of x, with gaps: `starts` marks the first point after one.
struct Point {
  Tenths x, y;
  bool starts;
};

std::vector<Point> sparse_points(const std::vector<double>& x, const std::vector<double>& y,
                                 const Scale& sx, const Scale& sy) {
  std::vector<Point> out;
  bool starts = true;
  for (std::size_t i = 0; i < x.size() && i < y.size(); ++i) {
    if (!std::isfinite(y[i]) || !std::isfinite(x[i])) {
      starts = true;
      continue;
    }
    out.push_back({to_tenths(sx(x[i])), clamped(y[i], sy), starts});
    starts = false;
  }
  return out;
}

/// The lowest and the highest point of every pixel column, in the order in which they occur.
std::vector<Point> dense_points(const std::vector<double>& x, const std::vector<double>& y,
                                const Scale& sx, const Scale& sy) {
  std::vector<Point> out;
  bool starts = true;
  const std::size_t n = std::min(x.size(), y.size());
  for (std::size_t i = 0; i < n;) {
    const double column = std::floor(sx(x[i]));
    std::size_t low = n, high = n;
    std::size_t j = i;
    for (; j < n && std::floor(sx(x[j])) == column; ++j) {
      if (!std::isfinite(y[j])) continue;
      if (low == n || y[j] < y[low]) low = j;
      if (high == n || y[j] > y[high]) high = j;
    }
    i = std::max(j, i + 1);
    if (low == n) {
      starts = true;
      continue;
    }
    const std::size_t first = std::min(low, high), second = std::max(low, high);
    out.push_back({to_tenths(sx(x[first])), clamped(y[first], sy), starts});
    starts = false;
    if (second != first) out.push_back({to_tenths(sx(x[second])), clamped(y[second], sy), false});
  }
  return out;
}

bool is_dense(std::size_t n, const Scale& sx) {
  return double(n) > 2 * std::abs(sx.to - sx.from);
}

/// Lowest `low` and highest `high` of each pixel column (or of each point, when sparse).
struct Slice {
  Tenths x, low, high;
  bool starts;
};

std::vector<Slice> slices(const std::vector<double>& x, const std::vector<double>& low,
                          const std::vector<double>& high, const Scale& sx, const Scale& sy) {
  std::vector<Slice> out;
  const std::size_t n = std::min({x.size(), low.size(), high.size()});
  const bool dense = is_dense(n, sx);
  bool starts = true;
  double column = -1;
  RangeFinder range;
  double at = 0;
  const auto flush = [&] {
    if (range.empty()) return;
    out.push_back(
        {to_tenths(at), clamped(range.range.low, sy), clamped(range.range.high, sy), starts});
    starts = false;
    range = {};
  };
  for (std::size_t i = 0; i < n; ++i) {
    const double px = sx(x[i]);
    if (!dense || std::floor(px) != column) flush();
    column = std::floor(px);
    if (!std::isfinite(low[i]) || !std::isfinite(high[i])) {
      if (!dense) starts = true;
      continue;
    }
    if (range.empty()) at = px;
    range.add(low[i]);
    range.add(high[i]);
  }
  flush();
  return out;
}

}  // namespace

std::string line_path(const std::vector<double>& x, const std::vector<double>& y, const Scale& sx,
                      const Scale& sy, bool stepped) {
  const bool dense = is_dense(std::min(x.size(), y.size()), sx);
  const auto points = dense ? dense_points(x, y, sx, sy) : sparse_points(x, y, sx, sy);
  Pen pen;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& p = points[i];
    const bool alone = p.starts && (i + 1 == points.size() || points[i + 1].starts);
    if (p.starts) {
      pen.move(p.x - (alone ? 10 : 0), p.y);
      if (alone) pen.line(p.x + 10, p.y);
      continue;
    }
    if (stepped && !dense && p.y != pen.y()) pen.line(p.x, pen.y());
    pen.line(p.x, p.y);
  }
  return pen.take();
}

std::string band_path(const std::vector<double>& x, const std::vector<double>& low,
                      const std::vector<double>& high, const Scale& sx, const Scale& sy) {
  const auto all = slices(x, low, high, sx, sy);
  Pen pen;
  for (std::size_t i = 0; i < all.size();) {
    std::size_t end = i + 1;
    while (end < all.size() && !all[end].starts) ++end;
    pen.move(all[i].x, all[i].high);
    for (std::size_t k = i + 1; k < end; ++k) pen.line(all[k].x, all[k].high);
    for (std::size_t k = end; k > i; --k) pen.line(all[k - 1].x, all[k - 1].low);
    pen.close();
    i = end;
  }
  return pen.take();
}

}  // namespace flyball::report
