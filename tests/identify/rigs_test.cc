// Laboratory rigs in closed loop (../shared/data/closed_loop_rigs), real records.
#include <gtest/gtest.h>

#include "identify/identify.h"
#include "identify/records.h"

namespace flyball::identify {
namespace {

/// Columns of a table with a header; empty when the folder is absent.
Matrix rig(const std::string& file, const std::vector<std::size_t>& columns) {
  const std::filesystem::path path = std::filesystem::path(FLYBALL_SOURCE_DIR) / ".." / "shared" /
                                     "data" / "closed_loop_rigs" / file;
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  std::vector<std::vector<double>> rows;
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    std::vector<double> row;
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::stod(cell));
    rows.push_back(row);
  }
  Matrix out(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  for (Index t = 0; t < out.rows(); ++t) {
    for (Index c = 0; c < out.cols(); ++c) {
      out(t, c) = rows[static_cast<std::size_t>(t)][columns[static_cast<std::size_t>(c)]];
    }
  }
  return out;
}

ArxOptions with_set_point() {
  ArxOptions options;
  options.set_points = {{"u1", "d1"}};
  return options;
}

TEST(ClosedLoopRigs, TheBallAndHoopIsInALoopAndInOpenLoopItIsNot) {
  const Matrix open = rig("ball_and_hoop/fixedStepSequence.csv", {1, 2});
  FLYBALL_NEEDS_SHARED(open);
  EXPECT_FALSE(identify_arx(record_dataset(open, "uy")).findings.feedback.at(0).in_loop);
  const IdentifyResult r =
      identify_arx(record_dataset(rig("ball_and_hoop/closedLoop.csv", {1, 2}), "uy"));
  EXPECT_TRUE(r.findings.feedback.at(0).in_loop);
  EXPECT_EQ(r.findings.feedback.at(0).direction, -1);
  EXPECT_FALSE(r.findings.loop_gains.at(0).sign_known) << "lag 0 makes half of the gain of it";
}

/// Two estimates that need different things agree, and the model takes the one.
TEST(ClosedLoopRigs, WithTheSetPointTheGainsAgree) {
  const Matrix hoop = rig("ball_and_hoop/closedLoop.csv", {1, 3, 2});
  FLYBALL_NEEDS_SHARED(hoop);
  const Matrix drone = rig("quarter_drone/sinal2_degraus_malha_fechada.csv", {3, 1, 2});
  for (const Matrix* x : {&hoop, &drone}) {
    const IdentifyResult r = identify_arx(record_dataset(*x, "udy"), with_set_point());
    const LoopGain& g = r.findings.loop_gains.at(0);
    ASSERT_TRUE(g.instrumental && g.direct);
    EXPECT_TRUE(g.sign_known);
    EXPECT_EQ(g.used, "instrumental");
    EXPECT_GT(*g.instrumental, 0) << "more drive, more angle";
    EXPECT_NEAR(*g.instrumental, *g.direct,
                2.58 * std::hypot(*g.instrumental_std_error, *g.direct_std_error));
    EXPECT_GE(r.findings.dead_times.at(0).steps, 1);
  }
}

}  // namespace
}  // namespace flyball::identify
