// Recovery of known plants by auto@1: Wood-Berry, Shell's fractionator and the quadruple tank with
// white output noise at 10, 20 and 40 dB, 2 000 samples of binary noise on every MV. Prints how
// often the 95 % bands of the gains hold the truth and how often the dead times are exact, and what
// gate G1 says of the true plant in each seed.
//   bench_recovery [--seeds N] [--first N] [--plant NAME] [--snr DB] [--pairs]
// Fails when the bands hold the truth less often than 95 % within binomial error, when a dead time
// is exact in less than 95 % of the seeds at 20 dB or better, and when G1 at 10 dB does not refuse
// the true plant as noise in every seed.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "evaluate/evaluate.h"
#include "gates/gates.h"
#include "identify/identify_auto.h"
#include "testbed/plants.h"

namespace flyball {
namespace {

constexpr Index kSteps = 2000;
constexpr double kSnr[] = {10, 20, 40};
constexpr double kBand = 1.959963984540054;

struct Options {
  std::uint32_t seeds = 10, first = 1;
  Index steps = kSteps;
  std::string plant;
  double snr = 0;
  bool pairs = false;
};

dataset::Dataset dataset_of(const std::vector<testbed::SimulatedRecord>& records) {
  constexpr dataset::Part kParts[] = {dataset::Part::train, dataset::Part::val,
                                      dataset::Part::test};
  dataset::Dataset d;
  const Index nu = records.front().u.cols(), ny = records.front().y.cols();
  d.spec.beat_ms = records.front().period * 1000;
  for (Index c = 0; c < nu + ny; ++c) {
    dataset::Variable v;
    v.id = fmt::format("{}{}", c < nu ? 'u' : 'y', c < nu ? c + 1 : c - nu + 1);
    v.node_id = "L/" + v.id;
    v.role = c < nu ? dataset::Role::mv : dataset::Role::cv;
    d.spec.variables.push_back(v);
  }
  for (std::size_t i = 0; i < records.size(); ++i) {
    dataset::Series s;
    s.run_id = fmt::format("R{}", i);
    s.values.resize(records[i].u.rows(), nu + ny);
    s.values << records[i].u, records[i].y;
    s.mask = Mask::Ones(s.values.rows(), s.values.cols());
    d.blocks.push_back(
        {s.run_id + "#0", s.run_id, kParts[i], 0, s.values.rows(), 0, 0, s.values.rows()});
    d.runs.push_back(std::move(s));
  }
  const Matrix& x = d.runs.front().values;
  for (Index c = 0; c < x.cols(); ++c) {
    d.norm.mean.push_back(x.col(c).mean());
    d.norm.min.push_back(x.col(c).minCoeff());
    d.norm.max.push_back(x.col(c).maxCoeff());
    d.norm.std.push_back(std::sqrt((x.col(c).array() - x.col(c).mean()).square().sum() /
                                   static_cast<double>(x.rows() - 1)));
  }
  return d;
}

/// Noise as large as in the first record, of which its ratio to the signal is stated: an instrument
/// does not know how much the plant moves.
void same_noise(const testbed::SimulatedRecord& first, testbed::SimulatedRecord& record) {
  for (Index j = 0; j < record.y.cols(); ++j) {
    const auto spread = [&](const testbed::SimulatedRecord& of) {
      const auto clean = of.y_clean.col(j).array();
      return std::sqrt((clean - clean.mean()).square().mean());
    };
    const Vector noise = record.y.col(j) - record.y_clean.col(j);
    record.y.col(j) = record.y_clean.col(j) + noise * (spread(first) / spread(record));
  }
}

struct PairCount {
  int active = 0, covered = 0, exact = 0;
  double z_square = 0, relative_error = 0;
};

struct Count {
  std::vector<PairCount> pairs;
  int seeds = 0, all_exact = 0, gains = 0, covered = 0;
  double seconds = 0;
};

void add_seed(const testbed::PlantTest& test, const identify::AutoResult& r, Count& count) {
  const auto& f = r.result.findings;
  const auto steps = test.plant.dead_steps(test.period);
  const Matrix gains = test.plant.gains();
  const Index ny = gains.rows(), nu = gains.cols();
  count.pairs.resize(static_cast<std::size_t>(nu * ny));
  bool all = true;
  for (Index m = 0; m < nu; ++m) {
    for (Index j = 0; j < ny; ++j) {
      const auto at = static_cast<std::size_t>(m * ny + j);
      const identify::DeadTime& d = f.dead_times[at];
      const bool exact = d.active && d.steps == steps(j, m);
      count.pairs[at].active += d.active ? 1 : 0;
      count.pairs[at].exact += exact ? 1 : 0;
      all = all && exact;
      for (const identify::StepResponse& s : f.step_responses) {
        if (s.input != d.input || s.cv != d.cv || !s.gain) continue;
        const double z = (*s.gain - gains(j, m)) / *s.gain_std_error;
        count.pairs[at].z_square += z * z;
        count.pairs[at].relative_error += std::abs(*s.gain_std_error / gains(j, m));
        ++count.gains;
        if (std::abs(z) <= kBand) {
          ++count.covered;
          ++count.pairs[at].covered;
        }
      }
    }
  }
  count.all_exact += all ? 1 : 0;
  ++count.seeds;
}

void print_pairs(const testbed::PlantTest& test, const Count& c) {
  const auto steps = test.plant.dead_steps(test.period);
  for (Index m = 0; m < steps.cols(); ++m) {
    for (Index j = 0; j < steps.rows(); ++j) {
      const PairCount& p = c.pairs[static_cast<std::size_t>(m * steps.rows() + j)];
      fmt::print(
          "    y{} u{}  steps {:2d} exact {:3d}/{}  in band {:3d}/{}  rms z {:.2f}  rel. se "
          "{:.4f}\n",
          j + 1, m + 1, steps(j, m), p.exact, c.seeds, p.covered, c.seeds,
          std::sqrt(p.z_square / c.seeds), p.relative_error / c.seeds);
    }
  }
}

void print_trials(const identify::AutoResult& r) {
  for (const identify::LeaderboardRow& row : r.leaderboard) {
    fmt::print("    {} {:17s}{} order {} parameters {:2d} score {:.4f} one step {:.4f}  {}\n",
               row.cv, row.trainer, row.differenced ? "*" : " ", row.order, row.parameters,
               row.score.value_or(std::nan("")), row.one_step.value_or(std::nan("")), row.reason);
  }
}

/// The plant itself as a predictor: run over the history from rest, then ahead without y.
evaluate::Predict truth(const testbed::PlantTest& test) {
  return [test](const model::Record& record, Index t, Index steps, Eigen::Ref<Matrix> out) {
    for (Index j = 0; j < out.cols(); ++j) {
      const auto row = static_cast<std::size_t>(j);
      out.col(j).setConstant(test.plant.y0[row]);
      for (Index m = 0; m < test.plant.inputs(); ++m) {
        const auto column = static_cast<std::size_t>(m);
        testbed::Channel channel(test.plant.channels[row][column], test.period);
        for (Index k = 0; k < t + steps; ++k) {
          if (k >= t) out(k - t, j) += channel.output();
          channel.advance(record.u(k, m) - test.plant.u0[column]);
        }
      }
    }
  };
}

struct G1 {
  double value = 0;
  bool refused = false, as_noise = false;
};

/// What G1 says over the seeds.
struct Verdicts {
  int seeds = 0, refused = 0, as_noise = 0;
  double value = 0;

