#pragma once
// Public nonlinear benchmarks with their official splits, as datasets of one input and one output.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "evaluate/free_run.h"
#include "evaluate/narx_predictor.h"

namespace flyball::bench {

/// First samples of the test record that are free for the state and are not scored.
inline constexpr Index kFreeSamples = 50;

struct NonlinearRecord {
  std::string name, split;
  dataset::Dataset data;  ///< runs "train" and "test"
  double test_std = 0;    ///< of y over the scored samples
};

/// A table with a header line; empty when the file is absent.
inline Matrix read_csv(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  std::vector<std::vector<double>> rows;
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    std::vector<double> row;
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::stod(cell));
    if (!row.empty()) rows.push_back(row);
  }
  Matrix out(static_cast<Index>(rows.size()),
             rows.empty() ? 0 : static_cast<Index>(rows[0].size()));
  for (Index t = 0; t < out.rows(); ++t) {
    for (Index c = 0; c < out.cols(); ++c)
      out(t, c) = rows[static_cast<std::size_t>(t)][static_cast<std::size_t>(c)];
  }
  return out;
}

inline NonlinearRecord two_runs(std::string name, std::string split, const Matrix& train,
                                const Matrix& test) {
  NonlinearRecord r{std::move(name), std::move(split), {}, 0};
  r.data.spec.beat_ms = 1000;
  for (const bool cv : {false, true}) {
    dataset::Variable v;
    v.id = cv ? "y" : "u";
    v.node_id = "L/" + v.id;
    v.role = cv ? dataset::Role::cv : dataset::Role::mv;
    v.scale = 1;
    v.offset = 0;
    r.data.spec.variables.push_back(v);
  }
  for (Index c = 0; c < train.cols(); ++c) {
    const double mean = train.col(c).mean();
    r.data.norm.mean.push_back(mean);
    r.data.norm.std.push_back(std::sqrt((train.col(c).array() - mean).square().sum() /
                                        static_cast<double>(train.rows() - 1)));
    r.data.norm.min.push_back(train.col(c).minCoeff());
    r.data.norm.max.push_back(train.col(c).maxCoeff());
  }
  for (const bool is_test : {false, true}) {
    const Matrix& values = is_test ? test : train;
    const std::string id = is_test ? "test" : "train";
    dataset::Series s;
    s.run_id = id;
    s.values = values;
    s.mask = Mask::Ones(values.rows(), 2);
    for (Index t = 0; t < values.rows(); ++t) s.t.push_back(t * 1'000'000);
    r.data.runs.push_back(std::move(s));
    r.data.blocks.push_back({id + "#0", id, is_test ? dataset::Part::test : dataset::Part::train, 0,
                             values.rows(), 0, 0, values.rows()});
  }
  const auto scored = test.col(1).tail(test.rows() - kFreeSamples).array();
  r.test_std = std::sqrt((scored - scored.mean()).square().mean());
  return r;
}

/// Cascaded tanks: the estimation record trains, the validation record tests.
inline NonlinearRecord cascaded_tanks(const std::filesystem::path& folder) {
  const Matrix x = read_csv(folder / "cascaded_tanks" / "cascaded_tanks.csv");
  Matrix train(x.rows(), 2), test(x.rows(), 2);
  train << x.col(0), x.col(1);
  test << x.col(2), x.col(3);
  return two_runs("cascaded tanks", "official records", train, test);
}

/// Coupled drives, PRBS of three amplitudes; y is the speed without its sign.
inline NonlinearRecord coupled_drives(const std::filesystem::path& folder, Index set) {
  const Matrix x = read_csv(folder / "ced" / "ced.csv").middleCols(2 * set, 2);
  return two_runs("CED " + std::to_string(set + 1), "first 300 / last 200", x.topRows(300),
                  x.bottomRows(200));
}

/// Free run over the test record: H = the free samples, RMS over the rest.
inline double free_run_rmse(const NonlinearRecord& r, const evaluate::Predict& predict) {
  const evaluate::FreeRun run =
      evaluate::free_run(r.data, dataset::Part::test, predict, kFreeSamples);
  double sum = 0, rows = 0;
  for (const evaluate::FreeRunPiece& piece : run.pieces) {
    sum += (piece.actual - piece.predicted).squaredNorm();
    rows += static_cast<double>(piece.actual.rows());
  }
  return std::sqrt(sum / rows);
}

}  // namespace flyball::bench
