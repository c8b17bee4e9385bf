#include "historian/memory_historian.h"

#include <algorithm>
#include <mutex>

#include "core/error.h"

namespace flyball::historian {
namespace {

void check_line(const plant::Run& run, const std::string& node_id) {
  if (line_of(node_id) != run.line_id || node_id.size() <= run.line_id.size() + 1) {
    throw Error("NODE_LINE_MISMATCH", {{"node", node_id}, {"run", run.id}, {"line", run.line_id}});
  }
}

}  // namespace

std::uint32_t MemoryHistorian::put_run(const plant::Run& run) {
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    plant::Run& known = runs_[i].run;
    if (known.id != run.id || known.line_id != run.line_id) continue;
    if (known.product_id != run.product_id || known.recipe_id != run.recipe_id) {
      throw Error("RUN_MISMATCH", {{"run", run.id},
                                   {"line", run.line_id},
                                   {"product", known.product_id},
                                   {"recipe", known.recipe_id}});
    }
    known = run;
    return static_cast<std::uint32_t>(i);
  }
  runs_.push_back({run, 0});
  return static_cast<std::uint32_t>(runs_.size() - 1);
}

std::vector<MemoryHistorian::Row>& MemoryHistorian::series(const std::string& node_id) {
  const auto [it, fresh] = rows_.try_emplace(node_id);
  if (fresh) order_.push_back(node_id);
  return it->second;
}

/// Both are ascending without repeats; where both have a time, the added row stays.
void MemoryHistorian::merge(std::vector<Row>& rows, std::vector<Row> added) {
  std::vector<Row> out;
  out.reserve(rows.size() + added.size());
  auto old = rows.begin();
  for (const Row& row : added) {
    while (old != rows.end() && old->at < row.at) out.push_back(*old++);
    if (old != rows.end() && old->at == row.at) --runs_[(old++)->run].samples;
    out.push_back(row);
  }
  out.insert(out.end(), old, rows.end());
  rows = std::move(out);
}

AppendResult MemoryHistorian::append(const plant::Run& run, const std::string& node_id,
                                     std::span<const Sample> samples) {
  check_line(run, node_id);
  const std::unique_lock lock(mutex_);
  const std::uint32_t owner = put_run(run);
  std::vector<Row>& rows = series(node_id);
  const std::size_t before = rows.size();

  const auto increasing = [](const Sample& a, const Sample& b) { return a.at >= b.at; };
  const bool ascending =
      std::adjacent_find(samples.begin(), samples.end(), increasing) == samples.end();
  if (ascending && (samples.empty() || rows.empty() || rows.back().at < samples.front().at)) {
    for (const Sample& s : samples) rows.push_back({s.at, s.value, s.quality, owner});
    runs_[owner].samples += static_cast<std::int64_t>(samples.size());
  } else {
    std::vector<Row> added;
    added.reserve(samples.size());
    for (const Sample& s : samples) added.push_back({s.at, s.value, s.quality, owner});
    // The last written of a time comes first after the reversed stable sort, and is the one kept.
    std::reverse(added.begin(), added.end());
    std::stable_sort(added.begin(), added.end(),
                     [](const Row& a, const Row& b) { return a.at < b.at; });
    added.erase(std::unique(added.begin(), added.end(),
                            [](const Row& a, const Row& b) { return a.at == b.at; }),
                added.end());
    runs_[owner].samples += static_cast<std::int64_t>(added.size());
    merge(rows, std::move(added));
  }
  const auto stored = static_cast<std::int64_t>(rows.size() - before);
  return {stored, static_cast<std::int64_t>(samples.size()) - stored};
}

Page MemoryHistorian::page(const PageRequest& request) const {
  if (request.limit < 1) {
    throw Error("FIELD_RANGE", {{"value", request.limit}, {"limits", "1 or more"}}, "/limit");
  }
  const std::shared_lock lock(mutex_);
  Page out;
  const auto found = rows_.find(request.node_id);
  if (found == rows_.end()) return out;
  std::vector<char> passes;
  for (const OwnedRun& owned : runs_) passes.push_back(request.filter.passes(owned.run) ? 1 : 0);

  const std::vector<Row>& rows = found->second;
  const auto by_time = [](const Row& row, TimeUs t) { return row.at < t; };
  auto it = std::lower_bound(rows.begin(), rows.end(), request.from, by_time);
  if (request.after && *request.after >= request.from) {
    it = std::upper_bound(it, rows.end(), *request.after,
                          [](TimeUs t, const Row& row) { return t < row.at; });
  }
  for (; it != rows.end() && it->at < request.to; ++it) {
    if (passes[it->run] == 0) continue;
    if (static_cast<std::int64_t>(out.samples.size()) == request.limit) {
      out.next = out.samples.back().at;
      break;
    }
    out.samples.push_back({it->at, it->value, it->quality});
  }
  return out;
}

std::optional<Sample> MemoryHistorian::latest(const std::string& node_id) const {
  const std::shared_lock lock(mutex_);
  const auto found = rows_.find(node_id);
  if (found == rows_.end() || found->second.empty()) return std::nullopt;
  const Row& row = found->second.back();
  return Sample{row.at, row.value, row.quality};
}

std::vector<plant::Run> MemoryHistorian::runs(const Filter& filter) const {
  const std::shared_lock lock(mutex_);
  std::vector<plant::Run> out;
  for (const OwnedRun& owned : runs_) {
    if (owned.samples > 0 && !owned.run.id.empty() && filter.passes(owned.run))
      out.push_back(owned.run);
  }
  std::sort(out.begin(), out.end(), [](const plant::Run& a, const plant::Run& b) {
    return std::tie(a.started_at, a.id) < std::tie(b.started_at, b.id);
  });
  return out;
}

std::vector<std::string> MemoryHistorian::nodes(const std::string& line_id) const {
  const std::shared_lock lock(mutex_);
  std::vector<std::string> out;
  for (const std::string& node : order_) {
    if (line_of(node) == line_id) out.push_back(node);
  }
  return out;
}

}  // namespace flyball::historian
