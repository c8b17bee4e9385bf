#include "dataset/steady.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "dataset/holds.h"
#include "dataset/marks.h"
#include "math/statistics.h"

namespace flyball::dataset {
namespace {

constexpr double kMadToStd = 1.4826;

/// Finite values of a column over the train rows, and |differences| of rows that follow each other.
struct Signal {
  std::vector<double> values, moves;
};

Signal train_signal(const Dataset& data, Index column) {
  Signal out;
  for (const Block* block : data.part(Part::train)) {
    const Series& series = data.run(block->run_id);
    double last = std::nan("");
    for (Index t = block->first_step; t < block->first_step + block->steps; ++t) {
      const double value = series.values(t, column);
      if (std::isfinite(value)) out.values.push_back(value);
      if (std::isfinite(value - last)) out.moves.push_back(std::abs(value - last));
      last = value;
    }
  }
  return out;
}

std::vector<double> moves_of(const SteadyRule& rule) {
  std::vector<double> out;
  for (const SteadyTolerance& t : rule.tolerances) out.push_back(t.move);
  return out;
}

template <class F>
void for_each_train_hold(const Dataset& data, const SteadyRule& rule, const F& f) {
  const std::vector<double> move = moves_of(rule);
  for (const Block* block : data.part(Part::train)) {
    const Series& series = data.run(block->run_id);
    for (const Hold& hold : holds_of(series, *block, data.spec, move)) f(series, hold);
  }
}

std::int64_t default_min_steps(const Dataset& data, const SteadyRule& rule) {
  std::vector<double> lengths;
  for_each_train_hold(data, rule, [&](const Series&, const Hold& hold) {
    if (hold.steps >= 3) lengths.push_back(static_cast<double>(hold.steps));
  });
  const double fifth = lengths.empty() ? 0 : math::median(lengths) / 5;
  return std::clamp<std::int64_t>(std::llround(fifth), 5, 60);
}

/// Correlation of neighbours about the line, NaN when there is none.
double lag_one(const Series& series, Index first, Index steps, Index column, const Line& line) {
  double sum = 0, power = 0, last = 0;
  const double middle = static_cast<double>(steps - 1) / 2;
  for (Index i = 0; i < steps; ++i) {
    const double e = series.values(first + i, column) - line.mean -
                     line.slope * (static_cast<double>(i) - middle);
    power += e * e;
    if (i > 0) sum += e * last;
    last = e;
  }
  return power > 0 ? sum / power : std::nan("");
}

/// Noise and its autocorrelation: medians over the windows of the train holds that miss nothing.
void measure_noise(const Dataset& data, SteadyRule& rule) {
  const auto n = static_cast<double>(rule.min_steps);
  for (std::size_t c = 0; c < rule.tolerances.size(); ++c) {
    std::vector<double> spread, rho;
    for_each_train_hold(data, rule, [&](const Series& series, const Hold& hold) {
      const LineSums sums(series, hold, static_cast<Index>(c));
      for (Index from = 0; from + rule.min_steps <= hold.steps; from += rule.min_steps) {
        const Line line = sums.over(from, from + rule.min_steps);
        if (line.count < rule.min_steps) continue;
        spread.push_back(line.spread);
        const double r =
            lag_one(series, hold.first + from, rule.min_steps, static_cast<Index>(c), line);
        if (std::isfinite(r)) rho.push_back(r);
      }
    });
    SteadyTolerance& t = rule.tolerances[c];
    if (!spread.empty()) t.noise = math::median(spread);
    // White noise about a line shows −2/n on the average.
    const double r = rho.empty() ? 0 : std::clamp(math::median(rho) + 2 / n, 0.0, 0.9);
    t.inflation = std::sqrt((1 + r) / (1 - r));
    t.spread = std::max(t.spread, 3 * t.noise);
  }
}

/// Rows from a move to calm: the upper quartile over the train holds that showed a transient.
std::int64_t settle_steps(const Dataset& data, const SteadyRule& rule) {
  std::vector<double> waits;
  for_each_train_hold(data, rule, [&](const Series& series, const Hold& hold) {
    const auto pieces = Calm(series, hold, rule).pieces();
    const auto after = std::ranges::find_if(pieces, [](const Piece& p) { return p.from > 0; });
    if (after != pieces.end()) waits.push_back(static_cast<double>(after->from));
  });
  return waits.empty() ? 0 : std::llround(math::quantile(waits, 0.75));
}

Vector means(const Dataset& data, const Series& series, Index first, Index steps,
             std::int64_t& used) {
  const auto columns = static_cast<Index>(data.spec.variables.size());
  Vector mean(columns);
  std::vector<std::uint8_t> inputs(static_cast<std::size_t>(steps), 1), cv(inputs.size(), 0);
  for (Index c = 0; c < columns; ++c) {
    std::vector<double> values;
    const bool is_cv = data.spec.variables[static_cast<std::size_t>(c)].role == Role::cv;
    for (Index i = 0; i < steps; ++i) {
      const bool there = is_cv ? series.mask(first + i, c) == 1 : series.mask(first + i, c) != 0;
      const double value = series.values(first + i, c);
      if (there && std::isfinite(value)) values.push_back(value);
      if (is_cv && there) cv[static_cast<std::size_t>(i)] = 1;
      if (!is_cv && !there) inputs[static_cast<std::size_t>(i)] = 0;
    }
    mean(c) = math::mean(values);
  }
  used = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) used += inputs[i] & cv[i];
  return mean;
}

class Collector {
 public:
  Collector(const Dataset& data, const SteadyRule& rule) : data_(data), move_(moves_of(rule)) {
    out_.rule = rule;
    marked_ = stretches(data.spec, plant::MarkKind::steady);
    if (marked_.empty()) marked_ = stretches(data.spec, plant::MarkKind::batch);
  }

