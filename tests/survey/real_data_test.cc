// What the survey says of public records of real plants, imported as their SOURCE.md says
// (tests/cases/shared_tables.json), but without being told which number stands for "no value".
#include <gtest/gtest.h>

#include "dataset/build.h"
#include "historian/import.h"
#include "store/files.h"
#include "support/shared_data.h"
#include "survey/line.h"

namespace flyball::survey {
namespace {

using testing::shared_data;

class RealData : public ::testing::Test {
 protected:
  static historian::ImportOptions options_of(const std::string& file) {
    const Json tables =
        Json::parse(store::read_file(FLYBALL_SOURCE_DIR "/tests/cases/shared_tables.json"));
    for (const Json& table : tables.at("tables")) {
      if (table.at("file") != file) continue;
      Json options = table.at("options");
      options.erase("badValue");
      return parse_record<historian::ImportOptions>(options);
    }
    ADD_FAILURE() << file << " is not in the list";
    return {};
  }

  TagSurvey survey(const std::string& file) {
    const historian::ImportOptions options = options_of(file);
    historian::import_text(store::read_file(shared_data() / file), options, store_);
    TagSurveyRequest request;
    request.filter.line_id = options.line;
    TagSurvey s = survey_tags(store_, request);
    for (const Proposal& p : s.proposals) std::cout << "  " << p.text << "\n";
    return s;
  }

  static const TagFacts& tag(const TagSurvey& s, const std::string& name) {
    return *std::ranges::find(s.tags, name, &TagFacts::tag);
  }

  historian::MemoryHistorian store_;
};

#define NEEDS(file) FLYBALL_NEEDS_DATA(shared_data() / (file))

TEST_F(RealData, AirQualityHasMinus200InEveryChannelAndNothingElse) {
  NEEDS("airquality_uci/AirQualityUCI.csv");
  const TagSurvey s = survey("airquality_uci/AirQualityUCI.csv");
  const Proposal* p = find_code(s.proposals, "SURVEY_BAD_VALUE");
  ASSERT_NE(p, nullptr);
  EXPECT_EQ(p->value, "-200");
  EXPECT_EQ(p->tags.size(), 13u);
  EXPECT_EQ(std::ranges::count(codes(s.proposals), "SURVEY_BAD_VALUE"), 1);
  EXPECT_EQ(tag(s, "NMHC(GT)").bad_values[0].count, 8443);
  EXPECT_EQ(tag(s, "CO(GT)").bad_values[0].count, 1683);
  EXPECT_EQ(tag(s, "T").values.min, -1.9);
  EXPECT_EQ(tag(s, "T").sampling.step, 3600 * kSecond);
}

TEST_F(RealData, TheDebutanizersArchiveInterpolatedTwoOfItsInputs) {
  NEEDS("softsensor/Debutanizer_Column_Data.txt");
  const TagSurvey s = survey("softsensor/Debutanizer_Column_Data.txt");
  std::vector<std::string> interpolated;
  for (const TagFacts& f : s.tags) {
    if (f.straight) interpolated.push_back(f.tag);
    EXPECT_TRUE(f.bad_values.empty()) << f.tag;
    EXPECT_FALSE(f.unit_jump) << f.tag;
  }
  EXPECT_EQ(interpolated, (std::vector<std::string>{"u1", "u4"}));
}

TEST_F(RealData, TheGasTurbinesNoxRepeatsOneValueForDays) {
  NEEDS("gas_turbine/gt_2011.csv");
  const TagSurvey s = survey("gas_turbine/gt_2011.csv");
  EXPECT_EQ(tag(s, "NOX").frozen.empty() ? 0 : tag(s, "NOX").frozen[0].samples, 102);
  EXPECT_EQ(tag(s, "TEY").values.count, 7411);
}

TEST_F(RealData, TheWaterRigIsSampledAtOneSecondWithGaps) {
  NEEDS("skab/anomaly-free/anomaly-free.csv");
  const TagSurvey s = survey("skab/anomaly-free/anomaly-free.csv");
  const Sampling& clock = tag(s, "Current").sampling;
  EXPECT_EQ(clock.step, kSecond);
  EXPECT_GT(clock.gaps, 0);
  for (const TagFacts& f : s.tags) EXPECT_TRUE(f.bad_values.empty()) << f.tag;
}

TEST_F(RealData, BatchesOfUnequalLengthStayApart) {
  NEEDS("batch_dryer/dryer.csv");
  const TagSurvey dryer = survey("batch_dryer/dryer.csv");
  EXPECT_EQ(dryer.tags[0].sampling.runs, 71);
  EXPECT_EQ(dryer.tags[0].samples.total, 9220);
  EXPECT_EQ(dryer.tags[0].sampling.gaps, 0) << "the time between batches is no gap";
  EXPECT_FALSE(tag(dryer, "DryerTemp").unit_jump);
}

TEST_F(RealData, NylonBatchesStayApart) {
  NEEDS("batch_nylon/nylon.csv");
  const TagSurvey nylon = survey("batch_nylon/nylon.csv");
  EXPECT_EQ(nylon.tags[0].sampling.runs, 57);
  EXPECT_EQ(nylon.tags[0].samples.total, 6641);
  EXPECT_TRUE(tag(nylon, "Tag01").shape.looks_stepped) << "the phase of the batch";
}

TEST_F(RealData, TheReactorsClocksSlip) {
  const std::string file = "bioreactor_car/Carboxylase_19/O2_2021-09-16-09-30_Chronograf_Data.csv";
  NEEDS(file);
  const TagSurvey s = survey(file);
  EXPECT_EQ(s.tags.size(), 48u);
  const TagFacts& f = s.tags[0];
  EXPECT_EQ(f.samples.total, 1083);
  EXPECT_EQ(f.sampling.step, 60 * kSecond);
  EXPECT_NEAR(f.sampling.clock_slip, -2.8, 0.05) << "1 082 steps take 64 752 s";
  EXPECT_TRUE(has_code(s.proposals, "SURVEY_CLOCK_SLIPS"));
}

dataset::Variable variable(const std::string& name, dataset::Role role) {
  dataset::Variable v;
  v.id = name;
  v.node_id = "default/" + name;
  v.role = role;
  v.scale = 1;
  v.offset = 0;
  return v;
}

TEST_F(RealData, TheDebutanizersTwinBottomTemperaturesMoveTogether) {
  NEEDS("softsensor/Debutanizer_Column_Data.txt");
  survey("softsensor/Debutanizer_Column_Data.txt");
  dataset::Spec spec;
  spec.line_id = spec.product_id = spec.recipe_id = "default";
  for (int i = 1; i <= 7; ++i)
    spec.variables.push_back(variable("u" + std::to_string(i), dataset::Role::mv));
  spec.variables.push_back(variable("y", dataset::Role::cv));
  spec.beat_ms = 360'000;
  const dataset::Built built = dataset::build(store_, spec);
  const DatasetSurvey s = survey_dataset(built.dataset, built.report);
  for (const Proposal& p : s.proposals) std::cout << "  " << p.text << "\n";
  ASSERT_FALSE(s.correlations.strong.empty());
  EXPECT_EQ(s.correlations.strong[0].first, "u6");
  EXPECT_EQ(s.correlations.strong[0].second, "u7");
  EXPECT_EQ(s.pairs.size(), 7u);
}

}  // namespace
}  // namespace flyball::survey
