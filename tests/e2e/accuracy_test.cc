// `flyball study --trainer auto@1` gives the figures of bench/accuracy on the same split.
#include <gtest/gtest.h>

#include "accuracy/records.h"
#include "app/trained.h"
#include "e2e/program.h"
#include "evaluate/free_run.h"
#include "support/shared_data.h"

namespace flyball::testing {
namespace {

/// The fits of the bench: identified in train, free run on the test block behind the purge.
std::vector<double> bench_fits(const bench::Record& record) {
  dataset::Dataset d = bench::read(record);
  const auto found =
      app::train(d, {.trainer = app::Trainer::auto_1, .identify = {}, .steady = {}}, {});
  bench::leave_purge(d, found.history + found.horizon);
  const auto run = evaluate::free_run(d, dataset::Part::test, found.predict, found.history);
  std::vector<double> out;
  for (const auto& f : evaluate::fit(d, run)) out.push_back(f.percent.value_or(-1e9));
  return out;
}

std::vector<double> study_fits(const bench::Record& record) {
  const TempFolder folder;
  const auto& [file, used] = record.files.front();
  int last = 0;
  for (const int c : used) last = std::max(last, c);
  // Names by column number, as in the bench; columns that the bench leaves out have none there.
  std::string columns;
  std::vector<std::string> roles;
  for (int c = 1; c <= last; ++c) {
    const auto at = std::find(used.begin(), used.end(), c);
    const bool input =
        at != used.end() && record.roles[static_cast<std::size_t>(at - used.begin())] == 'u';
    const std::string name = "c" + std::to_string(c);
    columns += (c > 1 ? "," : "") + name;
    if (at != used.end()) roles.insert(roles.end(), {input ? "--mv" : "--cv", name});
  }
  std::vector<std::string> a{"study",     (shared_data() / file).string(),
                             "--columns", columns,
                             "--period",  "1s",
                             "--trainer", "auto@1",
                             "--split",   "0.5,0,0.5",
                             "--data",    (folder / "data").string(),
                             "--json",    "--quiet"};
  a.insert(a.end(), roles.begin(), roles.end());
  const Outcome outcome = run(a);
  std::vector<double> out;
  const auto report = nlohmann::json::parse(outcome.out, nullptr, false);
  EXPECT_TRUE(report.is_object()) << outcome.err;
  if (!report.is_object()) return out;
  for (const auto& f : report["freeRunFit"]) {
    if (f["block"] == "test")
      out.push_back(f["percent"].is_number() ? f["percent"].get<double>() : -1e9);
  }
  return out;
}

TEST(Accuracy, TheStudyOfARecordGivesTheFiguresOfTheBench) {
  FLYBALL_NEEDS_DATA(shared_data() / "daisy");
  int compared = 0;
  for (const bench::Record& record : bench::records()) {
    if (record.name != "dryer" && record.name != "cstr" && record.name != "robot_arm" &&
        record.name != "exchanger") {
      continue;
    }
    SCOPED_TRACE(record.name);
    const auto bench = bench_fits(record), study = study_fits(record);
    ASSERT_EQ(bench.size(), study.size());
    for (std::size_t j = 0; j < bench.size(); ++j) {
      EXPECT_GT(bench[j], 40);
      EXPECT_NEAR(study[j], bench[j], 0.005);
    }
    ++compared;
  }
  EXPECT_EQ(compared, 4);
}

}  // namespace
}  // namespace flyball::testing
