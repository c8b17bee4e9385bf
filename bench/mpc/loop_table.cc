#include "mpc/loop_table.h"

#include "math/random.h"
#include "optimise/stepper.h"
#include "testbed/closed_loop.h"
#include "testbed/reactor.h"
#include "testbed/state_space.h"

namespace flyball::bench {
namespace {

constexpr Index kSteps = 200;
constexpr double kMoveWeight = 0.2;
constexpr double kLimit = 1.1;  ///< of the span

testbed::LoopSpec spec_of(const LoopPlant& p, std::string_view fault) {
  const auto ny = p.plant.outputs();
  const Vector y0 = Eigen::Map<const Vector>(p.plant.y0.data(), ny);
  testbed::LoopSpec spec;
  spec.plant = p.plant;
  spec.period = p.period;
  spec.steps = kSteps;
  spec.low = y0.array() - kLimit * p.span;
  spec.high = y0.array() + kLimit * p.span;
  if (p.machine) spec.machine = p.machine();
  if (fault == "gains") spec.gain_factor = 1.3;
  if (fault == "noise") spec.noise = 0.05 * p.span;
  if (fault == "disturbance" || fault == "missing") {
    spec.shift = Vector::Constant(ny, 0.6 * p.span);
    spec.shift_at = 80;
  }
  if (fault == "stuck") {
    spec.stuck_input = 0;
    spec.stuck_from = 60;
    spec.stuck_to = 100;
  }
  if (fault == "missing") {
    spec.missing_output = 0;
    spec.missing_from = 60;
    spec.missing_to = 90;
  }
  return spec;
}

/// The stirred tank reactor itself under a controller that knows its linear model.
LoopPlant reactor() {
  constexpr double kPeriod = 75;
  const auto m = testbed::linear_reactor(kPeriod);
  LoopPlant out{"stirred_reactor", {}, kPeriod, 1, 1, 40, 10, {}, {}};
  out.plant.channels.assign(2, std::vector<testbed::ChannelSpec>(2));
  out.plant.u0.assign(m.u0.begin(), m.u0.end());
  out.plant.y0.assign(m.g.begin(), m.g.end());
  out.linear = [m] { return m; };
  out.machine = [] {
    return [loop = testbed::ReactorLoop{{}, kPeriod}](const Vector& u) mutable {
      return loop.step(u);
    };
  };
  return out;
}

}  // namespace

std::vector<LoopPlant> loop_plants() {
  return {{"wood_berry", testbed::wood_berry(), 60, 0.05, 1, 60, 10},
          {"shell", testbed::shell_fractionator(), 240, 0.1, 0.4, 60, 10},
          {"quadruple_tank", testbed::quadruple_tank(), 15, 0.3, 1, 60, 10},
          {"injection_line", testbed::injection_line(), 2.5, 4, 0.15, 60, 10},
          reactor()};
}

model::LinearStateSpace model_of(const LoopPlant& plant) {
  return plant.linear ? plant.linear() : testbed::state_space(plant.plant, plant.period);
}

optimise::ProblemIr loop_problem(const LoopPlant& plant, double caution) {
  const auto m = model_of(plant);
  optimise::ProblemIr p;
  p.model_id = "mdl-loop";
  p.model_artifact_hash = std::string(64, '0');
  p.beat_ms = plant.period * 1000;
  p.horizon = plant.horizon;
  p.control_horizon = plant.moves;
  optimise::HistoryRow row;
  for (Index i = 0; i < m.n_mv; ++i) {
    optimise::MvTerm mv;
    mv.var_id = "MV" + std::to_string(i + 1);
    mv.min = m.u0(i) - 5 * plant.amplitude;
    mv.max = m.u0(i) + 5 * plant.amplitude;
    mv.max_move = plant.amplitude;
    mv.move_weight = kMoveWeight * caution;
    mv.train = {m.u0(i), plant.amplitude, mv.min, mv.max};
    p.mv.push_back(mv);
    p.u_prev.push_back(m.u0(i));
    row.u.emplace_back(m.u0(i));
  }
  for (Index j = 0; j < m.outputs(); ++j) {
    optimise::CvTerm cv;
    cv.var_id = "CV" + std::to_string(j + 1);
    cv.ref = m.g(j);
    cv.soft_min = m.g(j) - kLimit * plant.span;
    cv.soft_max = m.g(j) + kLimit * plant.span;
    cv.soft_linear = 0.0;
    cv.train = {m.g(j), plant.span, m.g(j) - 5 * plant.span, m.g(j) + 5 * plant.span};
    p.cv.push_back(cv);
    row.y.emplace_back(m.g(j));
  }
  p.history.assign(static_cast<std::size_t>(m.max_delay()) + 2, row);
  return p;
}

LoopRow run_fault(const LoopPlant& plant, std::string_view fault, double caution) {
  const auto m = model_of(plant);
  optimise::Stepper stepper(loop_problem(plant, caution), m);
  math::Random random(3);
  Vector reference = m.g;
  Matrix wanted(kSteps, m.outputs());
  const auto record = testbed::run_loop(spec_of(plant, fault), [&](const testbed::LoopView& v) {
    if (v.t % 50 == 10)
      for (Index j = 0; j < reference.size(); ++j) {
        reference(j) = m.g(j) + random.uniform(-1, 1) * plant.span;
        stepper.set_reference(j, reference(j));
      }
    wanted.row(v.t) = reference.transpose();
    Vector u = v.u_now;
    Vector y = m.g;
    if (v.t > 0) {
      u = v.u.row(v.t - 1).transpose();
      y = v.y.row(v.t - 1).transpose();
    }
    stepper.step(u.data(), y.data());
    for (Index i = 0; i < u.size(); ++i) u(i) = stepper.u(i);
    return testbed::LoopMove{u, reference};
  });
  LoopRow out{plant.name, std::string(fault), 0, 0, 0, 0};
  const double whole = plant.span * plant.period * kSteps * static_cast<double>(m.outputs());
  out.error = record.absolute_error.sum() / whole;
  out.violation = 1000 * record.violation.sum() / whole;
  out.travel = record.travel.sum() / plant.amplitude;
  out.cost = (record.y_clean - wanted).squaredNorm() / (2 * plant.span * plant.span);
  Eigen::RowVectorXd before = m.u0.transpose();
  for (Index t = 0; t < kSteps; ++t) {
    out.cost += kMoveWeight / 2 * (record.u.row(t) - before).squaredNorm() /
                (plant.amplitude * plant.amplitude);
    before = record.u.row(t);
  }
  return out;
}

}  // namespace flyball::bench
