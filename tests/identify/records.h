#pragma once
// Datasets of this room's tests: from a matrix, and from the shared DaISy records.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "dataset/dataset.h"
#include "model/simulate.h"

namespace flyball::identify {

using dataset::Part;
using dataset::Role;

/// Roles by letter, one per column: "uuy" is two MVs and a CV, "d" a DV. Named u1, u2, y1, d1, ...
inline dataset::Spec spec_of(const std::string& roles) {
  dataset::Spec spec;
  spec.beat_ms = 1000;
  int counts[256] = {};
  for (const char role : roles) {
    dataset::Variable v;
    v.id = std::string(1, role) + std::to_string(++counts[static_cast<unsigned char>(role)]);
    v.node_id = "L/" + v.id;
    v.role = role == 'u' ? Role::mv : role == 'd' ? Role::dv : Role::cv;
    v.scale = 1;
    v.offset = 0;
    spec.variables.push_back(v);
  }
  return spec;
}

inline dataset::Series series_of(const std::string& id, const Matrix& values) {
  dataset::Series s;
  s.run_id = id;
  s.values = values;
  s.mask = Mask::Ones(values.rows(), values.cols());
  for (Index t = 0; t < values.rows(); ++t) {
    s.t.push_back(t * 1'000'000);
    for (Index c = 0; c < values.cols(); ++c) {
      if (!std::isfinite(values(t, c))) s.mask(t, c) = 0;
    }
  }
  return s;
}

/// One record cut in time: train 1/2, val 1/4, test 1/4.
inline dataset::Dataset record_dataset(const Matrix& values, const std::string& roles) {
  dataset::Dataset d;
  d.spec = spec_of(roles);
  d.runs.push_back(series_of("R1", values));
  const Index n = values.rows();
  d.blocks = {{"R1#0", "R1", Part::train, 0, n / 2, 0, 0, n / 2},
              {"R1#1", "R1", Part::val, n / 2, n / 4, 0, 0, n / 4},
              {"R1#2", "R1", Part::test, n / 2 + n / 4, n - n / 2 - n / 4, 0, 0, n / 4}};
  return d;
}

/// Every run is train.
inline dataset::Dataset train_dataset(const std::vector<Matrix>& runs, const std::string& roles) {
  dataset::Dataset d;
  d.spec = spec_of(roles);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string id = "R" + std::to_string(i + 1);
    d.runs.push_back(series_of(id, runs[i]));
    d.blocks.push_back({id + "#0", id, Part::train, 0, runs[i].rows(), 0, 0, runs[i].rows()});
  }
  return d;
}

/// Rows of a block as the model sees them.
inline model::Record record_of(const dataset::Dataset& d, const dataset::Block& block) {
  const auto& values = d.run(block.run_id).values;
  std::vector<Index> inputs = d.columns(Role::mv);
  for (const Index c : d.columns(Role::dv)) inputs.push_back(c);
  const std::vector<Index> outputs = d.columns(Role::cv);
  model::Record r{Matrix(block.steps, static_cast<Index>(inputs.size())),
                  Matrix(block.steps, static_cast<Index>(outputs.size()))};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    r.u.col(static_cast<Index>(i)) = values.col(inputs[i]).segment(block.first_step, block.steps);
  }
  for (std::size_t j = 0; j < outputs.size(); ++j) {
    r.y.col(static_cast<Index>(j)) = values.col(outputs[j]).segment(block.first_step, block.steps);
  }
  return r;
}

/// 100·(1 − ‖y−ŷ‖/‖y−ȳ‖) per CV of a free run over the part's first block after H rows.
inline Vector free_run_fit(const model::LinearStateSpace& m, const dataset::Dataset& d, Part part,
                           Index history) {
  const model::Record r = record_of(d, *d.part(part).front());
  const Index steps = r.y.rows() - history;
  Matrix predicted(steps, r.y.cols());
  model::Simulator simulator(m);
  simulator.start(r, history, history);
  simulator.rollout(r, history, history, steps, model::Future::measured, predicted);
  const Matrix y = r.y.bottomRows(steps);
  const Matrix centred = y.rowwise() - y.colwise().mean();
  Vector fit(y.cols());
  for (Index j = 0; j < y.cols(); ++j) {
    fit(j) = 100 * (1 - (y.col(j) - predicted.col(j)).norm() / centred.col(j).norm());
  }
  return fit;
}

/// Columns of ../shared/data/daisy/<file>, by 1-based number; empty when the folder is absent.
inline Matrix daisy(const std::string& file, const std::vector<int>& columns) {
  const std::filesystem::path path =
      std::filesystem::path(FLYBALL_SOURCE_DIR) / ".." / "shared" / "data" / "daisy" / file;
  std::ifstream in(path);
  std::vector<std::vector<double>> rows;
  for (std::string line; std::getline(in, line);) {
    std::istringstream cells(line);
    std::vector<double> row;
    for (double v = 0; cells >> v;) row.push_back(v);
    if (!row.empty()) rows.push_back(row);
  }
  Matrix out(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  for (Index t = 0; t < out.rows(); ++t) {
    for (Index c = 0; c < out.cols(); ++c) {
      out(t, c) = rows[static_cast<std::size_t>(t)]
                      [static_cast<std::size_t>(columns[static_cast<std::size_t>(c)] - 1)];
    }
  }
  return out;
}

inline bool shared_required() {
  const char* value = std::getenv("FLYBALL_REQUIRE_SHARED");
  return value != nullptr && std::string(value) == "1";
}

}  // namespace flyball::identify

#define FLYBALL_NEEDS_SHARED(matrix)                                                    \
  if ((matrix).rows() == 0) {                                                           \
    ASSERT_FALSE(flyball::identify::shared_required()) << "the shared data are absent"; \
    GTEST_SKIP() << "the shared data (../shared/data/daisy) are absent";                \
  }
