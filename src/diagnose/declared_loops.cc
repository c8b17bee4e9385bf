#include "diagnose/declared_loops.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "math/linear_algebra.h"

namespace flyball::diagnose {
namespace {

constexpr double kMostFactor = 100, kFactorStep = 1.1;
constexpr int kHalvings = 12;
constexpr Index kStatesMost = 300;  ///< a margin takes up to 60 eigenvalue problems

/// One step of the joined system; the state is x, the controllers' sums, the outputs that wait for
/// the next step, then the past of every MV in a loop.
class Joined {
 public:
  Joined(const model::LinearStateSpace& m, const std::vector<ClosedLoop>& loops)
      : m_(m),
        loops_(loops),
        n_(m.states() - m.disturbance_states),
        past_(longest_delay()),
        late_(answers_at_once()) {}

  [[nodiscard]] Index size() const { return n_ + count() * (2 + past_); }

  [[nodiscard]] Vector next(const Vector& s) const {
    Vector u = s.segment(n_ + count(), count()), out(size());
    Vector x = m_.A.topLeftCorner(n_, n_) * s.head(n_);
    Vector asked(count());
    for (Index l = 0; l < count(); ++l) {
      const ClosedLoop& loop = loops_[static_cast<std::size_t>(l)];
      double y = m_.C.row(loop.cv).head(n_).dot(s.head(n_));
      for_each_channel([&](Index c, Index of, Index delay) {
        if (delay > 0) y += m_.D(loop.cv, c) * before(s, of, delay);
        if (delay == 0 && late_) y += m_.D(loop.cv, c) * u(of);
      });
      const double sum = s(n_ + l);
      asked(l) = loop.gain * (sum / loop.reset_steps - y);
      out(n_ + l) = sum - y;
    }
    if (!late_) u = asked;
    for_each_channel([&](Index c, Index of, Index delay) {
      x += m_.B.col(c).head(n_) * (delay > 0 ? before(s, of, delay) : u(of));
    });
    out.head(n_) = x;
    out.segment(n_ + count(), count()) = asked;
    for (Index l = 0; l < count() && past_ > 0; ++l) {
      const Index at = n_ + 2 * count() + l * past_;
      out(at) = u(l);
      out.segment(at + 1, past_ - 1) = s.segment(at, past_ - 1);
    }
    return out;
  }

 private:
  [[nodiscard]] Index count() const { return static_cast<Index>(loops_.size()); }

  /// u of loop `of`, `delay` ≥ 1 steps ago.
  [[nodiscard]] double before(const Vector& s, Index of, Index delay) const {
    return s(n_ + 2 * count() + of * past_ + delay - 1);
  }

  template <class F>
  void for_each_channel(F&& f) const {
    for (std::size_t c = 0; c < m_.channels.size(); ++c) {
      const auto of = std::ranges::find(loops_, m_.channels[c].input, &ClosedLoop::mv);
      if (of == loops_.end()) continue;
      f(static_cast<Index>(c), of - loops_.begin(), static_cast<Index>(m_.channels[c].delay));
    }
  }

  [[nodiscard]] Index longest_delay() const {
    Index longest = 0;
    for_each_channel([&](Index, Index, Index delay) { longest = std::max(longest, delay); });
    return longest;
  }

  [[nodiscard]] bool answers_at_once() const {
    bool any = false;
    for_each_channel([&](Index c, Index, Index delay) {
      for (const ClosedLoop& loop : loops_) any = any || (delay == 0 && m_.D(loop.cv, c) != 0);
    });
    return any;
  }

  const model::LinearStateSpace& m_;
  const std::vector<ClosedLoop>& loops_;
  Index n_, past_;
  bool late_;
};

/// The factor on loop `l` nearest to 1 that brings the radius to 1, up or down.
std::optional<double> margin(const model::LinearStateSpace& m, std::vector<ClosedLoop> loops,
                             std::size_t l, Index integrators_left) {
  const double gain = loops[l].gain;
  const auto stable = [&](double factor) {
    loops[l].gain = gain * factor;
    return closed_radius(m, loops, integrators_left) < 1;
  };
  const bool now = stable(1);
  const double step = now ? kFactorStep : 1 / kFactorStep;
  double inside = 1, outside = step;
  while (stable(outside) == now) {
    inside = outside;
    outside *= step;
    if (outside > kMostFactor || outside < 1 / kMostFactor) return std::nullopt;
  }
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = std::sqrt(inside * outside);
    (stable(middle) == now ? inside : outside) = middle;
  }
  return inside;
}

Index input_of(const dataset::Dataset& data, const std::string& name) {
  std::vector<Index> inputs = data.columns(dataset::Role::mv);
  std::ranges::copy(data.columns(dataset::Role::dv), std::back_inserter(inputs));
  return std::ranges::find_if(
             inputs,
             [&](Index c) { return data.spec.variables[static_cast<std::size_t>(c)].id == name; }) -
         inputs.begin();
}

/// The model takes what leaves the pipes of its inputs; a controller moves what enters them.
model::LinearStateSpace with_pipes(const dataset::Dataset& data, model::LinearStateSpace m) {
  for (const dataset::Variable& v : data.spec.variables) {
    if (!v.transport) continue;
    const Index input = input_of(data, v.id);
    const double steps =
        v.transport->volume(data.spec.beat_ms) / m.u0(input_of(data, v.transport->flow));
    for (model::Channel& c : m.channels) {
      if (c.input == input) c.delay += std::llround(steps);
    }
  }
  return m;
}

}  // namespace

double closed_radius(const model::LinearStateSpace& model, const std::vector<ClosedLoop>& loops,
                     Index integrators_left) {
  const Joined joined(model, loops);
  const Index n = joined.size();
  Matrix a(n, n);
  for (Index i = 0; i < n; ++i) a.col(i) = joined.next(Vector::Unit(n, i));
  const Vector moduli = math::eigenvalue_moduli(a);
  std::vector<double> kept(moduli.begin(), moduli.end());
  for (Index i = 0; i < integrators_left && !kept.empty(); ++i) {
    kept.erase(std::ranges::min_element(kept, {}, [](double r) { return std::abs(r - 1); }));
  }
  return kept.empty() ? 0 : *std::ranges::max_element(kept);
}

std::vector<identify::LoopStability> judge_loops(const dataset::Dataset& data,
                                                 const identify::IdentifyResult& found,
                                                 const std::vector<identify::PiLoop>& declared) {
  const model::LinearStateSpace model = with_pipes(data, found.model);
  std::vector<ClosedLoop> loops;
  Index left = model.integrators;
  for (const identify::PiLoop& l : declared) {
    const auto& cvs = found.findings.cvs;
    const auto cv = std::ranges::find(cvs, l.cv, &identify::CvFinding::cv);
    loops.push_back({input_of(data, l.mv), cv - cvs.begin(), l.gain,
                     l.reset_seconds * 1000 / data.spec.beat_ms});
    if (cv->integrating) --left;
  }
  if (Joined(model, loops).size() > kStatesMost) return {};
  std::vector<identify::LoopStability> out;
  const double radius = closed_radius(model, loops, left);
  for (std::size_t l = 0; l < declared.size(); ++l) {
    const auto seen =
        std::ranges::find(found.findings.feedback, declared[l].mv, &identify::Feedback::mv);
    out.push_back({declared[l].mv, declared[l].cv, radius, margin(model, loops, l, left),
                   seen != found.findings.feedback.end() && seen->in_loop});
  }
  return out;
}

}  // namespace flyball::diagnose
