#include "accuracy/records.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace flyball::bench {
namespace {

/// Rows of numbers between blanks, tabs or commas; lines that do not begin with one are skipped.
Matrix read_columns(const std::string& file, const Record::Columns& columns) {
  const auto folder = std::filesystem::path(FLYBALL_SOURCE_DIR) / ".." / "shared" / "data";
  std::ifstream in(folder / file);
  std::vector<std::vector<double>> rows;
  for (std::string line; std::getline(in, line);) {
    std::ranges::replace(line, ',', ' ');
    std::istringstream cells(line);
    std::vector<double> row;
    for (double v = 0; cells >> v;) row.push_back(v);
    if (!row.empty()) rows.push_back(std::move(row));
  }
  Matrix out(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  for (std::size_t t = 0; t < rows.size(); ++t) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      out(static_cast<Index>(t), static_cast<Index>(c)) =
          rows[t].at(static_cast<std::size_t>(columns[c] - 1));
    }
  }
  return out;
}

Matrix beside(const std::vector<std::pair<std::string, Record::Columns>>& files) {
  Matrix out;
  for (const auto& [file, columns] : files) {
    const Matrix part = read_columns(file, columns);
    Matrix wider(out.size() == 0 ? part.rows() : std::min(out.rows(), part.rows()),
                 out.cols() + part.cols());
    if (out.cols() > 0) wider.leftCols(out.cols()) = out.topRows(wider.rows());
    wider.rightCols(part.cols()) = part.topRows(wider.rows());
    out = std::move(wider);
  }
  return out;
}

dataset::Series series(const std::string& run, Matrix values) {
  dataset::Series s;
  s.run_id = run;
  s.mask = Mask::Ones(values.rows(), values.cols());
  for (Index t = 0; t < values.rows(); ++t) s.t.push_back(t * 1'000'000);
  s.values = std::move(values);
  return s;
}

dataset::Norm norm_of(const Eigen::Ref<const Matrix>& train) {
  dataset::Norm n;
  for (Index c = 0; c < train.cols(); ++c) {
    const double mean = train.col(c).mean();
    n.mean.push_back(mean);
    n.std.push_back(std::sqrt((train.col(c).array() - mean).square().sum() /
                              static_cast<double>(train.rows() - 1)));
    n.min.push_back(train.col(c).minCoeff());
    n.max.push_back(train.col(c).maxCoeff());
  }
  return n;
}

}  // namespace

