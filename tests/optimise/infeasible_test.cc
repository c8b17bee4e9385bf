// Twelve problems whose hard limits cannot all hold: the right one is named, with the right amount.
#include <gtest/gtest.h>

#include "plants.h"

namespace flyball::optimise {
namespace {

struct Case {
  const char* name;
  std::function<ProblemIr(model::LinearStateSpace&)> make;
  std::string culprit;  ///< the id that has to be named
  double amount;        ///< by how much, model units
  std::string held;     ///< an MV limit that has to be named with it
  std::string instead;  ///< a limit that would do instead, if any
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

/// One MV, one CV, gain 1, pole 0.5, at rest at (0, 0); limits of the MV −5..5, moves of 2.
ProblemIr single(model::LinearStateSpace& m, double gain = 1, std::int64_t lag = 1) {
  m = lags({{{gain, 0.5, lag}}}, 1, {0}, {0});
  ProblemIr p = problem_for(m, 40, 8);
  p.cv[0].role = CvRole::band;
  p.solver.broken_now = BrokenNow::refuse;  // some limits are broken from the start
  return p;
}
ProblemIr shared(model::LinearStateSpace& m) {
  m = lags({{{1, 0.5, 1}}, {{1, 0.5, 1}}}, 1, {0}, {0, 0});
  ProblemIr p = problem_for(m, 40, 8);
  p.cv[0].role = p.cv[1].role = CvRole::band;
  p.solver.broken_now = BrokenNow::refuse;
  return p;
}

const std::vector<Case> kCases{
    {"tooHigh",
     [](auto& m) {
       auto p = single(m);
       p.cv[0].hard_min = 7;
       p.cv[0].train.max = 30;
       return p;
     },
     "CV1.hardMin", 6.0, "MV1", ""},  // y(1) = 1 at most
    {"tooLow",
     [](auto& m) {
       auto p = single(m);
       p.cv[0].hard_max = -6;
       return p;
     },
     "CV1.hardMax", 5.0, "MV1", ""},
    {"negativeGain",
     [](auto& m) {
       auto p = single(m, -1);
       p.cv[0].hard_min = 2;
       return p;
     },
     "CV1.hardMin", 1.0, "MV1 (maxMove)", "MV1.maxMove"},
    {"rateOnly",
     [](auto& m) {
       auto p = single(m);
       p.mv[0].max_move = 0.5;
       p.cv[0].hard_min = 1;
       return p;
     },
     "CV1.hardMin", 0.75, "MV1 (maxMove)", "MV1.maxMove"},
    {"valueOnly",
     [](auto& m) {
       auto p = single(m);
       p.mv[0].max = 0.2;
       p.cv[0].hard_min = 0.6;
       return p;
     },
     "CV1.hardMin", 0.5, "MV1 (max)", "MV1.max"},
    {"trainBox",
     [](auto& m) {
       auto p = single(m);
       p.mv[0].train.max = 0.3;
       p.mv[0].train.min = -1;
       p.cv[0].hard_min = 0.6;
       return p;
     },
     "CV1.hardMin", 0.45, "MV1 (max)", "MV1.max"},
    {"manual",
     [](auto& m) {
       auto p = single(m);
       p.mv[0].available = false;
       p.cv[0].hard_min = 0.4;
       return p;
     },
     "CV1.hardMin", 0.4, "MV1 (manual)", ""},
    {"twoCvsOneMv",
     [](auto& m) {
       auto p = shared(m);
       p.cv[0].hard_max = -0.5;
       p.cv[1].hard_min = 0.5;
       return p;
     },
     "CV1.hardMax", -1, "no MV", ""},  // the sum of both amounts is 1
    {"deadTime",
     [](auto& m) {
       auto p = single(m, 1, 4);
       p.cv[0].hard_min = 1.5;
       return p;
     },
     "CV1.hardMin", 0.5, "MV1 (maxMove)", "MV1.maxMove"},
    {"disturbance",
     [](auto& m) {
       m = lags({{{1, 0.5, 1}, {4, 0.5, 1}}}, 1, {0, 0}, {0});
       auto p = problem_for(m, 40, 8);
       p.cv[0].role = CvRole::band;
       p.mv[0].max_move = 10;
       p.cv[0].hard_max = 2;
       p.dv[0].forecast.assign(40, 3.0);
       return p;
     },
     "CV1.hardMax", 5.0, "MV1 (min)", "MV1.min"},
    {"strongestOfTwo",
     [](auto& m) {
       m = lags({{{1, 0.5, 1}, {0.001, 0.5, 1}}}, 2, {0, 0}, {0});
       auto p = problem_for(m, 40, 8);
       p.cv[0].role = CvRole::band;
       p.solver.broken_now = BrokenNow::refuse;
       p.mv[0].max = 0.1;
       p.mv[0].max_move = 10;
       p.mv[1].max_move = 10;
       p.cv[0].hard_min = 1;
       return p;
     },
     "CV1.hardMin", 1 - 0.05 - 0.0025, "MV1 (max)", "MV1.max"},
    {"startOutside",
     [](auto& m) {
       auto p = single(m);
       p.cv[0].hard_max = 1;
       p.u_prev[0] = 3;
       for (auto& r : p.history) r = {{3.0}, {3.0}};
       return p;
     },
     "CV1.hardMax", 1.0, "MV1 (maxMove)", "MV1.maxMove"},
};

class Infeasible : public ::testing::TestWithParam<Case> {};

TEST_P(Infeasible, NamesTheRightCulprit) {
  const Case& c = GetParam();
  model::LinearStateSpace m;
  const ProblemIr p = c.make(m);
  const SolveResult r = solve(p, m);
  ASSERT_EQ(r.status, SolveStatus::infeasible);
  EXPECT_TRUE(r.candidates.empty()) << "nothing is relaxed silently";
  ASSERT_FALSE(r.infeasible.empty());
  const Json said = to_json_value(r.infeasible);
  double sum = 0;
  const Relaxed* named = nullptr;
  for (const Relaxed& x : r.infeasible) {
    sum += x.amount;
    if (x.id == c.culprit) named = &x;
  }
  if (c.amount < 0) {
    EXPECT_NEAR(sum, -c.amount, 1e-6) << said.dump();
  } else {
    ASSERT_NE(named, nullptr) << said.dump();
    EXPECT_NEAR(named->amount, c.amount, 1e-6) << said.dump();
    EXPECT_NE(named->words.text.find(c.held), std::string::npos) << named->words.text;
  }
  if (c.instead.empty()) return;
  bool found = false;
  for (const Words& w : r.reasons)
    found = found || (w.code == "INFEASIBLE_WIDEN" && w.text.find(c.instead) == 0);
  EXPECT_TRUE(found) << to_json_value(r.reasons).dump();
}

/// Moved outwards by what is named, the limits can hold; by a little less they cannot.
TEST_P(Infeasible, WhatIsNamedIsEnoughAndNoMoreThanNeeded) {
  const Case& c = GetParam();
  model::LinearStateSpace m;
  const ProblemIr p = c.make(m);
  const SolveResult r = solve(p, m);
  for (const double share : {1.0 + 1e-6, 0.99}) {
    ProblemIr q = p;
    for (const Relaxed& x : r.infeasible) {
      for (CvTerm& cv : q.cv) {
        if (x.id == cv.var_id + ".hardMax") *cv.hard_max += share * x.amount;
        if (x.id == cv.var_id + ".hardMin") *cv.hard_min -= share * x.amount;
      }
    }
    EXPECT_EQ(solve(q, m).status == SolveStatus::infeasible, share < 1) << share;
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Infeasible, ::testing::ValuesIn(kCases),
                         [](const auto& i) { return i.param.name; });

TEST(InfeasibleWords, AreInEngineeringUnits) {
  model::LinearStateSpace m;
  ProblemIr p = single(m);
  p.mv[0].max = 0.2;
  p.cv[0].hard_min = 0.6;
  p.cv[0].unit = "degF";
  p.cv[0].unit_scale = 0.5;  // model units per degree
  const SolveResult r = solve(p, m);
  ASSERT_EQ(r.infeasible.size(), 1u);
  EXPECT_NEAR(r.infeasible[0].words.params["amount"]["value"].get<double>(), 1.0, 1e-6);
  EXPECT_EQ(r.infeasible[0].words.params["amount"]["unit"], "degF");
}

}  // namespace
}  // namespace flyball::optimise