  void block(const Block& block) {
    const Series& series = data_.run(block.run_id);
    if (out_.rule.points == Points::segments) {
      for (const Hold& hold : holds_of(series, block, data_.spec, move_)) {
        if (hold.first == block.first_step && began_before(series, block)) {
          refuse(block.split, "shared", -1, hold.steps);
        } else {
          segments(series, block, hold);
        }
      }
    } else if (out_.rule.points == Points::rows) {
      for (Index t = 0; t < block.steps; ++t) keep(series, block, block.first_step + t, 1);
    } else if (out_.rule.points == Points::marked) {
      for (const Interval& part : marked_) marked(series, block, part);
    } else {
      keep(series, block, block.first_step, block.steps);
    }
  }

  OperatingPoints result() {
    for (auto& [key, refusal] : refused_) out_.refused.push_back(refusal);
    return std::move(out_);
  }

 private:
  /// No MV moved in the purge before the block: its first setting is the last one of another part.
  [[nodiscard]] bool began_before(const Series& series, const Block& block) const {
    const Index purge = std::min(block.purge_before_steps, block.first_step);
    if (purge == 0) return false;
    const Block gap{"", "", block.split, block.first_step - purge, purge + 1, 0, 0, 0};
    return holds_of(series, gap, data_.spec, move_).size() == 1;
  }

  /// The rows of the block whose steps lie in the stretch.
  void marked(const Series& series, const Block& block, const Interval& part) {
    const TimeUs* const begin = series.t.data() + block.first_step;
    const TimeUs* const end = begin + block.steps;
    const TimeUs* const from = std::lower_bound(begin, end, part.from);
    const TimeUs* const to = std::lower_bound(from, end, part.to);
    if (from != to) keep(series, block, from - series.t.data(), to - from);
  }

