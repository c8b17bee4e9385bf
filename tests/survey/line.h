#pragma once
// A line with one tag or several, filled from columns of numbers, and signals of known kind.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "historian/memory_historian.h"
#include "math/random.h"
#include "survey/survey.h"

namespace flyball::survey {

using Column = std::vector<double>;

inline constexpr TimeUs kStart = 1'767'225'600'000'000;  // 2026-01-01T00:00:00Z

inline plant::Tag tag_named(const std::string& name) {
  plant::Tag tag;
  tag.name = name;
  tag.line_id = "L";
  return tag;
}

class Line {
 public:
  /// Samples `period` apart from `start` on; NaN becomes a sample of bad quality.
  Line& add(const plant::Tag& tag, const Column& x, DurationUs period = kSecond,
            TimeUs start = kStart, const std::string& run = "r") {
    std::vector<TimeUs> t;
    for (std::size_t i = 0; i < x.size(); ++i) {
      t.push_back(start + static_cast<DurationUs>(i) * period);
    }
    return add(tag, x, t, run);
  }

  Line& add(const plant::Tag& tag, const Column& x, const std::vector<TimeUs>& t,
            const std::string& run = "r") {
    std::vector<historian::Sample> samples;
    for (std::size_t i = 0; i < x.size(); ++i) {
      samples.push_back(
          {t[i], x[i], std::isfinite(x[i]) ? historian::kGood : historian::kBadNoData});
    }
    const auto writer = historian_.begin();
    writer->put_tag(tag);
    writer->append({run, "L", "P", "R", kStart, {}, plant::EvidenceSource::simulation},
                   tag.node_id(), samples);
    writer->commit();
    return *this;
  }

  [[nodiscard]] TagSurvey survey() const {
    TagSurveyRequest request;
    request.filter.line_id = "L";
    return survey_tags(historian_, request);
  }

  [[nodiscard]] const historian::Historian& historian() const { return historian_; }

 private:
  historian::MemoryHistorian historian_;
};

inline TagSurvey survey_of(const Column& x, DurationUs period = kSecond) {
  return Line().add(tag_named("x"), x, period).survey();
}

inline std::vector<std::string> codes(const std::vector<Proposal>& proposals) {
  std::vector<std::string> out;
  for (const Proposal& p : proposals) out.push_back(p.code);
  return out;
}

inline const Proposal* find_code(const std::vector<Proposal>& proposals, const std::string& code) {
  const auto p = std::ranges::find(proposals, code, &Proposal::code);
  return p == proposals.end() ? nullptr : &*p;
}

inline bool has_code(const std::vector<Proposal>& proposals, const std::string& code) {
  return find_code(proposals, code) != nullptr;
}

// ---- signals ----

inline Column noise(std::size_t n, math::Random& random, double sigma = 1, double level = 20) {
  Column x(n);
  for (double& v : x) v = level + sigma * random.normal();
  return x;
}

inline Column quantised(Column x, double quantum) {
  for (double& v : x) v = std::round(v / quantum) * quantum;
  return x;
}

/// Two levels, switched with probability 1/mean at each sample.
inline Column binary(std::size_t n, double mean, double low, double high, math::Random& random) {
  Column x(n);
  bool up = false;
  for (double& v : x) {
    if (random.uniform() < 1 / mean) up = !up;
    v = up ? high : low;
  }
  return x;
}

/// y(t) = a·y(t−1) + (1−a)·u(t−1), a = exp(−1/tau), from the steady state of u(0).
inline Column first_order(const Column& u, double tau, double sigma, math::Random& random) {
  const double a = std::exp(-1 / tau);
  Column y(u.size());
  double state = u[0];
  for (std::size_t t = 0; t < u.size(); ++t) {
    y[t] = state + sigma * random.normal();
    state = a * state + (1 - a) * u[t];
  }
  return y;
}

/// Every value `times` times over.
inline Column repeated(const Column& x, std::size_t times) {
  Column out;
  for (const double v : x) out.insert(out.end(), times, v);
  return out;
}

/// Heating from 20 to 80, hold, cooling; noise on top.
inline Column batch(std::size_t n, double sigma, math::Random& random) {
  Column x(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double s = static_cast<double>(i) / static_cast<double>(n);
    x[i] = (s < 0.3 ? 20 + 200 * s : s < 0.7 ? 80 : 80 - 150 * (s - 0.7)) + sigma * random.normal();
  }
  return x;
}

}  // namespace flyball::survey
