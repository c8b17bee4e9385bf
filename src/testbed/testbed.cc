#include "testbed/testbed.h"

#include <charconv>
#include <cmath>

#include "core/time.h"
#include "testbed/signals.h"

namespace flyball::testbed {
namespace {

Matrix input_signal(Index inputs, const RecordOptions& o, math::Random& random) {
  const auto hold = static_cast<Index>(std::max(1.0, std::round(o.switch_steps)));
  switch (o.signal) {
    case Signal::gbn:
      return gbn(o.steps, inputs, o.switch_steps, o.amplitude, random);
    case Signal::prbs:
      return prbs(o.steps, inputs, 9, hold, o.amplitude);
    case Signal::staircase:
      break;
  }
  return staircase(o.steps, inputs, hold, o.amplitude, random);
}

/// All channels of a plant, in deviations from the operating point.
class Running {
 public:
  Running(const Plant& plant, double period) {
    for (const auto& row : plant.channels) {
      channels_.emplace_back();
      for (const ChannelSpec& spec : row) channels_.back().emplace_back(spec, period);
    }
  }
  [[nodiscard]] double output(Index i) const {
    double sum = 0;
    for (const Channel& c : channels_[static_cast<std::size_t>(i)]) sum += c.output();
    return sum;
  }
  template <class Row>
  void advance(const Row& u) {
    for (auto& row : channels_) {
      for (std::size_t j = 0; j < row.size(); ++j) row[j].advance(u(static_cast<Index>(j)));
    }
  }

 private:
  std::vector<std::vector<Channel>> channels_;
};

/// From deviations to engineering units.
void add_operating_point(SimulatedRecord& record) {
  for (Index j = 0; j < record.u.cols(); ++j)
    record.u.col(j).array() += record.plant.u0[static_cast<std::size_t>(j)];
  for (Index i = 0; i < record.y.cols(); ++i) {
    const double y0 = record.plant.y0[static_cast<std::size_t>(i)];
    record.y.col(i).array() += y0;
    record.y_clean.col(i).array() += y0;
  }
}

void append_number(std::string& out, double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  out.append(text, end);
}

}  // namespace

Matrix Plant::gains() const {
  Matrix k(outputs(), inputs());
  for (Index i = 0; i < outputs(); ++i) {
    for (Index j = 0; j < inputs(); ++j)
      k(i, j) = channels[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)].gain;
  }
  return k;
}

Eigen::MatrixX<std::int64_t> Plant::dead_steps(double period) const {
  Eigen::MatrixX<std::int64_t> d(outputs(), inputs());
  for (Index i = 0; i < outputs(); ++i) {
    for (Index j = 0; j < inputs(); ++j) {
      const ChannelSpec& c = channels[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      d(i, j) = c.gain == 0 ? 0 : c.dead_steps(period);
    }
  }
  return d;
}

Plant fopdt() {
  return {{{{.gain = 2, .tau1 = 10, .dead_time = 3}}}, {50}, {120}};
}

Plant two_by_two() {
  return {{{{.gain = 1.5, .tau1 = 12, .dead_time = 2}, {.gain = -0.8, .tau1 = 20, .dead_time = 7}},
           {{}, {.gain = 0.6, .tau1 = 8, .dead_time = 1}}},
          {40, 15},
          {200, 3}};
}

Plant second_order() {
  return {{{{.gain = 1.5, .tau1 = 12, .tau2 = 5, .dead_time = 2}}}, {10}, {75}};
}

Plant level() {
  return {{{{.gain = 0.02, .dead_time = 1, .integrating = true}}}, {30}, {50}};
}

SimulatedRecord simulate(const Plant& plant, const RecordOptions& options) {
  math::Random random(options.seed);
  SimulatedRecord out;
  out.period = options.period;
  out.plant = plant;
  out.u = input_signal(plant.inputs(), options, random);
  out.y_clean.resize(options.steps, plant.outputs());
  Running running(plant, options.period);
  for (Index t = 0; t < options.steps; ++t) {
    for (Index i = 0; i < plant.outputs(); ++i) out.y_clean(t, i) = running.output(i);
    running.advance(out.u.row(t));
  }
  out.y = out.y_clean;
  if (options.snr_db) add_noise(out.y, *options.snr_db, random);
  add_operating_point(out);
  return out;
}

ClosedLoopRecord simulate_pi_loop(const Plant& plant, const PiSettings& pi,
                                  const RecordOptions& options) {
  math::Random random(options.seed);
  ClosedLoopRecord out;
  out.setpoint = input_signal(1, options, random).col(0);
  SimulatedRecord& record = out.record;
  record.period = options.period;
  record.plant = plant;
  record.u = Matrix::Zero(options.steps, plant.inputs());
  record.y.resize(options.steps, plant.outputs());
  record.y_clean.resize(options.steps, plant.outputs());
  // In closed loop the noise acts back on y, so its size is taken from the set-point.
  const double spread = std::sqrt((out.setpoint.array() - out.setpoint.mean()).square().mean());
  const double sigma = options.snr_db ? spread * std::pow(10.0, -*options.snr_db / 20) : 0;
  Running running(plant, options.period);
  double sum = 0;
  for (Index t = 0; t < options.steps; ++t) {
    for (Index i = 0; i < plant.outputs(); ++i) {
      record.y_clean(t, i) = running.output(i);
      record.y(t, i) = record.y_clean(t, i) + sigma * random.normal();
    }
    const double error = out.setpoint(t) - record.y(t, 0);
    sum += error * options.period / pi.integral_time;
    record.u(t, 0) = pi.gain * (error + sum);
    running.advance(record.u.row(t));
  }
  out.setpoint.array() += plant.y0.front();
  add_operating_point(record);
  return out;
}

std::string to_csv(const SimulatedRecord& record, std::optional<std::int64_t> start_us) {
  std::string out = start_us ? "time" : "";
  const auto names = [&](char letter, Index n) {
    for (Index i = 1; i <= n; ++i) out += (out.empty() ? "" : ",") + (letter + std::to_string(i));
  };
  names('u', record.u.cols());
  names('y', record.y.cols());
  out += '\n';
  for (Index t = 0; t < record.u.rows(); ++t) {
    if (start_us) {
      const auto offset = std::llround(static_cast<double>(t) * record.period * 1e6);
      out += format_time(*start_us + offset) + ",";
    }
    for (Index j = 0; j < record.u.cols(); ++j) {
      append_number(out, record.u(t, j));
      out += ',';
    }
    for (Index i = 0; i < record.y.cols(); ++i) {
      append_number(out, record.y(t, i));
      out += i + 1 < record.y.cols() ? ',' : '\n';
    }
  }
  return out;
}

}  // namespace flyball::testbed