const std::vector<Record>& records() {
  const std::string ced = "nonlinear/ced/ced.csv";
  const std::string tanks = "nonlinear/cascaded_tanks/tanque.csv";
  const std::string tank = "hds_segments/water_tank/siso_simu_";
  static const std::vector<Record> all{
      {"dryer", "uy", {{"daisy/dryer.dat", {1, 2}}}, {}, 0, {88.2}},
      {"cstr", "uyy", {{"daisy/cstr.dat", {2, 3, 4}}}, {}, 0, {83.5, 92.6}},
      {"robot_arm", "uy", {{"daisy/robot_arm.dat", {1, 2}}}, {}, 0, {97.1}},
      {"steamgen",
       "uuuuyyyy",
       {{"daisy/steamgen.dat", {2, 3, 4, 5, 6, 7, 8, 9}}},
       {},
       0,
       {80.7, 51.4, 84.7, 87.1}},
      {"thermic_res_wall", "uuy", {{"daisy/thermic_res_wall.dat", {1, 2, 3}}}, {}, 0, {85.6}},
      {"winding", "uuuuuyy", {{"daisy/winding.dat", {1, 2, 3, 4, 5, 6, 7}}}, {}, 0, {83.0, 47.2}},
      {"evaporator",
       "uuuyyy",
       {{"daisy/evaporator.dat", {1, 2, 3, 4, 5, 6}}},
       {},
       0,
       {52.0, 58.2, 46.9}},
      {"exchanger", "uy", {{"daisy/exchanger.dat", {2, 3}}}, {}, 0, {53.9}},
      {"ballbeam", "ul", {{"daisy/ballbeam.dat", {1, 2}}}, {}, 0, {}},
      {"powerplant", "uuuuuyyy", {{"daisy/powerplant.dat", {2, 3, 4, 5, 6, 7, 8, 9}}}, {}, 0, {}},
      {"destill", "uuuuuyyy", {{"daisy/destill.dat", {2, 3, 4, 5, 6, 22, 23, 24}}}, {}, 0, {}},
      {"cascaded_tanks", "uy", {{tanks, {1, 3}}}, {{tanks, {2, 4}}}, 0, {}},
      {"ced_1", "uy", {{ced, {1, 2}}}, {}, 300, {}},
      {"ced_2", "uy", {{ced, {3, 4}}}, {}, 300, {}},
      {"ced_3", "uy", {{ced, {5, 6}}}, {}, 300, {}},
      {"engine_emission",
       "uuuuuuy",
       {{"nonlinear/engine_emission/emission.csv", {1, 2, 3, 4, 5, 6, 7}}},
       {},
       10'000,
       {}},
      {"f16_vibration", "uuy", {{"nonlinear/f16_vibration/f-16.txt", {1, 2, 3}}}, {}, 0, {}},
      {"buck_converter",
       "uy",
       {{"nonlinear/buck_converter/buck_id.csv", {2, 3}}},
       {{"nonlinear/buck_converter/buck_valid.csv", {2, 3}}},
       0,
       {}},
      {"ball_and_hoop",
       "uy",
       {{"closed_loop_rigs/ball_and_hoop/fixedStepSequence.csv", {2, 3}}},
       {},
       0,
       {}},
      {"tclab_energy", "uuyy", {{"tclab/mimo_energy_balance.txt", {2, 3, 4, 5}}}, {}, 0, {}},
      {"tclab_steps", "uuyy", {{"tclab/mimo_random_steps.txt", {2, 3, 4, 5}}}, {}, 0, {}},
      {"water_tank", "uy", {{tank + "mv.csv", {1}}, {tank + "y.csv", {1}}}, {}, 0, {}}};
  return all;
}

dataset::Dataset read(const Record& record) {
  dataset::Dataset d;
  Matrix values = beside(record.files);
  if (values.rows() == 0) return d;
  d.spec.beat_ms = 1000;
  for (std::size_t c = 0; c < record.roles.size(); ++c) {
    dataset::Variable v;
    v.id = fmt::format("{}{}", record.roles[c] == 'u' ? 'u' : 'y', c + 1);
    v.node_id = "L/" + v.id;
    v.role = record.roles[c] == 'u' ? dataset::Role::mv : dataset::Role::cv;
    v.integrating = record.roles[c] == 'l';
    v.scale = 1;
    v.offset = 0;
    d.spec.variables.push_back(v);
  }
  const Index n = values.rows();
  if (!record.test_files.empty()) {
    Matrix test = beside(record.test_files);
    const Index rows = test.rows();
    d.norm = norm_of(values);
    d.runs.push_back(series("R1", std::move(values)));
    d.runs.push_back(series("R2", std::move(test)));
    d.blocks = {{"R1#0", "R1", dataset::Part::train, 0, n, 0, 0, n},
                {"R2#0", "R2", dataset::Part::test, 0, rows, 0, 0, rows}};
    return d;
  }
  const Index train = record.train_rows > 0 ? record.train_rows : n / 2;
  d.norm = norm_of(values.topRows(train));
  d.runs.push_back(series("R1", std::move(values)));
  d.blocks = {{"R1#0", "R1", dataset::Part::train, 0, train, 0, 0, train},
              {"R1#1", "R1", dataset::Part::test, train, n - train, 0, 0, n - train}};
  return d;
}

void leave_purge(dataset::Dataset& data, Index purge) {
  if (data.runs.size() > 1) return;
  dataset::Block& test = data.blocks.back();
  const Index rows = std::min<Index>(purge, test.steps);
  test.first_step += rows;
  test.steps -= rows;
  test.unique_steps -= rows;
  test.purge_before_steps = rows;
}

}  // namespace flyball::bench