  bool keep(const Series& series, const Block& block, Index first, Index steps) {
    OperatingPoint p{block.run_id, block.split, first, steps, 0, {}};
    p.mean = means(data_, series, first, steps, p.used);
    for (Index c = 0; c < p.mean.size(); ++c) {
      if (std::isfinite(p.mean(c))) continue;
      refuse(block.split, "missing", c, steps);
      return false;
    }
    out_.points.push_back(std::move(p));
    return true;
  }

  void refuse(Part part, const char* reason, Index variable, Index rows) {
    SteadyRefusal& r = refused_[{part, reason, variable}];
    r.part = part;
    r.reason = reason;
    if (variable >= 0) r.variable = data_.spec.variables[static_cast<std::size_t>(variable)].id;
    ++r.holds;
    r.rows += rows;
  }

  void too_short(const Block& block, const Hold& hold) {
    const char* reason = hold.ended_by >= 0 ? "moves" : hold.ended_by == -1 ? "missing" : "short";
    refuse(block.split, reason, std::max<Index>(hold.ended_by, -1), hold.steps);
  }

  void segments(const Series& series, const Block& block, const Hold& hold) {
    const SteadyRule& rule = out_.rule;
    if (hold.steps < rule.min_steps + rule.settle_steps) return too_short(block, hold);
    const Calm calm(series, hold, rule);
    Index settled = 0;  // end of the segment before
    bool any = false;
    for (Piece piece : calm.pieces()) {
      piece.from = std::max<Index>(piece.from, rule.settle_steps);
      while (piece.to - piece.from >= rule.min_steps && !calm.calm(piece.from, piece.to))
        ++piece.from;
      const Index steps = piece.to - piece.from;
      if (steps < rule.min_steps || 3 * steps < piece.from - settled) continue;
      if (!keep(series, block, hold.first + piece.from, steps)) continue;
      settled = piece.to;
      any = true;
    }
    if (any) return;
    const auto blame = calm.blame(rule.settle_steps, hold.steps);
    refuse(block.split, blame.drift || blame.variable < 0 ? "drifts" : "varies", blame.variable,
           hold.steps);
  }

  const Dataset& data_;
  std::vector<double> move_;
  std::vector<Interval> marked_;
  OperatingPoints out_;
  std::map<std::tuple<Part, std::string, Index>, SteadyRefusal> refused_;
};

}  // namespace

std::vector<const OperatingPoint*> OperatingPoints::part(Part p) const {
  std::vector<const OperatingPoint*> out;
  for (const OperatingPoint& point : points) {
    if (point.part == p) out.push_back(&point);
  }
  return out;
}

Points usual_points(const Spec& spec) {
  return stretches(spec, plant::MarkKind::steady).empty() ? Points::segments : Points::marked;
}

SteadyRule steady_rule(const Dataset& data, const SteadyOptions& options) {
  SteadyRule rule;
  rule.points = options.points.value_or(usual_points(data.spec));
  if (rule.points != Points::segments) return rule;
  for (std::size_t c = 0; c < data.spec.variables.size(); ++c) {
    const Variable& v = data.spec.variables[c];
    const Signal signal = train_signal(data, static_cast<Index>(c));
    SteadyTolerance t{v.id, v.role};
    if (!signal.values.empty()) {
      const double range =
          math::quantile(signal.values, 0.95) - math::quantile(signal.values, 0.05);
      t.drift = options.tolerance * range;
      t.spread = t.drift / 2;
      if (v.role == Role::mv && !signal.moves.empty())
        t.move = std::max(t.spread, 4 * kMadToStd * math::median(signal.moves));
    }
    rule.tolerances.push_back(t);
  }
  rule.min_steps = options.min_steps.value_or(default_min_steps(data, rule));
  measure_noise(data, rule);
  rule.settle_steps = settle_steps(data, rule);
  return rule;
}

OperatingPoints operating_points(const Dataset& data, const SteadyRule& rule) {
  Collector collector(data, rule);
  for (const Block& block : data.blocks) collector.block(block);
  return collector.result();
}

}  // namespace flyball::dataset
