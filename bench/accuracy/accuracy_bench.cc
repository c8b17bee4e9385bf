// The accuracy of auto@1 on the public identification records, beside octave-control: everything
// of ours is chosen in train; the peers' orders once by their own validation inside train, once on
// the test rows themselves (peeked, per CV). Same rows, same scaling, first H rows of the test part
// for the state. A level is judged on y(t+F) − y(t). Fails on an unstable model that was not
// declared to integrate.
//   bench_accuracy [--all] [--no-peers] [record ...]
// --all: every model that was tried
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "accuracy/peers.h"
#include "accuracy/records.h"
#include "app/study_model.h"
#include "app/trained.h"
#include "core/error.h"
#include "evaluate/evaluate.h"
#include "evaluate/free_run.h"
#include "evaluate/load_model.h"
#include "gates/gates.h"
#include "identify/identify_auto.h"
#include "identify/subspace_rational.h"

namespace flyball::bench {
namespace {

using namespace identify;
using Clock = std::chrono::steady_clock;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kClose = 2;  ///< points of fit
constexpr std::chrono::seconds kLimit{30};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Fit per CV on the test block: of the free run, of y(t+F) − y(t) for a level.
std::vector<double> test_fit(const dataset::Dataset& d, const evaluate::Predict& predict,
                             Index history, Index horizon) {
  std::vector<double> out;
  for (const auto& f :
       evaluate::fit(d, evaluate::free_run(d, dataset::Part::test, predict, history)))
    out.push_back(f.percent.value_or(kNan));
  const auto cvs = d.columns(dataset::Role::cv);
  out.resize(cvs.size(), kNan);
  for (std::size_t j = 0; j < cvs.size(); ++j) {
    if (!d.spec.variables[static_cast<std::size_t>(cvs[j])].integrating) continue;
    const auto scores = evaluate::score_part(d, dataset::Part::test, predict, {history, horizon});
    out[j] = scores.change_fit[j].value_or(kNan);
  }
  return out;
}

std::vector<double> test_fit(const dataset::Dataset& d, const model::LinearStateSpace& m,
                             Index history, Index horizon) {
  return test_fit(d, evaluate::predict_with(m), history, horizon);
}

/// Fit per CV of the best of one family by its score inside train.
std::vector<double> family_fit(const dataset::Dataset& d, const TrainingData& data,
                               const IdentifyResult& arx,
                               const std::vector<std::vector<Trial>>& trials,
                               const std::string& trainer) {
  std::vector<const Trial*> best;
  for (const auto& of_cv : trials) {
    const Trial* least = nullptr;
    for (const Trial& t : of_cv) {
      if (t.trainer != trainer || !std::isfinite(t.score)) continue;
      if (least == nullptr || t.score < least->score) least = &t;
    }
    if (least == nullptr) return std::vector<double>(trials.size(), kNan);
    best.push_back(least);
  }
  return test_fit(d, realise_trials(best, data), arx.history, arx.horizon);
}

/// Every trial: its score inside train and what it would have reached.
void print_all(const dataset::Dataset& d, const TrainingData& data, const IdentifyResult& arx,
               const std::vector<std::vector<Trial>>& trials) {
  for (std::size_t j = 0; j < trials.size(); ++j) {
    for (const Trial& t : trials[j]) {
      if (!std::isfinite(t.score)) continue;
      std::vector<const Trial*> of_all;
      for (const auto& others : trials) of_all.push_back(&others.front());
      of_all[j] = &t;
      const auto fits = test_fit(d, realise_trials(of_all, data), arx.history, arx.horizon);
      fmt::print("    {:<5}{:<18}{:>3} {}{:>9.4f}{:>9.4f}{:>9.1f}\n", data.outputs[j], t.trainer,
                 t.order, t.differenced ? "d" : " ", t.score, t.one_step, fits[j]);
    }
  }
}

/// The checks that a model without a val part can fail: noise, rollout, stability, information.
struct Verdict {
  std::string failed;  ///< ids
  bool stable = true;
  std::string detail;  ///< of the stability gate
};
Verdict verdict(const dataset::Dataset& d, const app::Trained& found) {
  gates::GateInput input;
  input.kind = found.kind;
  evaluate::Options options;
  options.history = found.history;
  options.horizon = found.horizon;
  input.evaluation = evaluate::evaluate(d, found.predict, options);
  app::fill_evidence(found.findings, input);
  const app::ModelFile file = found.write({d, ""});
  input.model_json = file.json;
  input.artifact_hash = file.hash;
  Verdict v;
  for (const gates::Check& c : gates::judge(input, {}).checks) {
    const bool counts = c.id == "G1" || c.id == "G2" || c.id == "stable" || c.id == "informative";
    if (counts && !c.pass) v.failed += (v.failed.empty() ? "" : ", ") + c.id;
    if (c.id == "stable" && !c.pass) {
      v.stable = false;
      v.detail = c.detail;
    }
  }
  return v;
}

struct Line {
  std::string cv;
  double ours = kNan, own = kNan, peeked = kNan, goal = kNan;
  std::map<std::string, double> families, methods;
  std::string chosen, own_which, peeked_which;
};

double mean(const std::vector<Line>& lines, double Line::*member) {
  double sum = 0;
  for (const Line& l : lines) sum += l.*member;
  return sum / static_cast<double>(lines.size());
}

/// Over the means of the sets. A set has a usable linear model when octave's own choice reaches a
/// fit above 0 or ours passes the stability gate; the others must be refused. Levels are left out.
struct Totals {
  int usable = 0, close_own = 0, better_own = 0, close_peeked = 0, better_peeked = 0;
  int refused = 0;

