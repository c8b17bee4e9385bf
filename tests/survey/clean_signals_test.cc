// Signals without a fault give no proposal, over many seeds; the answer does not depend on units.
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "survey/line.h"

namespace flyball::survey {
namespace {

using Make = std::function<Column(math::Random&)>;

const std::map<std::string, Make>& clean_signals() {
  static const std::map<std::string, Make> signals = {
      {"noise", [](auto& r) { return noise(2000, r); }},
      {"noise, quantised", [](auto& r) { return quantised(noise(2000, r), 0.2); }},
      {"step",
       [](auto& r) {
         Column x(2000, r.uniform(0, 50));
         std::fill(x.begin() + 500 + r.index(1000), x.end(), r.uniform(50, 100));
         return x;
       }},
      {"step with noise",
       [](auto& r) {
         Column x = noise(2000, r);
         const double size = r.uniform(20, 100);
         for (std::size_t i = 700; i < 2000; ++i) x[i] += size;
         return x;
       }},
      {"binary MV",
       [](auto& r) { return binary(2000, 20, r.uniform(0, 40), r.uniform(50, 90), r); }},
      {"PRBS of fixed clock", [](auto& r) { return repeated(binary(200, 2, -1, 1, r), 10); }},
      {"staircase",
       [](auto& r) {
         Column x;
         while (x.size() < 2000)
           x.insert(x.end(), static_cast<std::size_t>(10 + r.index(40)), r.uniform(0, 100));
         return x;
       }},
      {"first order without noise",
       [](auto& r) { return first_order(binary(2000, 100, 20, 80, r), 15, 0, r); }},
      {"first order",
       [](auto& r) { return first_order(binary(2000, 100, 20, 80, r), 15, 0.5, r); }},
      {"first order from rest",
       [](auto& r) {
         Column u(2000, 10.0);
         std::fill(u.begin() + 600, u.end(), 60.0);
         return first_order(u, 30, 0, r);
       }},
      {"slow ramp",
       [](auto& r) {
         Column x = noise(2000, r, 0.2);
         for (std::size_t i = 0; i < x.size(); ++i) x[i] += 0.01 * static_cast<double>(i);
         return x;
       }},
      {"slow ramp without noise, quantised",
       [](auto& r) {
         Column x(2000);
         const double slope = r.uniform(0.01, 0.04);
         for (std::size_t i = 0; i < x.size(); ++i) x[i] = slope * static_cast<double>(i);
         return quantised(x, 0.1);
       }},
      {"quantised at rest", [](auto& r) { return quantised(noise(2000, r, 0.02, 20.02), 0.1); }},
      {"quantised slow wave",
       [](auto& r) {
         Column x = noise(20000, r, 0.02, 20);
         const double phase = r.uniform(0, 6);
         for (std::size_t i = 0; i < x.size(); ++i)
           x[i] += 0.3 * std::sin(phase + static_cast<double>(i) / 800);
         return quantised(x, 0.1);
       }},
      {"random walk",
       [](auto& r) {
         Column x(2000);
         double v = 50;
         for (double& out : x) out = v += 0.1 * r.normal();
         return x;
       }},
      {"batch", [](auto& r) { return batch(1500, 0.3, r); }},
      {"batch without noise", [](auto& r) { return batch(1500, 0, r); }},
      {"batch, quantised", [](auto& r) { return quantised(batch(1500, 0.3, r), 0.1); }},
  };
  return signals;
}

TEST(CleanSignals, GiveNoProposal) {
  constexpr std::uint32_t kSeeds = 200;
  for (const auto& [name, make] : clean_signals()) {
    std::map<std::string, int> told;
    for (std::uint32_t seed = 1; seed <= kSeeds; ++seed) {
      math::Random random(seed);
      for (const std::string& code : codes(survey_of(make(random)).proposals)) ++told[code];
    }
    for (const auto& [code, count] : told) {
      ADD_FAILURE() << name << ": " << code << " in " << count << " of " << kSeeds;
    }
  }
}

/// Codes and counts that do not depend on units.
Json without_units(const TagFacts& f) {
  Json bad = Json::array(), frozen = Json::array();
  for (const BadValue& b : f.bad_values) bad.push_back(b.count);
  for (const Stretch& s : f.frozen) frozen.push_back(s.samples);
  return {{"bad", bad},
          {"frozen", frozen},
          {"spikes", f.spikes},
          {"stepped", f.shape.looks_stepped},
          {"changes", f.shape.changes},
          {"distinct", f.values.distinct},
          {"hold", f.shape.hold_steps.value_or(0)},
          {"samples", f.samples.total},
          {"constant", f.values.constant}};
}

TEST(Units, AThousandTimesAndAnOffsetChangeNoFinding) {
  std::map<std::string, Make> signals = clean_signals();
  signals["bad values"] = [](auto& r) {
    Column x = quantised(noise(1000, r), 0.1);
    for (std::size_t i = 10; i < 1000; i += 50) x[i] = -200;
    return x;
  };
  signals["frozen"] = [](auto& r) {
    Column x = quantised(noise(1000, r), 0.1);
    std::fill_n(x.begin() + 300, 100, x[300]);
    return x;
  };
  signals["held"] = [](auto& r) {
    return repeated(first_order(binary(300, 20, 0, 1, r), 8, 0.01, r), 5);
  };
  for (const auto& [name, make] : signals) {
    for (std::uint32_t seed = 1; seed <= 10; ++seed) {
      math::Random random(seed);
      // Binary fractions: both scales are exact, so equal values stay equal.
      Column x = quantised(make(random), 1.0 / 1024);
      Column y = x;
      for (double& v : y) v = 1000 * v + 273.125;
      const TagSurvey a = survey_of(x), b = survey_of(y);
      EXPECT_EQ(without_units(a.tags[0]), without_units(b.tags[0])) << name << " " << seed;
      EXPECT_EQ(codes(a.proposals), codes(b.proposals)) << name << " " << seed;
    }
  }
}

TEST(Survey, TheSameSamplesGiveTheSameBytesInWhateverOrderTheyWereWritten) {
  math::Random random(11);
  const Column x = quantised(noise(500, random), 0.1);
  Column reversed(x.rbegin(), x.rend());
  std::vector<TimeUs> t;
  for (int i = 0; i < 500; ++i) t.push_back(kStart + (499 - i) * kSecond);
  const TagSurvey a = survey_of(x);
  const TagSurvey b = Line().add(tag_named("x"), reversed, t).survey();
  EXPECT_EQ(to_json_value(a).dump(), to_json_value(b).dump());
}

}  // namespace
}  // namespace flyball::survey
