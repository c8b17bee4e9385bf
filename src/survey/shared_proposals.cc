#include "survey/shared_proposals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "survey/tag_proposals.h"

namespace flyball::survey {
namespace {

constexpr double kAgreement = 0.95, kLeastShift = 0.01, kSlip = 0.5, kManySpikes = 0.002;
constexpr std::int64_t kFewSpikes = 3;
constexpr DurationUs kLongGap = 5;  // steps; shorter ones are single samples that are missing

class Collector {
 public:
  Collector(const std::vector<plant::Tag>& tags, const std::vector<TagFacts>& facts)
      : tags_(tags), facts_(facts) {}

  std::vector<Proposal> collect() {
    bad_values();
    holds();
    clocks_apart();
    slips();
    gaps();
    spikes();
    return std::move(out_);
  }

 private:
  void add(const Message& message, std::vector<std::string> tags, std::string field = {},
           std::string value = {}) {
    out_.push_back(propose(message, std::move(tags), std::move(field), std::move(value)));
  }

  /// One proposal for each number, however many tags have it.
  void bad_values() {
    struct Found {
      std::vector<std::string> tags;
      std::int64_t count = 0;
    };
    std::map<double, Found> found;
    for (const TagFacts& f : facts_) {
      for (const BadValue& bad : f.bad_values) {
        found[bad.value].tags.push_back(f.tag);
        found[bad.value].count += bad.count;
      }
    }
    for (const auto& [value, by] : found) {
      add({"SURVEY_BAD_VALUE",
           {{"value", fmt::format("{}", value)}, {"count", by.count}, {"tags", list_of(by.tags)}}},
          by.tags, "--bad-value", fmt::format("{}", value));
    }
  }

  [[nodiscard]] static bool is_sloped(const plant::Tag& tag, const TagFacts& f) {
    if (is_declared_stepped(tag) || f.values.constant || f.shape.changes == 0) return false;
    return tag.stepped || tag.role || !f.shape.looks_stepped;
  }

  /// Sloped tags by the time after which their values change; the common one is a beat.
  void holds() {
    std::map<DurationUs, std::vector<std::string>> by_period;
    std::size_t sloped = 0;
    for (std::size_t i = 0; i < facts_.size(); ++i) {
      const TagFacts& f = facts_[i];
      if (!is_sloped(tags_[i], f)) continue;
      ++sloped;
      if (f.shape.hold_steps && f.sampling.step) {
        by_period[*f.shape.hold_steps * *f.sampling.step].push_back(f.tag);
      }
    }
    for (const auto& [period, tags] : by_period) {
      const std::string beat = format_duration(period);
      if (tags.size() == sloped) {
        add({"SURVEY_OVERSAMPLED", {{"tags", list_of(tags)}, {"beat", beat}}}, tags, "--beat",
            beat);
      } else {
        add({"SURVEY_HELD", {{"tags", list_of(tags)}, {"beat", beat}}}, tags);
      }
    }
  }

  /// Tags of one step whose samples lie at another place between two steps than those of the first.
  void clocks_apart() {
    std::map<DurationUs, std::vector<const TagFacts*>> by_step;
    for (const TagFacts& f : facts_) {
      if (f.sampling.step && f.sampling.phase_agreement >= kAgreement) {
        by_step[*f.sampling.step].push_back(&f);
      }
    }
    for (const auto& [step, tags] : by_step) {
      std::vector<std::string> apart;
      double largest = 0;
      for (const TagFacts* f : tags) {
        const double shift = f->sampling.phase - tags.front()->sampling.phase;
        const double distance = std::abs(shift - std::round(shift));
        if (distance < kLeastShift) continue;
        apart.push_back(f->tag);
        largest = std::max(largest, distance);
      }
      if (apart.empty()) continue;
      const auto by = static_cast<DurationUs>(std::llround(largest * static_cast<double>(step)));
      Message message{"SURVEY_CLOCKS_APART",
                      {{"tags", list_of(apart)},
                       {"other", tags.front()->tag},
                       {"by", format_duration(by)},
                       {"step", format_duration(step)}}};
      apart.push_back(tags.front()->tag);
      add(std::move(message), std::move(apart));
    }
  }

  /// Clocks of one step that drift stand in one proposal.
  void slips() {
    struct Drift {
      std::vector<std::string> tags;
      double largest = 0;
    };
    std::map<DurationUs, Drift> by_step;
    for (const TagFacts& f : facts_) {
      const double slip = std::abs(f.sampling.clock_slip);
      if (!f.sampling.step || slip < kSlip) continue;
      Drift& drift = by_step[*f.sampling.step];
      drift.tags.push_back(f.tag);
      drift.largest = std::max(drift.largest, slip);
    }
    for (const auto& [step, drift] : by_step) {
      add({"SURVEY_CLOCK_SLIPS",
           {{"tags", list_of(drift.tags)},
            {"step", format_duration(step)},
            {"slip", drift.largest, "steps"}}},
          drift.tags);
    }
  }

  /// Tags that share their longest gap stand in one proposal.
  void gaps() {
    std::map<std::pair<TimeUs, TimeUs>, std::vector<const TagFacts*>> found;
    for (const TagFacts& f : facts_) {
      const auto& gap = f.sampling.longest_gap;
      if (gap && gap->to - gap->from >= kLongGap * *f.sampling.step)
        found[{gap->from, gap->to}].push_back(&f);
    }
    for (const auto& [gap, facts] : found) {
      std::vector<std::string> tags;
      std::int64_t most = 0;
      for (const TagFacts* f : facts) {
        tags.push_back(f->tag);
        most = std::max(most, f->sampling.gaps);
      }
      add({"SURVEY_GAPS",
           {{"tags", list_of(tags)},
            {"count", most},
            {"longest", format_duration(gap.second - gap.first)},
            {"at", format_time(gap.first)}}},
          tags);
    }
  }

  void spikes() {
    std::vector<std::string> tags;
    std::int64_t count = 0;
    double largest = 0;
    for (const TagFacts& f : facts_) {
      const double share = static_cast<double>(f.spikes) / static_cast<double>(f.values.count);
      if (f.spikes < kFewSpikes || share < kManySpikes) continue;
      tags.push_back(f.tag);
      count += f.spikes;
      largest = std::max(largest, 100 * share);
    }
    if (tags.empty()) return;
    add({"SURVEY_SPIKES", {{"tags", list_of(tags)}, {"count", count}, {"value", largest, "%"}}},
        tags);
  }

  const std::vector<plant::Tag>& tags_;
  const std::vector<TagFacts>& facts_;
  std::vector<Proposal> out_;
};

}  // namespace

std::vector<Proposal> shared_proposals(const std::vector<plant::Tag>& tags,
                                       const std::vector<TagFacts>& facts) {
  return Collector(tags, facts).collect();
}

}  // namespace flyball::survey
