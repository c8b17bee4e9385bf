#pragma once
// The rules of the reference system (platform.md §2.4.2) written down as naively as possible.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "dataset/spec.h"
#include "historian/historian.h"
#include "math/random.h"

namespace flyball::dataset::oracle {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct Counts {
  std::int64_t state = 0, range = 0, hampel = 0, interpolated = 0;
};

inline double median(std::vector<double> v) {
  std::ranges::sort(v);
  const std::size_t n = v.size();
  return n % 2 == 1 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/// Bucket start (ms) → value.
using Grid = std::map<std::int64_t, double>;

inline Grid node_grid(const std::vector<historian::Sample>& samples, const Variable& v,
                      const Spec& spec, Counts& counts) {
  std::vector<std::int64_t> t;
  std::vector<double> x;
  for (const historian::Sample& s : samples) {
    if (s.quality.code >> 30 != 0) {
      ++counts.state;
    } else if (!std::isfinite(s.value)) {
      continue;
    } else if ((v.min && s.value < *v.min) || (v.max && s.value > *v.max)) {
      ++counts.range;
    } else {
      t.push_back(s.at / 1000);
      x.push_back(s.value);
    }
  }
  const auto k = static_cast<std::int64_t>(spec.cleaning.hampel_k);
  const auto n = static_cast<std::int64_t>(x.size());
  std::map<std::int64_t, std::vector<double>> buckets;
  const auto beat = static_cast<std::int64_t>(spec.beat_ms);
  for (std::int64_t i = 0; i < n; ++i) {
    bool drop = false;
    if (k > 0 && n > 2 * k + 2) {
      std::vector<double> w;
      for (std::int64_t j = std::max<std::int64_t>(0, i - k); j <= std::min(n - 1, i + k); ++j)
        w.push_back(x[static_cast<std::size_t>(j)]);
      const double med = median(w);
      for (double& d : w) d = std::abs(d - med);
      const double mad = std::max(median(w), 1e-12);
      drop = std::abs(x[static_cast<std::size_t>(i)] - med) > 3 * 1.4826 * mad;
    }
    if (drop) {
      ++counts.hampel;
    } else {
      const auto at = static_cast<std::size_t>(i);
      buckets[t[at] / beat * beat].push_back(x[at]);
    }
  }
  Grid out;
  for (const auto& [at, values] : buckets) {
    double sum = 0;
    for (const double value : values) sum += value;
    out[at] = sum / static_cast<double>(values.size());
  }
  const double reach = spec.cleaning.max_interp_ms.value_or(3 * spec.beat_ms);
  const Grid filled = out;
  for (auto p = filled.begin(), q = filled.begin(); q != filled.end(); p = q++) {
    const std::int64_t apart = q->first - p->first;
    if (apart <= beat || static_cast<double>(apart) > reach + spec.beat_ms) continue;
    const std::int64_t gap = apart / beat - 1;
    for (std::int64_t s = 1; s <= gap; ++s, ++counts.interpolated) {
      out[p->first + s * beat] = p->second + (q->second - p->second) * static_cast<double>(s) /
                                                 static_cast<double>(gap + 1);
    }
  }
  return out;
}

struct Window {
  std::vector<double> x, u, y;
};

struct Run {
  std::string id;
  std::vector<std::vector<double>> rows;
  std::vector<Window> windows;
};

inline Run run_of(const std::string& id, const std::vector<Grid>& nodes, const Spec& spec) {
  const auto beat = static_cast<std::int64_t>(spec.beat_ms);
  std::int64_t first = 0, last = INT64_MAX;
  for (const Grid& g : nodes) {
    first = std::max(first, g.begin()->first);
    last = std::min(last, g.rbegin()->first);
  }
  Run out{id, {}, {}};
  for (std::int64_t at = first; at <= last; at += beat) {
    std::vector<double> row;
    for (const Grid& g : nodes) {
      const auto it = g.find(at);
      row.push_back(it == g.end() ? kNone : it->second);
    }
    out.rows.push_back(row);
  }
  const auto steps = std::ssize(out.rows);
  const auto history = spec.window.history_steps, horizon = spec.window.horizon_steps;
  for (std::int64_t t = history; t <= steps - horizon; ++t) {
    Window w;
    for (std::int64_t i = t - history; i < t; ++i) {
      for (const double v : out.rows[static_cast<std::size_t>(i)]) w.x.push_back(v);
    }
    for (std::int64_t i = t; i < t + horizon; ++i) {
      for (std::size_t c = 0; c < spec.variables.size(); ++c) {
        const double v = out.rows[static_cast<std::size_t>(i)][c];
        if (spec.variables[c].role == Role::mv) w.u.push_back(v);
        if (spec.variables[c].role == Role::cv) w.y.push_back(v);
      }
    }
    bool finite = true;
    for (const auto* part : {&w.x, &w.u, &w.y}) {
      for (const double v : *part) finite = finite && std::isfinite(v);
    }
    if (finite) out.windows.push_back(w);
  }
  return out;
}

/// mulberry32 word by word, then Fisher and Yates.
inline std::vector<std::size_t> shuffled(std::size_t n, std::uint32_t seed) {
  std::vector<std::size_t> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = i;
  std::uint32_t a = seed;
  for (std::size_t i = n; i-- > 1;) {
    a += 0x6D2B79F5U;
    std::uint32_t t = (a ^ (a >> 15)) * (1U | a);
    t ^= t + (t ^ (t >> 7)) * (61U | t);
    const double random = static_cast<double>(t ^ (t >> 14)) / 4294967296.0;
    std::swap(out[i],
              out[static_cast<std::size_t>(std::floor(random * static_cast<double>(i + 1)))]);
  }
  return out;
}

/// Mean and std per column of `width` columns over the windows' values, std below 1 is 1.
inline void normalise(const std::vector<Window>& train, std::vector<double> Window::*part,
                      std::size_t width, std::vector<double>& mean, std::vector<double>& std) {
  for (std::size_t c = 0; c < width; ++c) {
    double n = 0, sum = 0, squares = 0;
    for (const Window& w : train) {
      for (std::size_t i = c; i < (w.*part).size(); i += width) n += 1, sum += (w.*part)[i];
    }
    mean.push_back(sum / n);
    for (const Window& w : train) {
      for (std::size_t i = c; i < (w.*part).size(); i += width)
        squares += ((w.*part)[i] - mean[c]) * ((w.*part)[i] - mean[c]);
    }
    const double s = std::sqrt(squares / (n - 1));
    std.push_back(s < 1 ? 1 : s);
  }
}

}  // namespace flyball::dataset::oracle
