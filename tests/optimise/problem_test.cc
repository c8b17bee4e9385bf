#include "optimise/problem.h"

#include <gtest/gtest.h>

#include <limits>

#include "optimise/result.h"
#include "support/expect_error.h"

namespace flyball::optimise {
namespace {

ProblemIr some_problem() {
  ProblemIr p;
  p.model_id = "mdl-1";
  p.model_artifact_hash = std::string(64, 'a');
  p.beat_ms = 60'000;
  p.horizon = 20;
  p.control_horizon = 3;
  p.blocks = {0, 2, 5};
  p.history = {{{1.0}, {2.0}}, {{1.0}, {std::nullopt}}};
  p.u_prev = {1.0};
  MvTerm mv;
  mv.var_id = "FT101";
  mv.min = 0;
  mv.max = 10;
  mv.max_move = 1;
  CvTerm cv;
  cv.var_id = "TT102";
  cv.ref = 3.0;
  p.mv = {mv};
  p.cv = {cv};
  return p;
}

/// The pointer of the only problem that check finds.
std::string problem_at(const ProblemIr& p) {
  try {
    check(p);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), "PROBLEM_INVALID");
    EXPECT_EQ(e.problems().size(), 1u) << e.what();
    return e.problems().front().pointer;
  }
  ADD_FAILURE() << "no problem found";
  return {};
}

TEST(ProblemIr, IsTheSameAfterJson) {
  const ProblemIr p = some_problem();
  check(p);
  const Json written = to_json_value(p);
  EXPECT_TRUE(written["history"][1]["y"][0].is_null());
  const auto again = parse_record<ProblemIr>(written);
  EXPECT_EQ(problem_hash(again), problem_hash(p));
  EXPECT_EQ(problem_hash(p).size(), 64u);
}

TEST(ProblemIr, HashChangesWithEveryNumber) {
  const ProblemIr p = some_problem();
  ProblemIr other = p;
  other.mv[0].max = std::nextafter(10.0, 11.0);
  EXPECT_NE(problem_hash(other), problem_hash(p));
  other = p;
  other.history[1].y[0] = 0.0;
  EXPECT_NE(problem_hash(other), problem_hash(p));
}

TEST(ProblemIr, NamesWhatIsWrong) {
  ProblemIr p = some_problem();
  p.mv[0].min = 11;
  EXPECT_EQ(problem_at(p), "/mv/0");
  p = some_problem();
  p.u_prev = {std::numeric_limits<double>::quiet_NaN()};
  EXPECT_EQ(problem_at(p), "/uPrev/0");
  p = some_problem();
  p.blocks = {0, 5, 2};
  EXPECT_EQ(problem_at(p), "/blocks");
  p = some_problem();
  p.cv[0].ref.reset();
  EXPECT_EQ(problem_at(p), "/cv/0/ref");
  p = some_problem();
  p.cv[0].hard_min = 0;
  p.cv[0].hard_max = 4;
  p.cv[0].margin.assign(20, 2.0);
  EXPECT_EQ(problem_at(p), "/cv/0/margin");
  p = some_problem();
  p.history.clear();
  EXPECT_EQ(problem_at(p), "/history");
  p = some_problem();
  p.cv[0].train.std = 0;
  EXPECT_EQ(problem_at(p), "/cv/0/train/std");
}

TEST(ProblemIr, MovesAreTheFirstStepsWithoutBlocks) {
  ProblemIr p = some_problem();
  EXPECT_EQ(move_steps(p), (std::vector<std::int64_t>{0, 2, 5}));
  p.blocks.clear();
  check(p);
  EXPECT_EQ(move_steps(p), (std::vector<std::int64_t>{0, 1, 2}));
}

TEST(SolveResult, IsTheSameAfterJson) {
  SolveResult r;
  r.status = SolveStatus::noChange;
  r.candidates = {{0,
                   "optimum",
                   {{1.0}},
                   {{2.0}},
                   3.0,
                   {{"TT102.hardMax", ConstraintKind::hard, -0.1, false, 2}},
                   false}};
  const Json written = to_json_value(r);
  EXPECT_EQ(written["status"], "noChange");
  EXPECT_EQ(to_json_value(parse_record<SolveResult>(written)), written);
}

}  // namespace
}  // namespace flyball::optimise
