#include <algorithm>
#include <cmath>

#include "core/checks.h"
#include "dataset/spikes.h"
#include "survey/bad_values.h"
#include "survey/repeats.h"
#include "survey/sampling.h"
#include "survey/signal.h"
#include "survey/straight.h"
#include "survey/survey.h"
#include "survey/tag_proposals.h"
#include "survey/unit_jump.h"
#include "survey/values.h"

namespace flyball::survey {
namespace {

std::vector<plant::Tag> find_tags(const historian::Historian& historian,
                                  const TagSurveyRequest& request) {
  std::vector<plant::Tag> known = historian.tags(request.filter.line_id);
  if (request.tags.empty()) return known;
  std::vector<std::string_view> names;
  for (const plant::Tag& tag : known) names.push_back(tag.name);
  std::vector<plant::Tag> out;
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < request.tags.size(); ++i) {
    const std::string& name = request.tags[i];
    const auto tag = std::ranges::find(known, name, &plant::Tag::name);
    if (tag != known.end()) {
      out.push_back(*tag);
      continue;
    }
    problems.push_back({"/tags/" + std::to_string(i),
                        {"NODE_UNKNOWN",
                         {{"node", request.filter.line_id + "/" + name},
                          {"suggestion", record_detail::suggestion(name, names)}}}});
  }
  if (!problems.empty()) throw Error::of("NODE_MISSING", std::move(problems));
  return out;
}

std::int64_t count_spikes(const Signal& signal, const plant::Tag& tag) {
  const std::int64_t radius = dataset::Cleaning{}.hampel_k;
  std::int64_t out = 0;
  for (const Signal::Run& run : signal.runs) {
    out += std::ssize(dataset::find_spikes(signal.values(run), radius, tag.resolution));
  }
  return out;
}

std::int64_t count_outside(const Signal& signal, const plant::Tag& tag) {
  const double low = tag.min.value_or(-INFINITY), high = tag.max.value_or(INFINITY);
  return std::ranges::count_if(signal.x, [&](double v) { return v < low || v > high; });
}

TagFacts facts_of(const plant::Tag& tag, Signal& signal, SampleCounts counts) {
  TagFacts out;
  out.tag = tag.name;
  out.unit = tag.unit;
  out.samples = std::move(counts);
  out.sampling = sampling_of(signal);
  const bool number = tag.kind == plant::TagKind::number;
  if (number) out.bad_values = find_bad_values(signal);
  std::vector<double> removed;
  for (const BadValue& bad : out.bad_values) removed.push_back(bad.value);
  if (!removed.empty()) signal.remove(removed);
  out.values = values_of(signal.x);
  out.shape = shape_of(signal, out.values, out.sampling.step.value_or(1));
  if (!number || out.values.constant) return out;
  find_frozen(signal, out);
  if (!is_declared_stepped(tag)) out.spikes = count_spikes(signal, tag);
  out.outside_range = count_outside(signal, tag);
  out.unit_jump = find_unit_jump(signal, out.values.quantum, tag.unit);
  out.straight = find_straight_lines(signal);
  return out;
}

}  // namespace

TagSurvey survey_tags(const historian::Historian& historian, const TagSurveyRequest& request,
                      const ProgressFn& progress, const std::stop_token& stop) {
  const std::vector<plant::Tag> tags = find_tags(historian, request);
  const std::vector<plant::Run> runs = historian.runs(request.filter);
  TagSurvey out;
  for (std::size_t i = 0; i < tags.size(); ++i) {
    check_stop(stop);
    if (progress) {
      progress({"survey", static_cast<double>(i) / static_cast<double>(tags.size()), tags[i].name});
    }
    SampleCounts counts;
    Signal signal =
        read_signal(historian, tags[i].node_id(), runs, request.from, request.to, counts);
    out.tags.push_back(facts_of(tags[i], signal, std::move(counts)));
  }
  out.proposals = tag_proposals(tags, out.tags);
  return out;
}

}  // namespace flyball::survey