  void add(const Line& mean, bool stable) {
    if (!stable && !(mean.own > 0)) {
      ++refused;
      return;
    }
    ++usable;
    close_own += mean.ours >= mean.own - kClose ? 1 : 0;
    better_own += mean.ours > mean.own ? 1 : 0;
    close_peeked += mean.ours >= mean.peeked - kClose ? 1 : 0;
    better_peeked += mean.ours > mean.peeked ? 1 : 0;
  }
};

std::string cell(double v) {
  if (std::isnan(v)) return fmt::format("{:>8}", "-");
  return fmt::format("{:>8.1f}", std::clamp(v, -999.0, 999.0));
}

const std::vector<std::string> kFamilies{"linear_arx", "subspace", "prediction_error",
                                         "output_error"};
const std::vector<std::string> kMethods{"arx", "n4sid", "moen4"};

void print_line(const std::string& record, const std::string& cv, const Line& l,
                const std::string& end) {
  fmt::print("{:<17}{:<6}", record, cv);
  for (const std::string& f : kFamilies) {
    fmt::print("{}", cell(l.families.contains(f) ? l.families.at(f) : kNan));
  }
  fmt::print(" |{} |", cell(l.ours));
  for (const std::string& m : kMethods) {
    fmt::print("{}", cell(l.methods.contains(m) ? l.methods.at(m) : kNan));
  }
  fmt::print(" |{}{}{}{}{} | {}\n", cell(l.own), cell(l.ours - l.own), cell(l.peeked),
             cell(l.ours - l.peeked), cell(l.goal), end);
}

void print_header() {
  fmt::print("{:<23}{:^32} |{:^8} |{:^24} |{:^40} |\n", "free-run fit on test, %", "ours by family",
             "ours", "octave, own validation", "best of octave");
  fmt::print(
      "{:<17}{:<6}{:>8}{:>8}{:>8}{:>8} |{:>8} |{:>8}{:>8}{:>8} |{:>8}{:>8}{:>8}{:>8}{:>8} |\n",
      "record", "CV", "arx", "subsp", "pe", "oe", "auto", "arx", "n4sid", "moen4", "own", "differ",
      "peeked", "differ", "goals.md");
}

PeerResult peers_of(const Record& record, const dataset::Dataset& d, const app::Trained& found) {
  PeerTask task;
  task.name = record.name;
  task.inputs = static_cast<Index>(d.columns(dataset::Role::mv).size());
  task.train_rows = d.blocks.front().steps;
  task.values = d.runs.front().values;
  task.test_first = d.blocks.back().first_step;
  if (d.runs.size() > 1) {
    task.test_first = task.values.rows();
    Matrix both(task.values.rows() + d.runs[1].values.rows(), task.values.cols());
    both << task.values, d.runs[1].values;
    task.values = std::move(both);
  }
  task.history = found.history;
  task.horizon = record.is_level() ? found.horizon : 0;
  return fit_peers(task, std::filesystem::path(FLYBALL_BINARY_DIR) / "bench" / "octave", kLimit);
}

/// Own: each method's order by its own validation inside train, then the best method.
void add_peers(const PeerResult& peers, std::vector<Line>& lines) {
  for (std::size_t j = 0; j < lines.size(); ++j) {
    const int cv = static_cast<int>(j);
    Line& l = lines[j];
    for (const std::string& m : kMethods) {
      const PeerBest own = best_by_validation(peers, cv, m);
      l.methods[m] = own.test;
      if (std::isnan(own.test) || own.test <= l.own) continue;
      l.own = own.test;
      l.own_which = own.which;
    }
    const PeerBest peeked = best_by_test(peers, cv, "");
    l.peeked = peeked.test;
    l.peeked_which = peeked.which;
  }
}

bool run(const Record& record, bool all, bool peers, Totals& totals) {
  dataset::Dataset d = read(record);
  if (d.runs.empty()) {
    fmt::print("{}: the shared data are absent\n", record.name);
    return true;
  }
  auto start = Clock::now();
  app::Trained chosen;
  try {
    chosen = app::train(d, {.trainer = app::Trainer::auto_1, .identify = {}, .steady = {}}, {});
  } catch (const Error& e) {
    fmt::print("{:<17}refused: {}\n", record.name, e.what());
    return true;
  }
  const double took = seconds_since(start);
  leave_purge(d, chosen.history + chosen.horizon);
  const IdentifyResult arx = identify_arx(d);
  const TrainingData data = training_data(d);
  std::vector<std::vector<Trial>> trials;
  for (Index j = 0; j < data.ny(); ++j)
    trials.push_back(try_subspace_and_refined(context_of(data, j, arx), {}, {}));
  const auto ours = test_fit(d, chosen.predict, chosen.history, chosen.horizon);
  std::vector<Line> lines(ours.size());
  for (std::size_t j = 0; j < lines.size(); ++j) {
    lines[j].cv = data.outputs[j];
    lines[j].ours = ours[j];
    if (j < record.goal.size()) lines[j].goal = record.goal[j];
    const auto row = std::ranges::find_if(chosen.leaderboard, [&](const LeaderboardRow& r) {
      return r.cv == data.outputs[j] && r.reason == "chosen";
    });
    lines[j].chosen =
        fmt::format("{} {}{}", row->trainer, row->order, row->differenced ? " differenced" : "");
  }
  for (const std::string& family : kFamilies) {
    const auto fits = family == "linear_arx" ? test_fit(d, arx.model, arx.history, arx.horizon)
                                             : family_fit(d, data, arx, trials, family);
    for (std::size_t j = 0; j < lines.size(); ++j) lines[j].families[family] = fits[j];
  }
  PeerResult others;
  if (peers) others = peers_of(record, d, chosen);
  add_peers(others, lines);
  for (std::size_t j = 0; j < lines.size(); ++j) {
    const std::string which =
        peers ? fmt::format("; octave: {}, peeked {}", lines[j].own_which, lines[j].peeked_which)
              : "";
    print_line(j == 0 ? record.name : "", lines[j].cv, lines[j], lines[j].chosen + which);
  }
  double theirs = 0;
  for (const PeerFit& f : others.fits) theirs += std::isnan(f.seconds) || f.cv > 0 ? 0 : f.seconds;
  const Verdict v = verdict(d, chosen);
  Line of_all{"mean",
              mean(lines, &Line::ours),
              mean(lines, &Line::own),
              mean(lines, &Line::peeked),
              record.goal.empty() ? kNan : mean(lines, &Line::goal),
              {},
              {},
              "",
              "",
              ""};
  std::string stuck;
  for (const std::string& m : others.stuck) stuck += "; " + m + " never returned";
  print_line("", lines.size() > 1 ? "mean" : "", of_all,
             fmt::format("{:.2f} s, octave {:.2f} s; H {} F {}; {}{}", took, theirs,
                         chosen.history, chosen.horizon,
                         v.failed.empty() ? "passes" : "refused by " + v.failed, stuck));
  if (!v.stable) fmt::print("{:<24}stable: {}\n", "", v.detail);
  if (peers && !record.is_level()) totals.add(of_all, v.stable);
  if (all) print_all(d, data, arx, trials);
  double radius = 0;
  if (chosen.kind == gates::ArtifactKind::linear_state_space)
    radius = evaluate::load_model(model::kLinearStateSpace, chosen.write({d, ""}).json).spectral_radius.value();
  const bool stable = record.is_level() || radius < 1 - 1e-6;
  if (!stable) fmt::print("{}: the model is unstable\n", record.name);
  return stable;
}

}  // namespace
}  // namespace flyball::bench