  void add(const G1& g) {
    ++seeds;
    refused += g.refused ? 1 : 0;
    as_noise += g.refused && g.as_noise ? 1 : 0;
    value += g.value;
  }
};

/// G1 of a predictor on records of its own, the floor from identification.
G1 judge_g1(const dataset::Dataset& d, const evaluate::Predict& predict, Index history,
            const identify::Findings& found) {
  gates::GateInput input;
  evaluate::Options options;
  options.history = history;
  options.horizon = 5;
  input.evaluation = evaluate::evaluate(d, predict, options);
  for (const identify::CvFinding& cv : found.cvs) {
    input.cvs.push_back({cv.cv, false, cv.differenced, cv.noise_floor});
  }
  const gates::GateReport report = gates::judge(input, {});
  const gates::Check& check = report.checks.front();
  G1 out{check.value.value_or(std::nan("")), !check.pass, false};
  for (const Words& w : check.reasons) out.as_noise = out.as_noise || w.code == "G1_NOISE";
  return out;
}

/// One in 1 000 by chance: P(covered ≤ c) of a binomial with 0.95, by its normal approximation
/// with continuity; gains of a seed share their noise, so seeds × CVs count as independent.
double least_share(double n) {
  return 0.95 - 3.09 * std::sqrt(0.95 * 0.05 / n) - 0.5 / n;
}

class Bench {
 public:
  explicit Bench(Options options) : o_(std::move(options)) {}

