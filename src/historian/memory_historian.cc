#include "historian/memory_historian.h"

#include <algorithm>
#include <mutex>

#include "core/error.h"
#include "historian/append_rules.h"

namespace flyball::historian {

/// Changes copies, which commit() puts in their places.
class MemoryWriter final : public Writer {
 public:
  /// Owns store.free_.
  explicit MemoryWriter(MemoryHistorian& store) : store_(store), content_(store.content_) {}
  ~MemoryWriter() override { store_.free_.release(); }

  void put_tag(const plant::Tag& tag) override {
    const auto known = std::ranges::find(content_.tags, tag.node_id(), &plant::Tag::node_id);
    if (known == content_.tags.end()) {
      content_.tags.push_back(tag);
    } else {
      *known = tag;
    }
  }

  void put_run(const plant::Run& run) override { (void)index_of(run); }

  AppendResult append(const plant::Run& run, const std::string& node_id,
                      std::span<const Sample> samples) override {
    check_line(run, node_id);
    const std::uint32_t owner = index_of(run);
    std::vector<Row>& rows = series(node_id);
    const std::size_t before = rows.size();
    const std::span<const Sample> batch = in_order(samples, sorted_);
    content_.runs[owner].samples += std::ssize(batch);
    if (batch.empty() || rows.empty() || rows.back().at < batch.front().at) {
      for (const Sample& s : batch) rows.push_back({s.at, s.value, s.quality, owner});
    } else {
      merge(rows, batch, owner);
    }
    const auto stored = static_cast<std::int64_t>(rows.size() - before);
    return {stored, std::ssize(samples) - stored};
  }

  void put_import(const ImportRecord& record) override { content_.imports.push_back(record); }

  std::int64_t remove_run(const std::string& line_id, const std::string& run_id) override {
    auto& runs = content_.runs;
    const auto found = std::ranges::find_if(runs, [&](const MemoryHistorian::OwnedRun& r) {
      return r.run.line_id == line_id && r.run.id == run_id;
    });
    if (found == runs.end()) throw Error("RUN_MISSING", {{"run", run_id}, {"line", line_id}});
    const auto gone = static_cast<std::uint32_t>(found - runs.begin());
    for (const plant::Tag& tag : std::vector(content_.tags)) {
      std::vector<Row>& rows = series(tag.node_id());
      std::erase_if(rows, [&](const Row& row) { return row.run == gone; });
      for (Row& row : rows) row.run -= row.run > gone ? 1 : 0;
    }
    const std::int64_t samples = found->samples;
    runs.erase(found);
    return samples;
  }

  void commit() override {
    const std::unique_lock lock(store_.mutex_);
    store_.content_ = std::move(content_);
    for (auto& [node, rows] : rows_) store_.rows_[node] = std::move(rows);
    rows_.clear();
  }

 private:
  using Row = MemoryHistorian::Row;

  std::uint32_t index_of(const plant::Run& run) {
    auto& runs = content_.runs;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      plant::Run& known = runs[i].run;
      if (known.id != run.id || known.line_id != run.line_id) continue;
      check_same_recipe(known, run);
      known = run;
      return static_cast<std::uint32_t>(i);
    }
    runs.push_back({run, 0});
    return static_cast<std::uint32_t>(runs.size() - 1);
  }

  std::vector<Row>& series(const std::string& node_id) {
    const auto [it, first_touch] = rows_.try_emplace(node_id);
    if (!first_touch) return it->second;
    if (const auto stored = store_.rows_.find(node_id); stored != store_.rows_.end())
      it->second = stored->second;
    auto& tags = content_.tags;
    if (std::ranges::find(tags, node_id, &plant::Tag::node_id) == tags.end())
      tags.push_back(plain_tag(node_id));
    return it->second;
  }

  /// Where both have a time, the added sample stays.
  void merge(std::vector<Row>& rows, std::span<const Sample> added, std::uint32_t owner) {
    std::vector<Row> out;
    out.reserve(rows.size() + added.size());
    auto old = rows.begin();
    for (const Sample& s : added) {
      while (old != rows.end() && old->at < s.at) out.push_back(*old++);
      if (old != rows.end() && old->at == s.at) --content_.runs[(old++)->run].samples;
      out.push_back({s.at, s.value, s.quality, owner});
    }
    out.insert(out.end(), old, rows.end());
    rows = std::move(out);
  }

  MemoryHistorian& store_;
  MemoryHistorian::Content content_;
  MemoryHistorian::Series rows_;
  std::vector<Sample> sorted_;
};

std::unique_ptr<Writer> MemoryHistorian::begin() {
  if (!free_.try_acquire_for(patience_)) throw Error("DATABASE_BUSY", {{"path", "memory"}});
  return std::make_unique<MemoryWriter>(*this);
}

std::vector<char> MemoryHistorian::passing_runs(const Filter& filter) const {
  std::vector<char> out;
  for (const OwnedRun& owned : content_.runs) out.push_back(filter.passes(owned.run) ? 1 : 0);
  return out;
}

Page MemoryHistorian::page(const PageRequest& request) const {
  if (request.limit < 1) {
    throw Error("FIELD_RANGE", {{"value", request.limit}, {"limits", "1 or more"}}, "/limit");
  }
  const std::shared_lock lock(mutex_);
  Page out;
  const auto found = rows_.find(request.node_id);
  if (found == rows_.end()) return out;
  const std::vector<char> passes = passing_runs(request.filter);

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

std::optional<Sample> MemoryHistorian::latest(const std::string& node_id, const Filter& filter,
                                              TimeUs before) const {
  const std::shared_lock lock(mutex_);
  const auto found = rows_.find(node_id);
  if (found == rows_.end()) return std::nullopt;
  const std::vector<char> passes = passing_runs(filter);
  const std::vector<Row>& rows = found->second;
  for (auto it = std::ranges::lower_bound(rows, before, {}, &Row::at); it != rows.begin();) {
    --it;
    if (passes[it->run] != 0) return Sample{it->at, it->value, it->quality};
  }
  return std::nullopt;
}

std::vector<plant::Run> MemoryHistorian::runs(const Filter& filter, bool with_samples) const {
  const std::shared_lock lock(mutex_);
  std::vector<plant::Run> out;
  for (const OwnedRun& owned : content_.runs) {
    if ((owned.samples > 0 || !with_samples) && filter.passes(owned.run)) out.push_back(owned.run);
  }
  std::sort(out.begin(), out.end(), [](const plant::Run& a, const plant::Run& b) {
    return std::tie(a.started_at, a.id) < std::tie(b.started_at, b.id);
  });
  return out;
}

std::vector<plant::Tag> MemoryHistorian::tags(const std::string& line_id) const {
  const std::shared_lock lock(mutex_);
  std::vector<plant::Tag> out;
  for (const plant::Tag& tag : content_.tags) {
    if (line_id.empty() || tag.line_id == line_id) out.push_back(tag);
  }
  return out;
}

std::vector<ImportRecord> MemoryHistorian::imports(const std::string& line_id,
                                                   std::int64_t limit) const {
  const std::shared_lock lock(mutex_);
  std::vector<ImportRecord> out;
  const auto& all = content_.imports;
  for (auto it = all.rbegin(); it != all.rend() && std::ssize(out) < limit; ++it) {
    if (line_id.empty() || it->line_id == line_id) out.push_back(*it);
  }
  return out;
}

}  // namespace flyball::historian
