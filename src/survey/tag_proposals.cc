#include "survey/tag_proposals.h"

#include <fmt/format.h>

#include "survey/shared_proposals.h"

namespace flyball::survey {
namespace {

constexpr double kMuchBad = 0.1;
constexpr std::int64_t kManyValues = 10;  ///< more than a set-point usually has

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
    if (f.values.distinct >= kManyValues && 2 * f.shape.longest_stay > f.samples.usable()) {
      add({"SURVEY_MOSTLY_ONE_VALUE",
           {{"tag", f.tag}, {"value", percent(f.shape.longest_stay, f.samples.usable()), "%"}}},
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
    if (const auto& lines = f.straight) {
      const std::string beat =
          format_duration(lines->median_steps * f.sampling.step.value_or(kSecond));
      add({"SURVEY_INTERPOLATED",
           {{"tag", f.tag}, {"value", 100 * lines->share, "%"}, {"beat", beat}}},
          {f.tag}, "--beat", beat);
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
  std::vector<Proposal> out = shared_proposals(tags, facts);
  for (Proposal& p : Collector(tags, facts).collect()) out.push_back(std::move(p));
  return out;
}

}  // namespace flyball::survey