  int run() {
    for (const testbed::PlantTest& test : testbed::literature_tests()) {
      if (!o_.plant.empty() && o_.plant != test.name) continue;
      for (const double snr : kSnr) {
        if (o_.snr == 0 || o_.snr == snr) run(test, snr);
      }
    }
    return failures_ == 0 ? 0 : 1;
  }

 private:
  void expect(bool holds, const std::string& what) {
    if (holds) return;
    fmt::print("  FAILED: {}\n", what);
    ++failures_;
  }

  void run(const testbed::PlantTest& test, double snr) {
    Count count;
    Verdicts plant, model;
    for (std::uint32_t seed = o_.first; seed < o_.first + o_.seeds; ++seed) {
      std::vector<testbed::SimulatedRecord> records;
      for (std::uint32_t part = 0; part < 3; ++part) {
        const Index steps = part == 0 ? o_.steps : 500;
        records.push_back(simulate(test, steps, snr, seed * 3 + part));
        if (part > 0) same_noise(records.front(), records.back());
      }
      const dataset::Dataset d = dataset_of(records);
      const auto start = std::chrono::steady_clock::now();
      const identify::AutoResult r = identify::identify_auto(d);
      count.seconds +=
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      add_seed(test, r, count);
      if (o_.pairs && o_.seeds == 1) print_trials(r);
      plant.add(judge_g1(d, truth(test), 200, r.result.findings));
      model.add(
          judge_g1(d, evaluate::predict_with(r.result.model), r.result.history, r.result.findings));
    }
    report(test, snr, count, plant, model);
  }

  void report(const testbed::PlantTest& test, double snr, const Count& c, const Verdicts& plant,
              const Verdicts& model) {
    const auto verdict = [](const Verdicts& v) {
      return fmt::format("{:.3f} refused {} as noise {}", v.value / v.seeds, v.refused, v.as_noise);
    };
    int exact = 0, fewest = c.seeds;
    for (const PairCount& p : c.pairs) {
      exact += p.exact;
      fewest = std::min(fewest, p.exact);
    }
    const auto all = static_cast<double>(c.pairs.size()) * c.seeds;
    fmt::print(
        "{:15s} {:2.0f} dB  in band {:4d}/{:<4.0f} {:5.1f} %  dead times {:5.1f} % worst pair "
        "{:5.1f} % all {:5.1f} %  G1 plant {} model {}  {:.2f} s\n",
        test.name, snr, c.covered, all, 100 * c.covered / all, 100 * exact / all,
        100.0 * fewest / c.seeds, 100.0 * c.all_exact / c.seeds, verdict(plant), verdict(model),
        c.seconds / c.seeds);
    if (o_.pairs) print_pairs(test, c);
    std::fflush(stdout);
    const double groups = static_cast<double>(test.plant.outputs()) * c.seeds;
    expect(c.covered >= least_share(groups) * all,
           "the bands of the gains hold the truth too seldom");
    if (snr >= 20)
      expect(fewest >= 0.95 * c.seeds, "a dead time is not exact in 95 % of the seeds");
    if (snr <= 10) {
      expect(plant.as_noise == plant.seeds, "G1 does not call the true plant noise in every seed");
    }
    if (snr >= 40) expect(plant.refused == 0, "G1 refuses the true plant without noise");
  }

  Options o_;
  int failures_ = 0;
};

Options parse(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    const std::string_view flag = argv[i];
    if (flag == "--pairs") {
      o.pairs = true;
      continue;
    }
    if (i + 1 == argc) std::exit(2);
    const char* value = argv[++i];
    if (flag == "--seeds") o.seeds = static_cast<std::uint32_t>(std::atoi(value));
    if (flag == "--first") o.first = static_cast<std::uint32_t>(std::atoi(value));
    if (flag == "--steps") o.steps = std::atoi(value);
    if (flag == "--plant") o.plant = value;
    if (flag == "--snr") o.snr = std::atof(value);
  }
  return o;
}

}  // namespace
}  // namespace flyball

int main(int argc, char** argv) {
  return flyball::Bench(flyball::parse(argc, argv)).run();
}
