// Use cases that look at stored samples.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/app.h"
#include "app/caller.h"

namespace flyball::app {
namespace {

plant::Tag find_tag(const historian::Historian& historian, const std::string& line,
                    const std::string& name) {
  const auto tags = historian.tags(line);
  const auto found = std::ranges::find(tags, name, &plant::Tag::name);
  if (found != tags.end()) return *found;
  std::vector<std::string_view> known;
  for (const plant::Tag& tag : tags) known.push_back(tag.name);
  throw Error::of(
      "NODE_MISSING",
      {{"/tag",
        {"NODE_UNKNOWN",
         {{"node", line + "/" + name}, {"suggestion", record_detail::suggestion(name, known)}}}}});
}

/// The texts of the request; absent ones do not filter.
template <class Request>
historian::Filter filter_of(const Request& r) {
  return {r.line, r.product.value_or(""), r.recipe.value_or(""), r.run.value_or("")};
}

SampleRow row_of(const historian::Sample& s, const plant::Tag& tag) {
  SampleRow out;
  out.time = format_time(s.at);
  if (std::isfinite(s.value)) out.value = s.value;
  const double states = static_cast<double>(tag.states.size());
  if (tag.kind == plant::TagKind::digital && s.value >= 0 && s.value < states)
    out.state = tag.states[static_cast<std::size_t>(s.value)];
  out.quality = s.quality == historian::kGood ? "good" : fmt::format("0x{:08X}", s.quality.code);
  return out;
}

TimeUs cursor_time(const std::string& cursor) {
  TimeUs out = 0;
  if (!try_parse_time(cursor, out)) throw Error("CURSOR_INVALID", {{"cursor", cursor}}, "/cursor");
  return out;
}

}  // namespace

SamplesResponse App::list_samples(const SamplesRequest& request, const Call&) {
  const historian::Historian& stored = historian();
  const plant::Tag tag = find_tag(stored, request.line, request.tag);
  historian::PageRequest page;
  page.node_id = tag.node_id();
  page.filter = filter_of(request);
  page.from = request.from.value_or(page.from);
  page.to = request.to.value_or(page.to);
  page.limit = request.limit;
  if (request.cursor) page.after = cursor_time(*request.cursor);
  const historian::Page found = stored.page(page);
  SamplesResponse out{tag.name, tag.unit, {}, {}};
  for (const historian::Sample& s : found.samples) out.items.push_back(row_of(s, tag));
  if (found.next) out.next_cursor = format_time(*found.next);
  return out;
}

AggregateResponse App::aggregate_samples(const AggregateRequest& request, const Call&) {
  const historian::Historian& stored = historian();
  const plant::Tag tag = find_tag(stored, request.line, request.tag);
  historian::AggregateRequest asked;
  asked.node_id = tag.node_id();
  asked.filter = filter_of(request);
  asked.bucket = request.bucket;
  asked.stepped = plant::is_stepped(tag, tag.role.value_or(plant::Role::dv));
  const auto runs = stored.runs(asked.filter);
  if (runs.empty()) throw Error("NO_SAMPLES", {{"tag", tag.name}, {"line", request.line}});
  const auto last = std::ranges::max_element(
      runs, {}, [](const plant::Run& run) { return run.ended_at.value_or(run.started_at + 1); });
  asked.from = request.from.value_or(runs.front().started_at);
  asked.to = request.to.value_or(last->ended_at.value_or(last->started_at + 1));
  AggregateResponse out{tag.name, tag.unit, asked.stepped, {}};
  for (const historian::Aggregate& a : stored.aggregate(asked)) {
    out.items.push_back({format_time(a.from), a.count, a.mean, a.min, a.max, a.good_share});
  }
  return out;
}

VerifyResponse App::verify_samples(const Empty&, const Call&) {
  VerifyResponse out;
  out.id = "historian.db";
  for (const historian::DamagedChunk& d : historian().verify()) {
    out.problems.push_back(Message{
        "CHUNK_DAMAGED",
        {{"tag", d.node_id},
         {"from", format_time(d.from)},
         {"to", format_time(d.to)},
         {"reason", d.reason}}}.text());
  }
  out.ok = out.problems.empty();
  return out;
}

ItemsResponse App::list_imports(const ImportsRequest& request, const Call& call) {
  ItemsResponse out;
  for (const historian::ImportRecord& r :
       readable(call, historian().imports(request.line.value_or(""), request.limit))) {
    Json account = parse_json(r.account_json, "historian.db");
    out.items.push_back({{"at", r.at},
                         {"lineId", r.line_id},
                         {"source", r.source},
                         {"sha256", r.sha256},
                         {"rowsIn", account["rowsIn"]},
                         {"stored", account["stored"]},
                         {"rejected", account["rejected"]},
                         {"merged", account["merged"]},
                         {"account", std::move(account)}});
  }
  return out;
}

}  // namespace flyball::app
