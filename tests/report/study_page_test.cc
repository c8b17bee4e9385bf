#include "report/study_page.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "report/balanced.h"
#include "report/made_up_study.h"

namespace flyball::report {
namespace {

std::string render(const MadeUp& s) {
  return render_study(s.report, s.pictures);
}

/// Kept for people to look at, in the build folder.
void keep(const std::string& name, const std::string& page) {
  std::filesystem::create_directories(FLYBALL_BINARY_DIR "/reports");
  std::ofstream(FLYBALL_BINARY_DIR "/reports/" + name) << page;
}

bool has(const std::string& page, const std::string& text) {
  return page.find(text) != std::string::npos;
}

TEST(StudyPage, IsWellFormedWhateverTheVerdict) {
  for (const bool pass : {true, false}) {
    const std::string page = render(made_up_study({.pass = pass}));
    keep(pass ? "pass.html" : "refused.html", page);
    EXPECT_EQ(markup_problem(page), "");
  }
}

TEST(StudyPage, HoldsSixCvsAndFiveInputs) {
  const std::string page =
      render(made_up_study({.cvs = 6, .inputs = 5, .rows = 20'000, .calendar = false}));
  keep("wide.html", page);
  EXPECT_EQ(markup_problem(page), "");
  EXPECT_LT(page.size(), 6'000'000U);
  for (const std::string name : {"y6", "u5"}) EXPECT_TRUE(has(page, name)) << name;
}

TEST(StudyPage, SaysTheVerdictInAWordAndWhatToDoNext) {
  const std::string pass = render(made_up_study({}));
  EXPECT_TRUE(has(pass, "✔ Pass"));
  EXPECT_FALSE(has(pass, "✖ Refused"));
  const MadeUp refused = made_up_study({.pass = false});
  const std::string page = render(refused);
  EXPECT_TRUE(has(page, "✖ Refused"));
  EXPECT_TRUE(has(page, "G1 (one-step error on test)"));
  for (const Words& s : refused.report.next_steps) EXPECT_TRUE(has(page, s.text)) << s.text;
  EXPECT_LT(page.find(refused.report.next_steps.front().text), page.find("<section"));
}

TEST(StudyPage, FetchesNothingAndRunsNothing) {
  const std::string page = render(made_up_study({}));
  for (const std::string sign : {"http://", "https://", "src=", "<script", "@import", "url(",
                                 "<iframe", " onload", "//cdn"}) {
    EXPECT_FALSE(has(page, sign)) << sign;
  }
  EXPECT_TRUE(has(page, "default-src 'none'"));
}

TEST(StudyPage, ShowsEveryFactOfTheRecord) {
  const MadeUp s = made_up_study({.pass = false});
  const std::string page = render(s);
  for (const gates::Check& c : s.report.gates->checks) {
    EXPECT_TRUE(has(page, c.id)) << c.id;
    EXPECT_TRUE(!c.threshold || has(page, c.source)) << c.source;
  }
  EXPECT_TRUE(has(page, s.report.dataset->sha256));
  EXPECT_TRUE(has(page, s.report.model->artifact_hash));
  EXPECT_TRUE(has(page, s.report.dataset->runs_dropped.front().reason));
  EXPECT_TRUE(has(page, *s.report.uq_reason));
  EXPECT_TRUE(has(page, s.report.notes.front().text));
  EXPECT_TRUE(has(page, "adds up"));
  EXPECT_TRUE(has(page, "in differences"));
}

TEST(StudyPage, SaysWhenTheRowsDoNotAddUp) {
  MadeUp s = made_up_study({});
  s.report.import->rows_in += 1;
  EXPECT_TRUE(has(render(s), "does not add up"));
}

TEST(StudyPage, EscapesHostileNames) {
  MadeUp s = made_up_study({});
  const std::string evil = "<script>alert(\"1\")</script>&'";
  s.pictures.title = evil;
  s.pictures.mvs = {evil};
  s.pictures.cvs = {evil};
  for (auto& f : s.pictures.free_run) f.cv = f.unit = f.run = evil;
  for (auto& i : s.pictures.inputs) i.tag = i.unit = i.run = evil;
  for (auto& a : s.pictures.step_answers) a.cv = a.input = a.cv_unit = a.input_unit = a.note = evil;
  for (auto& c : s.pictures.residual_tests) c.cv = evil;
  for (auto& h : s.pictures.horizon) h.cv = h.block = evil;
  for (auto& c : s.pictures.candidates) c.structure = c.note = evil;
  for (auto& p : s.pictures.parts) p.run = p.part = evil;
  for (auto& d : s.report.dead_times) d.mv = d.cv = d.note = evil;
  for (auto& f : s.report.free_run_fit) f.cv = evil;
  for (auto& r : s.report.gates->reasons) r.text = evil;
  s.report.gates->loosened = {{evil, evil}};
  for (auto& c : s.report.gates->checks) c.id = c.name = c.detail = c.source = evil;
  for (auto& t : s.report.import->tags) t.tag = t.unit = evil;
  for (auto& n : s.report.next_steps) n.text = evil;
  for (auto& n : s.report.notes) n.text = evil;
  s.report.dataset->id = s.report.dataset->sha256 = evil;
  s.report.dataset->runs_used = {evil};
  s.report.dataset->runs_dropped = {{evil, evil}};
  s.report.model->id = evil;
  s.report.uq_reason = evil;
  s.report.cleaning = Json{{evil, evil}, {"list", Json::array({Json{{evil, evil}}})}};
  s.report.provenance = s.report.identification = s.report.cleaning;
  const std::string page = render(s);
  EXPECT_EQ(markup_problem(page), "");
  EXPECT_FALSE(has(page, "<script"));
}

TEST(StudyPage, ExplainsWhatIsAbsent) {
  const std::string page = render_study({}, {});
  keep("empty.html", page);
  EXPECT_EQ(markup_problem(page), "");
  EXPECT_TRUE(has(page, "the study ended before the gates"));
  EXPECT_TRUE(has(page, "Nothing was imported"));
}

TEST(StudyPage, DrawsAnExplanationWhenAllIsMissing) {
  MadeUp s = made_up_study({});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (auto& f : s.pictures.free_run)
    std::ranges::fill(f.predicted, nan), std::ranges::fill(f.actual, nan);
  for (auto& i : s.pictures.inputs) i.t.clear(), i.value.clear();
  for (auto& a : s.pictures.step_answers) std::ranges::fill(a.centre, nan), a.gain = nan;
  for (auto& h : s.pictures.horizon) h.model.clear(), std::ranges::fill(h.persistence, nan);
  for (auto& c : s.pictures.residual_tests) c.values.clear();
  for (auto& f : s.report.free_run_fit) f.percent.reset();
  const std::string page = render(s);
  keep("missing.html", page);
  EXPECT_EQ(markup_problem(page), "");
  EXPECT_TRUE(has(page, "no values to draw"));
  EXPECT_FALSE(has(page, "nan"));
}

TEST(StudyPage, KeepsADivergingPredictionInThePicture) {
  MadeUp s = made_up_study({});
  for (auto& f : s.pictures.free_run) {
    for (std::size_t i = 0; i < f.predicted.size(); ++i) f.predicted[i] = std::pow(1.5, double(i));
    f.predicted.back() = std::numeric_limits<double>::infinity();
  }
  const std::string page = render(s);
  keep("diverging.html", page);
  EXPECT_EQ(markup_problem(page), "");
  EXPECT_TRUE(has(page, "leaves the picture"));
}

TEST(StudyPage, DrawsAFewOfManyRunsAndCountsTheRest) {
  MadeUp s = made_up_study({.rows = 200});
  const auto one_run = s.pictures.free_run;
  for (int r = 0; r < 40; ++r) {
    for (auto f : one_run) {
      f.run = "run-" + std::to_string(r);
      s.pictures.free_run.push_back(f);
    }
    s.report.dataset->runs_dropped.push_back({"dropped-" + std::to_string(r), "too short"});
  }
  for (int r = 0; r < 1000; ++r)
    s.report.dataset->runs_dropped.push_back({"late-" + std::to_string(r), "too short"});
  const std::string page = render(s);
  EXPECT_EQ(markup_problem(page), "");
  EXPECT_TRUE(has(page, "58 more traces are not drawn"));
  EXPECT_TRUE(has(page, "841 more are not listed here"));
  EXPECT_TRUE(has(page, "over all runs of the part"));
}

TEST(StudyPage, ShowsOnWhichSideOfALimitAGatePasses) {
  MadeUp s = made_up_study({});
  auto& checks = s.report.gates->checks;
  checks[1].threshold = 0.111;  // G1
  checks[2].threshold = 0.222;  // G2, an improvement
  std::string page = render(s);
  EXPECT_TRUE(has(page, "≤\u00A00.111"));
  EXPECT_TRUE(has(page, "≥\u00A00.222"));
  checks[2].value = 0.1;  // G2, the error of a network
  page = render(s);
  EXPECT_TRUE(has(page, "≤\u00A00.222"));
}

TEST(StudyPage, BracketsUnitsOfQuotients) {
  MadeUp s = made_up_study({});
  auto& a = s.pictures.step_answers.front();
  a.cv_unit = "m³/h";
  a.input_unit = "kg/h";
  EXPECT_TRUE(has(render(s), "(m³/h)/(kg/h)"));
}

TEST(StudyPage, GivesTheSameBytesTwice) {
  EXPECT_EQ(render(made_up_study({})), render(made_up_study({})));
}

TEST(StudyPage, ShowsUncertaintyPerCv) {
  MadeUp s = made_up_study({});
  s.report.uq = Json{{"method", "split_conformal"},
                     {"qhatPerCv", Json::array({1.25, 0.5})},
                     {"coverageTest", 0.93},
                     {"alpha", 0.1}};
  const std::string page = render(s);
  EXPECT_TRUE(has(page, "split_conformal"));
  EXPECT_TRUE(has(page, "1.25"));
  EXPECT_FALSE(has(page, *s.report.uq_reason));
}

}  // namespace
}  // namespace flyball::report
