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

/// Changes the store in place under its lock; without commit() what it touched is put back.
class MemoryWriter final : public Writer {
 public:
  explicit MemoryWriter(MemoryHistorian& store)
      : store_(store), lock_(store.mutex_), before_(store.content_) {}

  ~MemoryWriter() override {
    if (committed_) return;
    store_.content_ = std::move(before_);
    for (auto& [node, rows] : rows_before_) {
      if (rows) {
        store_.rows_[node] = std::move(*rows);
      } else {
        store_.rows_.erase(node);
      }
    }
  }

  void put_tag(const plant::Tag& tag) override {
    auto& tags = store_.content_.tags;
    const auto known = std::ranges::find(tags, tag.node_id(), &plant::Tag::node_id);
    if (known == tags.end()) {
      tags.push_back(tag);
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
    const auto stalls = [](const Sample& a, const Sample& b) { return a.at >= b.at; };
    const bool ascending =
        std::adjacent_find(samples.begin(), samples.end(), stalls) == samples.end();
    if (ascending && (samples.empty() || rows.empty() || rows.back().at < samples.front().at)) {
      for (const Sample& s : samples) rows.push_back({s.at, s.value, s.quality, owner});
      store_.content_.runs[owner].samples += static_cast<std::int64_t>(samples.size());
    } else {
      merge(rows, samples, owner);
    }
    const auto stored = static_cast<std::int64_t>(rows.size() - before);
    return {stored, static_cast<std::int64_t>(samples.size()) - stored};
  }

  void put_import(const ImportRecord& record) override {
    store_.content_.imports.push_back(record);
  }

  void commit() override { committed_ = true; }

 private:
  using Row = MemoryHistorian::Row;

  std::uint32_t index_of(const plant::Run& run) {
    auto& runs = store_.content_.runs;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      plant::Run& known = runs[i].run;
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
    runs.push_back({run, 0});
    return static_cast<std::uint32_t>(runs.size() - 1);
  }

  std::vector<Row>& series(const std::string& node_id) {
    const auto [it, fresh] = store_.rows_.try_emplace(node_id);
    if (!rows_before_.contains(node_id)) {
      rows_before_.emplace(node_id, fresh ? std::nullopt : std::optional(it->second));
    }
    auto& tags = store_.content_.tags;
    if (fresh && std::ranges::find(tags, node_id, &plant::Tag::node_id) == tags.end()) {
      const std::string line(line_of(node_id));
      plant::Tag& tag = tags.emplace_back();
      tag.name = node_id.substr(line.size() + 1);
      tag.line_id = line;
    }
    return it->second;
  }

  /// Where both have a time, the added row stays; of the added ones, the last.
  void merge(std::vector<Row>& rows, std::span<const Sample> samples, std::uint32_t owner) {
    std::vector<Row> added;
    added.reserve(samples.size());
    for (const Sample& s : samples) added.push_back({s.at, s.value, s.quality, owner});
    std::reverse(added.begin(), added.end());
    std::ranges::stable_sort(added, {}, &Row::at);
    const auto repeated = std::ranges::unique(added, {}, &Row::at);
    added.erase(repeated.begin(), repeated.end());

    auto& runs = store_.content_.runs;
    runs[owner].samples += static_cast<std::int64_t>(added.size());
    std::vector<Row> out;
    out.reserve(rows.size() + added.size());
    auto old = rows.begin();
    for (const Row& row : added) {
      while (old != rows.end() && old->at < row.at) out.push_back(*old++);
      if (old != rows.end() && old->at == row.at) --runs[(old++)->run].samples;
      out.push_back(row);
    }
    out.insert(out.end(), old, rows.end());
    rows = std::move(out);
  }

  MemoryHistorian& store_;
  std::unique_lock<std::shared_mutex> lock_;
  MemoryHistorian::Content before_;
  std::map<std::string, std::optional<std::vector<Row>>> rows_before_;
  bool committed_ = false;
};

std::unique_ptr<Writer> MemoryHistorian::begin() {
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
