// Free-run fit on the second half of the public DaISy records, everything chosen in the first half:
// what each family of models reaches per CV, beside the best of the open tools, whose orders were
// chosen on the second half. Fails on an unstable model that was not declared to integrate.
//   bench_accuracy [--all] [record ...]      --all: every model that was tried
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/error.h"
#include "evaluate/free_run.h"
#include "identify/identify_auto.h"
#include "identify/subspace_rational.h"

namespace flyball::identify {
namespace {

struct Record {
  std::string name, file;
  std::vector<int> columns;  ///< 1-based
  std::string roles;         ///< u MV, y CV, l CV that is a level
  std::vector<double> best;  ///< of ARX, n4sid and output error of the open tools
};

const std::vector<Record>& records() {
  static const std::vector<Record> all{
      {"dryer", "dryer.dat", {1, 2}, "uy", {88.2}},
      {"cstr", "cstr.dat", {2, 3, 4}, "uyy", {83.5, 92.6}},
      {"robot_arm", "robot_arm.dat", {1, 2}, "uy", {97.1}},
      {"steamgen", "steamgen.dat", {2, 3, 4, 5, 6, 7, 8, 9}, "uuuuyyyy", {80.7, 51.4, 84.7, 87.1}},
      {"thermic_res_wall", "thermic_res_wall.dat", {1, 2, 3}, "uuy", {85.6}},
      {"winding", "winding.dat", {1, 2, 3, 4, 5, 6, 7}, "uuuuuyy", {81.3, 47.2}},
      {"evaporator", "evaporator.dat", {1, 2, 3, 4, 5, 6}, "uuuyyy", {52.0, 58.2, 43.9}},
      {"exchanger", "exchanger.dat", {2, 3}, "uy", {53.9}},
      {"ballbeam", "ballbeam.dat", {1, 2}, "ul", {75.7}},
      {"powerplant", "powerplant.dat", {2, 3, 4, 5, 6, 7, 8, 9}, "uuuuuyyy", {}}};
  return all;
}

Matrix read(const Record& record) {
  const auto path = std::filesystem::path(FLYBALL_SOURCE_DIR) / ".." / "shared" / "data" / "daisy";
  std::ifstream in(path / record.file);
  std::vector<std::vector<double>> rows;
  for (std::string line; std::getline(in, line);) {
    std::istringstream cells(line);
    std::vector<double> row;
    for (double v = 0; cells >> v;) row.push_back(v);
    if (!row.empty()) rows.push_back(row);
  }
  Matrix out(static_cast<Index>(rows.size()), static_cast<Index>(record.columns.size()));
  for (std::size_t t = 0; t < rows.size(); ++t) {
    for (std::size_t c = 0; c < record.columns.size(); ++c) {
      out(static_cast<Index>(t), static_cast<Index>(c)) =
          rows[t][static_cast<std::size_t>(record.columns[c] - 1)];
    }
  }
  return out;
}

/// First half train, second half test.
dataset::Dataset halves(const Record& record, const Matrix& values) {
  dataset::Dataset d;
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
  dataset::Series s;
  s.run_id = "R1";
  s.values = values;
  s.mask = Mask::Ones(values.rows(), values.cols());
  for (Index t = 0; t < values.rows(); ++t) s.t.push_back(t * 1'000'000);
  d.runs.push_back(std::move(s));
  const Index n = values.rows(), half = n / 2;
  d.blocks = {{"R1#0", "R1", dataset::Part::train, 0, half, 0, 0, half},
              {"R1#1", "R1", dataset::Part::test, half, n - half, 0, 0, n - half}};
  return d;
}

std::vector<double> test_fit(const dataset::Dataset& d, const model::LinearStateSpace& m,
                             Index history) {
  const auto run = evaluate::free_run(d, dataset::Part::test, evaluate::predict_with(m), history);
  std::vector<double> out;
  for (const evaluate::FreeRunFit& f : evaluate::fit(d, run)) {
    out.push_back(f.percent.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  return out;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Free-run fit per CV of the best of one family by its score inside train.
std::vector<double> family_fit(const dataset::Dataset& d, const TrainingData& data, Index history,
                               const std::vector<std::vector<Trial>>& trials,
                               const std::string& trainer) {
  std::vector<const Trial*> best;
  for (const auto& of_cv : trials) {
    const Trial* least = nullptr;
    for (const Trial& t : of_cv) {
      if (t.trainer != trainer || !std::isfinite(t.score)) continue;
      if (least == nullptr || t.score < least->score) least = &t;
    }
    if (least == nullptr) return std::vector<double>(trials.size(), std::nan(""));
    best.push_back(least);
  }
  return test_fit(d, realise_trials(best, data), history);
}

/// Milliseconds of all subspace orders 1..8 from the rows, and of one output-error refinement of
/// order 2, of one CV.
std::pair<double, double> times(const CvContext& c) {
  const std::vector<Interval> everything{{0, std::numeric_limits<Index>::max() / 2}};
  const Regression& r = c.forms.front();
  SubspaceSpec spec;
  spec.inputs = c.inputs;
  spec.outputs = {r.nu};
  spec.max_order = 8;
  auto start = std::chrono::steady_clock::now();
  const SubspaceFit fit = fit_subspace(normal_of(r, gram_of(r, spec.max_lag(), everything)), spec);
  const double subspace = 1000 * seconds_since(start);
  if (fit.models.size() < 2) return {subspace, std::nan("")};
  const Rational from = rational_of(fit.models[1], spec);
  start = std::chrono::steady_clock::now();
  const Refined refined = refine(r, from, everything, {});
  return {subspace, refined.rows > 0 ? 1000 * seconds_since(start) : std::nan("")};
}

/// Every trial: its score inside train and what it would have reached.
void print_all(const dataset::Dataset& d, const TrainingData& data, Index history,
               const std::vector<std::vector<Trial>>& trials) {
  for (std::size_t j = 0; j < trials.size(); ++j) {
    for (const Trial& t : trials[j]) {
      if (!std::isfinite(t.score)) continue;
      std::vector<const Trial*> of_all;
      for (const auto& others : trials) of_all.push_back(&others.front());
      of_all[j] = &t;
      fmt::print("    {:<5}{:<18}{:>3} {}{:>9.4f}{:>9.4f}{:>9.1f}\n", data.outputs[j], t.trainer,
                 t.order, t.differenced ? "d" : " ", t.score, t.one_step,
                 test_fit(d, realise_trials(of_all, data), history)[j]);
    }
  }
}

bool run(const Record& record, bool all) {
  const Matrix values = read(record);
  if (values.rows() == 0) {
    fmt::print("{}: the shared data are absent\n", record.name);
    return true;
  }
  const dataset::Dataset d = halves(record, values);
  const auto start = std::chrono::steady_clock::now();
  AutoResult chosen;
  try {
    chosen = identify_auto(d);
  } catch (const Error& e) {
    fmt::print("{:<18}refused: {}\n", record.name, e.what());
    return true;
  }
  const double took = seconds_since(start);
  const IdentifyResult arx = identify_arx(d);
  const TrainingData data = training_data(d);
  std::vector<std::vector<Trial>> trials;
  for (Index j = 0; j < data.ny(); ++j) {
    trials.push_back(try_subspace_and_refined(context_of(data, j, arx), {}, {}));
  }
  const std::map<std::string, std::vector<double>> fits{
      {"arx", test_fit(d, arx.model, arx.history)},
      {"subspace", family_fit(d, data, arx.history, trials, "subspace")},
      {"pe", family_fit(d, data, arx.history, trials, "prediction_error")},
      {"oe", family_fit(d, data, arx.history, trials, "output_error")},
      {"auto", test_fit(d, chosen.result.model, chosen.result.history)}};
  for (std::size_t j = 0; j < trials.size(); ++j) {
    fmt::print("{:<18}{:<6}", j == 0 ? record.name : "", data.outputs[j]);
    for (const char* family : {"arx", "subspace", "pe", "oe", "auto"}) {
      fmt::print("{:>9.1f}", fits.at(family)[j]);
    }
    if (j < record.best.size()) fmt::print("{:>9.1f}", record.best[j]);
    if (j == 0) fmt::print("{:>9.2f} s", took);
    const auto [subspace, refined] = times(context_of(data, static_cast<Index>(j), arx));
    fmt::print("{}{:>8.1f}{:>8.1f} ms", j == 0 ? "" : "           ", subspace, refined);
    const auto row = std::ranges::find_if(chosen.leaderboard, [&](const LeaderboardRow& r) {
      return r.cv == data.outputs[j] && r.reason == "chosen";
    });
    fmt::print("  {} {}{}\n", row->trainer, row->order, row->differenced ? " differenced" : "");
  }
  if (all) print_all(d, data, arx.history, trials);
  const bool stable = model::spectral_radius(chosen.result.model) < 1 - 1e-6;
  if (!stable) fmt::print("{}: the model is unstable\n", record.name);
  return stable;
}

}  // namespace
}  // namespace flyball::identify

int main(int argc, char** argv) {
  std::vector<std::string> wanted(argv + 1, argv + argc);
  const bool all = std::erase(wanted, "--all") > 0;
  fmt::print("{:<18}{:<6}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>11}{:>8}{:>8}\n", "record", "CV", "arx",
             "subspace", "pe", "oe", "auto", "others", "auto took", "subsp.", "refine");
  bool right = true;
  for (const auto& record : flyball::identify::records()) {
    if (wanted.empty() || std::ranges::find(wanted, record.name) != wanted.end()) {
      right = flyball::identify::run(record, all) && right;
    }
  }
  return right ? 0 : 1;
}