int main(int argc, char** argv) {
  using namespace flyball::bench;
  std::vector<std::string> wanted(argv + 1, argv + argc);
  std::erase_if(wanted, [](const std::string& w) { return w.starts_with("--benchmark"); });
  const bool all = std::erase(wanted, "--all") > 0;
  const bool peers = std::erase(wanted, "--no-peers") == 0 && octave_is_there();
  if (!peers) fmt::print("octave with its control package is not here: no peers in this table\n");
  print_header();
  bool right = true;
  Totals totals;
  for (const Record& record : records()) {
    if (wanted.empty() || std::ranges::find(wanted, record.name) != wanted.end()) {
      right = run(record, all, peers, totals) && right;
      std::fflush(stdout);
    }
  }
  const Totals& t = totals;
  if (t.usable > 0) {
    fmt::print(
        "mean over CVs, levels left out, of {0} sets that carry a linear model:\n"
        "  of octave's best, orders by its own validation: within {1} points on {2} of {0}, better "
        "on {3}\n"
        "  of octave's best on the test rows themselves:   within {1} points on {4} of {0}, better "
        "on {5}\n"
        "sets that carry none, refused: {6}\n",
        t.usable, kClose, t.close_own, t.better_own, t.close_peeked, t.better_peeked, t.refused);
  }
  return right ? 0 : 1;
}
