#include "survey/tag_proposals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace flyball::survey {
namespace {

constexpr double kMuchBad = 0.1, kManySpikes = 0.002, kSlip = 0.5;
constexpr std::int64_t kFewSpikes = 3;
constexpr double kAgreement = 0.95, kLeastShift = 0.01;

double percent(std::int64_t part, std::int64_t whole) {
  return 100 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string shortest(double v) {
  return fmt::format("{}", v);
}

class Collector {
 public:
  Collector(const std::vector<plant::Tag>& tags, const std::vector<TagFacts>& facts)
      : tags_(tags), facts_(facts) {}

  std::vector<Proposal> collect() {
    bad_values();
    holds();
    clocks_apart();
    gaps();
    for (std::size_t i = 0; i < facts_.size(); ++i) {
      samples(facts_[i]);
      clock(facts_[i]);
      values(tags_[i], facts_[i]);
      shape(tags_[i], facts_[i]);
    }
    return std::move(out_);
  }

 private:
  void add(Message message, std::vector<std::string> tags, std::string field = {},
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
           {{"value", shortest(value)}, {"count", by.count}, {"tags", list_of(by.tags)}}},
          by.tags, "--bad-value", shortest(value));
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

  /// Tags of one step whose samples lie at another place between two steps.
  void clocks_apart() {
    std::map<DurationUs, std::vector<const TagFacts*>> by_step;
    for (const TagFacts& f : facts_) {
      if (f.sampling.step && f.sampling.phase_agreement >= kAgreement) {
        by_step[*f.sampling.step].push_back(&f);
      }
    }
    for (const auto& [step, tags] : by_step) {
      for (const TagFacts* f : tags) {
        double shift = f->sampling.phase - tags.front()->sampling.phase;
        shift -= std::round(shift);
        if (std::abs(shift) < kLeastShift) continue;
        const auto by =
            static_cast<DurationUs>(std::llround(std::abs(shift) * static_cast<double>(step)));
        add({"SURVEY_CLOCKS_APART",
             {{"tag", f->tag},
              {"other", tags.front()->tag},
              {"by", format_duration(by)},
              {"direction", shift > 0 ? "after" : "before"},
              {"step", format_duration(step)}}},
            {f->tag, tags.front()->tag});
      }
    }
  }

  /// Tags that share their longest gap stand in one proposal.
  void gaps() {
    std::map<std::pair<TimeUs, TimeUs>, std::vector<const TagFacts*>> found;
    for (const TagFacts& f : facts_) {
      if (const auto& gap = f.sampling.longest_gap) found[{gap->from, gap->to}].push_back(&f);
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

  void samples(const TagFacts& f) {
    const SampleCounts& n = f.samples;
    if (n.usable() == 0) {
      add({"SURVEY_NOTHING_USABLE", {{"tag", f.tag}, {"count", n.total}}}, {f.tag});
      return;
    }
    const std::int64_t lost = n.total - n.usable();
    if (percent(lost, n.total) > 100 * kMuchBad) {
      add({"SURVEY_MUCH_BAD", {{"tag", f.tag}, {"value", percent(lost, n.total), "%"}}}, {f.tag});
    }
  }

  void clock(const TagFacts& f) {
    const Sampling& s = f.sampling;
    if (!s.step) return;
    if (2 * s.jitter > *s.step) {
      add({"SURVEY_IRREGULAR",
           {{"tag", f.tag},
            {"step", format_duration(*s.step)},
            {"jitter", format_duration(s.jitter)}}},
          {f.tag});
    }
    if (std::abs(s.clock_slip) >= kSlip) {
      add({"SURVEY_CLOCK_SLIPS",
           {{"tag", f.tag},
            {"step", format_duration(*s.step)},
            {"slip", std::abs(s.clock_slip), "steps"}}},
          {f.tag});
    }
  }

  void values(const plant::Tag& tag, const TagFacts& f) {
    if (f.values.count == 0) return;
    if (f.values.constant) {
      add({"SURVEY_CONSTANT", {{"tag", f.tag}, {"value", *f.values.p50, f.unit}}}, {f.tag});
    }
    if (f.outside_range > 0) {
      const bool below = tag.min && *f.values.min < *tag.min;
      add({"SURVEY_OUTSIDE_RANGE",
           {{"tag", f.tag},
            {"value", percent(f.outside_range, f.values.count), "%"},
            {"worst", below ? *f.values.min : *f.values.max, f.unit}}},
          {f.tag}, below ? "tag.min" : "tag.max", shortest(below ? *f.values.min : *f.values.max));
    }
    if (const auto& jump = f.unit_jump) {
      add({"SURVEY_UNIT_JUMP",
           {{"tag", f.tag},
            {"count", jump->samples},
            {"units", jump->units},
            {"at", format_time(jump->at)}}},
          {f.tag}, "tag.unit");
    }
    if (f.spikes >= kFewSpikes && percent(f.spikes, f.values.count) >= 100 * kManySpikes) {
      add({"SURVEY_SPIKES",
           {{"tag", f.tag},
            {"count", f.spikes},
            {"value", percent(f.spikes, f.values.count), "%"}}},
          {f.tag});
    }
  }

  void shape(const plant::Tag& tag, const TagFacts& f) {
    if (!f.frozen.empty()) {
      const Stretch& s = f.frozen.front();
      add({"SURVEY_FROZEN",
           {{"tag", f.tag},
            {"count", f.frozen_count},
            {"longest", s.samples, "samples"},
            {"value", *s.value, f.unit},
            {"at", format_time(s.from)}}},
          {f.tag});
    }
    if (!f.at_limit.empty()) {
      const Stretch& s = f.at_limit.front();
      add({"SURVEY_AT_LIMIT",
           {{"tag", f.tag},
            {"longest", s.samples, "samples"},
            {"value", *s.value, f.unit},
            {"at", format_time(s.from)}}},
          {f.tag});
    }
    const bool declared_sloped = tag.stepped == false && !is_declared_stepped(tag);
    if (declared_sloped && f.shape.looks_stepped) {
      add({"SURVEY_LOOKS_STEPPED", {{"tag", f.tag}, {"stay", f.shape.median_stay, "samples"}}},
          {f.tag}, "tag.stepped", "true");
    }
    const bool moves = f.shape.median_stay == 1 && f.shape.unchanged_share < 0.1;
    if (tag.stepped == true && f.shape.changes >= 20 && moves) {
      add({"SURVEY_LOOKS_SLOPED",
           {{"tag", f.tag}, {"value", 100 * (1 - f.shape.unchanged_share), "%"}}},
          {f.tag}, "tag.stepped", "false");
    }
  }

  const std::vector<plant::Tag>& tags_;
  const std::vector<TagFacts>& facts_;
  std::vector<Proposal> out_;
};

}  // namespace

bool is_declared_stepped(const plant::Tag& tag) {
  if (tag.kind == plant::TagKind::digital) return true;
  return tag.stepped.value_or(tag.role == plant::Role::mv);
}

std::vector<Proposal> tag_proposals(const std::vector<plant::Tag>& tags,
                                    const std::vector<TagFacts>& facts) {
  return Collector(tags, facts).collect();
}

}  // namespace flyball::survey
