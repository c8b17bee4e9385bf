// Which basis and ridge: groups of points left out one after another.
#include <algorithm>
#include <array>
#include <cmath>

#include "identify/static_parts.h"
#include "math/statistics.h"

namespace flyball::identify::statics {
namespace {

constexpr std::array kRidges{0.0, 1e-6, 1e-4, 1e-3, 1e-2, 3e-2, 1e-1};
constexpr std::int64_t kPointsPerParameter = 3, kFewestPoints = 10;

/// Mean square error of a over that of b, with its standard error paired over groups.
struct Difference {
  double mean = 0, error = 0;
};
Difference difference(const LeftOut& a, const LeftOut& b, Index points) {
  const Vector d = a.squares - b.squares;
  const auto groups = static_cast<double>(d.size()), n = static_cast<double>(points);
  Difference out{d.sum() / n, 0};
  if (groups > 1) {
    const double sum = (d.array() - d.mean()).square().sum();
    out.error = std::sqrt(sum * groups / (groups - 1)) / n;
  }
  return out;
}

struct Trial {
  std::size_t basis = 0;
  double lambda = 0;
  LeftOut left_out;
};

/// The least ridge that can be solved, then larger ones that are better beyond their error.
std::optional<Trial> trial_of(const PointTable& points, const ConstVectorRef& y,
                              const std::vector<Basis>& bases, std::size_t at) {
  const TermRegression regression(points, bases[at].terms);
  std::optional<Trial> out;
  for (const double lambda : kRidges) {
    const auto left = regression.leave_out(y, lambda);
    if (!left) continue;
    if (out) {
      const Difference d = difference(out->left_out, *left, points.z.rows());
      if (!(d.mean > d.error)) continue;
    }
    out = Trial{at, lambda, *left};
  }
  return out;
}

}  // namespace

std::vector<Basis> bases_of(const std::vector<StaticInput>& inputs) {
  std::vector<std::int64_t> moved;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].left_out) moved.push_back(static_cast<std::int64_t>(i));
  }
  Basis linear{"linear", {{}}};
  for (const auto i : moved) linear.terms.push_back({i, -1});
  Basis products{"interactions", linear.terms};
  for (std::size_t a = 0; a < moved.size(); ++a) {
    for (std::size_t b = a + 1; b < moved.size(); ++b)
      products.terms.push_back({moved[a], moved[b]});
  }
  Basis squares{"quadratic", products.terms};
  for (const auto i : moved) {
    if (inputs[static_cast<std::size_t>(i)].levels >= 3) squares.terms.push_back({i, i});
  }
  std::vector<Basis> out{std::move(linear)};
  for (Basis* larger : {&products, &squares}) {
    if (larger->terms.size() > out.back().terms.size()) out.push_back(std::move(*larger));
  }
  return out;
}

std::int64_t points_needed(std::size_t parameters) {
  return std::max(kFewestPoints, kPointsPerParameter * static_cast<std::int64_t>(parameters));
}

Choice choose(const PointTable& points, Index cv, const std::string& name,
              const std::vector<Basis>& bases, std::vector<StaticCandidate>& candidates) {
  const Vector y = points.y.col(cv);
  const double deviation = math::sample_std({y.data(), static_cast<std::size_t>(y.size())});
  const std::size_t first_row = candidates.size();
  std::vector<Trial> trials;
  for (std::size_t b = 0; b < bases.size(); ++b) {
    StaticCandidate& row = candidates.emplace_back();
    row.cv = name;
    row.basis = bases[b].name;
    row.parameters = static_cast<std::int64_t>(bases[b].terms.size());
    const std::int64_t missing = points_needed(bases[b].terms.size()) - y.size();
    if (missing > 0) {
      row.reason = Message{"STATIC_NEEDS_POINTS", {{"missing", missing}}}.text();
      continue;
    }
    const auto trial = trial_of(points, y, bases, b);
    if (!trial) {
      row.reason = Message{"STATIC_NOT_SEPARABLE", {}}.text();
      continue;
    }
    row.lambda = trial->lambda;
    row.score = std::sqrt(trial->left_out.mean) / deviation;
    trials.push_back(*trial);
  }
  if (trials.empty()) throw Error("STATIC_SINGULAR", {{"cv", name}});
  const Trial& best =
      *std::ranges::min_element(trials, {}, [](const Trial& t) { return t.left_out.mean; });
  const Trial* chosen = nullptr;
  for (const Trial& t : trials) {
    StaticCandidate& row = candidates[first_row + t.basis];
    const Difference d = difference(t.left_out, best.left_out, y.size());
    row.difference = d.mean / (deviation * deviation);
    row.difference_error = d.error / (deviation * deviation);
    const bool fits = d.mean <= d.error || &t == &best;
    if (chosen == nullptr && fits) {
      chosen = &t;
      row.reason = "chosen";
    } else {
      row.reason = Message{chosen == nullptr ? "STATIC_WORSE" : "STATIC_LARGER", {}}.text();
    }
  }
  Choice out;
  out.basis = bases[chosen->basis];
  out.lambda = chosen->lambda;
  out.score = candidates[first_row + chosen->basis].score;
  return out;
}

}  // namespace flyball::identify::statics
