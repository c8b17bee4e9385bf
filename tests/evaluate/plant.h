#pragma once
// A plant with known truth and datasets made from it: 2 CVs, 2 MVs, 1 DV.
#include <string>
#include <vector>

#include "dataset/dataset.h"
#include "evaluate/evaluate.h"
#include "math/random.h"
#include "model/linear_state_space.h"

namespace flyball::testing {

/// y1 answers mv1 after 3 steps and dv after 1; y2 answers mv2 after 1 step. Poles 0.9 and 0.7.
inline model::LinearStateSpace known_plant() {
  model::LinearStateSpace m;
  m.A = Vector{{0.9, 0.7}}.asDiagonal();
  m.B = Matrix{{0.2, 0.0, 0.1}, {0.0, 0.6, 0.0}};
  m.C = Matrix::Identity(2, 2);
  m.D = Matrix::Zero(2, 3);
  m.K = Matrix{{0.5, 0.0}, {0.0, 0.4}};
  m.f = Vector::Zero(2);
  m.g = Vector{{20.0, 5.0}};
  m.u0 = Vector{{1.0, 2.0, 0.0}};
  m.S = Matrix::Identity(2, 2);
  m.channels = {{0, 2}, {1, 0}, {2, 0}};
  m.n_mv = 2;
  return m;
}

struct PlantOptions {
  Index rows = 1200;  ///< of each run
  int runs = 1;       ///< one run is cut into train 0.5, val 0.25, test 0.25; more: by run
  double noise = 0;   ///< standard deviation of the innovation
  Index history = 10, horizon = 12;
  std::uint32_t seed = 7;
};

/// Runs the equations of linear_state_space.h; columns mv1 mv2 dv y1 y2.
inline Matrix run_plant(const model::LinearStateSpace& m, Index rows, double noise,
                        math::Random& random) {
  Matrix out(rows, 5);
  Vector level{{1.0, 2.0, 0.0}};
  for (Index t = 0; t < rows; ++t) {
    for (Index i = 0; i < 3; ++i) {
      if (random.uniform() < (i == 2 ? 0.3 : 0.1)) level(i) = m.u0(i) + random.uniform(-1, 1);
    }
    out.row(t).head(3) = level.transpose();
  }
  Vector x = Vector::Zero(m.states()), in(static_cast<Index>(m.channels.size()));
  for (Index t = 0; t < rows; ++t) {
    for (std::size_t c = 0; c < m.channels.size(); ++c) {
      const auto& channel = m.channels[c];
      const Index row = std::max<Index>(0, t - channel.delay);
      in(static_cast<Index>(c)) = out(row, channel.input) - m.u0(channel.input);
    }
    const Vector e = Vector::NullaryExpr(m.outputs(), [&] { return noise * random.normal(); });
    out.row(t).tail(2) = (m.C * x + m.D * in + m.g + e).transpose();
    x = (m.A * x + m.B * in + m.K * e + m.f).eval();
  }
  return out;
}

/// Mean, deviation (n − 1), minimum and maximum of every column over the train blocks.
inline void normalise(dataset::Dataset& data) {
  const Index columns = data.runs.front().values.cols();
  data.norm = {};
  for (Index c = 0; c < columns; ++c) {
    std::vector<double> x;
    for (const auto* block : data.part(dataset::Part::train)) {
      const auto& values = data.run(block->run_id).values;
      for (Index i = 0; i < block->steps; ++i) {
        const double v = values(block->first_step + i, c);
        if (!std::isnan(v)) x.push_back(v);
      }
    }
    const Eigen::Map<const Vector> v(x.data(), static_cast<Index>(x.size()));
    data.norm.mean.push_back(v.mean());
    data.norm.std.push_back(
        std::sqrt((v.array() - v.mean()).square().sum() / static_cast<double>(v.size() - 1)));
    data.norm.min.push_back(v.minCoeff());
    data.norm.max.push_back(v.maxCoeff());
  }
}

inline void add_block(dataset::Dataset& data, const std::string& run, dataset::Part part,
                      Index first, Index steps) {
  dataset::Block b;
  b.block_id = run + "#" + std::to_string(data.blocks.size());
  b.run_id = run;
  b.split = part;
  b.first_step = first;
  b.steps = steps;
  b.unique_steps = steps;
  data.blocks.push_back(b);
}

/// Runs are assigned train, val, test in turn by thirds when there are several.
inline dataset::Dataset make_dataset(const model::LinearStateSpace& plant, const PlantOptions& o) {
  using dataset::Part;
  using dataset::Role;
  dataset::Dataset data;
  const auto variable = [&](const char* id, Role role) {
    dataset::Variable v;
    v.id = id;
    v.node_id = std::string("line/") + id;
    v.role = role;
    data.spec.variables.push_back(v);
  };
  variable("mv1", Role::mv);
  variable("mv2", Role::mv);
  variable("dv", Role::dv);
  variable("y1", Role::cv);
  variable("y2", Role::cv);
  data.spec.beat_ms = 1000;
  data.spec.window = {o.history, o.horizon};
  math::Random random(o.seed);
  for (int r = 0; r < o.runs; ++r) {
    dataset::Series s;
    s.run_id = "run" + std::to_string(r);
    s.values = run_plant(plant, o.rows, o.noise, random);
    s.mask = Mask::Ones(o.rows, 5);
    data.runs.push_back(std::move(s));
  }
  const Index purge = o.history + o.horizon;
  if (o.runs == 1) {
    const Index half = o.rows / 2, quarter = o.rows / 4;
    add_block(data, "run0", Part::train, 0, half);
    add_block(data, "run0", Part::val, half + purge, quarter - purge);
    add_block(data, "run0", Part::test, half + quarter + purge, quarter - purge);
  } else {
    for (const Part part : {Part::train, Part::val, Part::test}) {
      for (int r = 0; r < o.runs; ++r) {
        if (r * 3 / o.runs == static_cast<int>(part)) {
          add_block(data, "run" + std::to_string(r), part, 0, o.rows);
        }
      }
    }
  }
  normalise(data);
  return data;
}

/// The same data after v·scale + offset on every column.
inline dataset::Dataset in_other_units(dataset::Dataset data, double scale, double offset) {
  for (auto& run : data.runs) run.values = (run.values.array() * scale + offset).matrix();
  normalise(data);
  return data;
}

/// The predictor that belongs to in_other_units.
inline evaluate::Predict in_other_units(evaluate::Predict inner, double scale, double offset) {
  return [=](const model::Record& record, Index t, Index steps, Eigen::Ref<Matrix> out) {
    const model::Record back{((record.u.array() - offset) / scale).matrix(),
                             ((record.y.array() - offset) / scale).matrix()};
    inner(back, t, steps, out);
    out = (out.array() * scale + offset).matrix();
  };
}

/// Column i of the result is column order[i] of the data.
inline dataset::Dataset permuted(const dataset::Dataset& data, const std::vector<Index>& order) {
  dataset::Dataset out = data;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Index from = order[i];
    out.spec.variables[i] = data.spec.variables[static_cast<std::size_t>(from)];
    for (std::size_t r = 0; r < data.runs.size(); ++r) {
      out.runs[r].values.col(static_cast<Index>(i)) = data.runs[r].values.col(from);
      out.runs[r].mask.col(static_cast<Index>(i)) = data.runs[r].mask.col(from);
    }
  }
  normalise(out);
  return out;
}

/// Train mean of every CV, whatever happens.
inline evaluate::Predict constant_predictor(const dataset::Dataset& data) {
  std::vector<double> means;
  for (const Index c : data.columns(dataset::Role::cv))
    means.push_back(data.norm.mean[static_cast<std::size_t>(c)]);
  return [means](const model::Record&, Index, Index, Eigen::Ref<Matrix> out) {
    for (std::size_t j = 0; j < means.size(); ++j)
      out.col(static_cast<Index>(j)).setConstant(means[j]);
  };
}

inline evaluate::Evaluation evaluate_known(const dataset::Dataset& data,
                                           const evaluate::Predict& predict) {
  evaluate::Options options;
  options.dataset_sha256 = "d1";
  options.artifact_hash = "a1";
  return evaluate::evaluate(data, predict, options);
}

}  // namespace flyball::testing
