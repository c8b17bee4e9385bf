#include "historian/embedded_writer.h"

#include <algorithm>
#include <map>

#include "core/error.h"
#include "historian/append_rules.h"
#include "historian/embedded_store.h"

namespace flyball::historian {
namespace {

/// So many tags at most are sealed by one transaction, lest tags that filled up together make one
/// commit slow; one with twice the rows is sealed at once.
constexpr int kSealsPerCommit = 8;

class EmbeddedWriter final : public Writer {
 public:
  /// Owns store.free.
  explicit EmbeddedWriter(EmbeddedStore& store) : held_(store), transaction_(store.db) {
    store.refresh();
  }

  ~EmbeddedWriter() override {
    if (!committed_) held_.store.forget();
  }

  void put_tag(const plant::Tag& tag) override {
    Step step(*this);
    held_.store.catalog.put_tag(tag);
    step.done();
  }

  void put_run(const plant::Run& run) override {
    held_.store.check_run(run);
    Step step(*this);
    held_.store.put_run(run);
    step.done();
  }

  void put_import(const ImportRecord& record) override {
    Step step(*this);
    held_.store.catalog.put_import(record);
    step.done();
  }

  std::int64_t remove_run(const std::string& line_id, const std::string& run_id) override {
    const auto run = held_.store.catalog.find_run(line_id, run_id);
    if (!run) throw Error("RUN_MISSING", {{"run", run_id}, {"line", line_id}});
    Step step(*this);
    const std::int64_t removed = held_.store.remove_run(run->id);
    changes_.erase(run->id);
    step.done();
    return removed;
  }

  AppendResult append(const plant::Run& run, const std::string& node_id,
                      std::span<const Sample> samples) override;

  void commit() override {
    Step step(*this);
    for (const auto& [run, change] : changes_) held_.store.catalog.add_samples(run, change);
    transaction_.commit();
    committed_ = true;
  }

 private:
  /// Lets go of store.free after the transaction has ended.
  struct Held {
    explicit Held(EmbeddedStore& s) : store(s) {}
    ~Held() { store.free.release(); }
    EmbeddedStore& store;
  };

  /// A step that fails may have been done in part (and a full disk has ended the transaction), and
  /// commit() is the last: nothing may follow.
  class Step {
   public:
    explicit Step(EmbeddedWriter& writer) : writer_(writer) {
      if (writer.failed_) {
        throw Error("DATABASE_FAILED",
                    {{"path", "historian.db"}, {"reason", "the transaction has ended or failed"}});
      }
      writer.failed_ = true;
    }
    void done() { writer_.failed_ = false; }

   private:
    EmbeddedWriter& writer_;
  };

  std::int64_t store_batch(TagState& tag, std::int64_t run, std::span<const Sample> batch);
  std::int64_t replace(TagState& tag, std::span<const Sample> batch);
  std::int64_t replace_hot(TagState& tag, std::span<const Sample> batch);
  std::int64_t replace_in_chunk(TagState& tag, const ChunkRow& row, std::span<const Sample> batch);
  void seal(TagState& tag);
  void store_chunks(TagState& tag, std::int64_t run, std::span<const Sample> samples);
  void write(TagState& tag, std::int64_t run, std::span<const Sample> samples);

  Held held_;
  store::Transaction transaction_;
  std::map<std::int64_t, std::int64_t> changes_;  ///< of the number of samples, by run
  int seals_ = 0;
  bool failed_ = false;
  bool committed_ = false;
  std::vector<Sample> sorted_, read_, merged_;
  std::vector<HotSample> hot_rows_;
  std::vector<ChunkRow> rows_;
};

/// The part of `samples` with times in [from, to].
std::span<const Sample> part(std::span<const Sample> samples, TimeUs from, TimeUs to) {
  const auto begin = std::ranges::lower_bound(samples, from, {}, &Sample::at);
  return {begin, std::ranges::upper_bound(begin, samples.end(), to, {}, &Sample::at)};
}

/// to − from, at most what a duration holds.
DurationUs length(TimeUs from, TimeUs to) {
  return from < 0 && to > INT64_MAX + from ? INT64_MAX : to - from;
}

AppendResult EmbeddedWriter::append(const plant::Run& run, const std::string& node_id,
                                    std::span<const Sample> samples) {
  check_line(run, node_id);
  EmbeddedStore& store = held_.store;
  store.check_run(run);
  Step step(*this);
  const std::int64_t owner = store.put_run(run);
  TagState& tag = store.tag(node_id);
  const std::span<const Sample> batch = in_order(samples, sorted_);
  const std::int64_t replaced = batch.empty() ? 0 : store_batch(tag, owner, batch);
  changes_[owner] += std::ssize(batch);
  step.done();
  return {std::ssize(batch) - replaced, std::ssize(samples) - std::ssize(batch) + replaced};
}

/// How many stored samples it replaces.
std::int64_t EmbeddedWriter::store_batch(TagState& tag, std::int64_t run,
                                         std::span<const Sample> batch) {
  EmbeddedStore& store = held_.store;
  const bool after = !tag.newest || *tag.newest < batch.front().at;
  const std::int64_t replaced = after ? 0 : replace(tag, batch);
  tag.newest = std::max(tag.newest.value_or(INT64_MIN), batch.back().at);
  if (batch.size() >= store.options.direct_samples) {
    store_chunks(tag, run, batch);
    return replaced;
  }
  store.hot.insert(tag.row.id, run, batch, tag.slab);
  tag.hot += batch.size();
  const std::size_t full = store.options.chunk_samples;
  if (tag.hot >= 2 * full || (tag.hot >= full && seals_ < kSealsPerCommit)) seal(tag);
  return replaced;
}

/// Removes what is stored at the times of the batch; how many there were.
std::int64_t EmbeddedWriter::replace(TagState& tag, std::span<const Sample> batch) {
  ChunkTable& chunks = held_.store.chunks;
  std::int64_t replaced = tag.hot == 0 ? 0 : replace_hot(tag, batch);
  rows_.clear();
  chunks.find(tag.row, RunSet(), batch.front().at, batch.back().at);
  while (const auto row = chunks.next()) rows_.push_back(*row);
  for (const ChunkRow& row : rows_) {
    const auto inside = part(batch, row.first, row.last);
    if (!inside.empty()) replaced += replace_in_chunk(tag, row, inside);
  }
  return replaced;
}

std::int64_t EmbeddedWriter::replace_hot(TagState& tag, std::span<const Sample> batch) {
  HotTable& hot = held_.store.hot;
  hot.between(tag.row.id, batch.front().at, batch.back().at, hot_rows_);
  std::int64_t replaced = 0;
  for (const HotSample& row : hot_rows_) {
    if (!std::ranges::binary_search(batch, row.sample.at, {}, &Sample::at)) continue;
    hot.erase(tag.row.id, row.sample.at);
    --changes_[row.run];
    --tag.hot;
    ++replaced;
  }
  return replaced;
}

std::int64_t EmbeddedWriter::replace_in_chunk(TagState& tag, const ChunkRow& row,
                                              std::span<const Sample> batch) {
  read_.clear();
  held_.store.chunks.read(tag.row, row, read_);
  const auto is_replaced = [&](const Sample& s) {
    return std::ranges::binary_search(batch, s.at, {}, &Sample::at);
  };
  const auto replaced = static_cast<std::int64_t>(std::erase_if(read_, is_replaced));
  if (replaced == 0) return 0;
  held_.store.chunks.erase(row.id);
  if (!read_.empty()) write(tag, row.run, read_);
  changes_[row.run] -= replaced;
  return replaced;
}

/// All hot rows of the tag become chunks.
void EmbeddedWriter::seal(TagState& tag) {
  HotTable& hot = held_.store.hot;
  hot.between(tag.row.id, INT64_MIN, INT64_MAX, hot_rows_);
  hot.erase_all(tag.row.id);
  tag.hot = 0;
  tag.slab.reset();
  ++seals_;
  std::map<std::int64_t, std::vector<Sample>> by_run;
  for (const HotSample& row : hot_rows_) by_run[row.run].push_back(row.sample);
  for (const auto& [run, samples] : by_run) store_chunks(tag, run, samples);
}

/// Writes ascending samples, none of which is stored, as chunks of the run: those that fall into a
/// chunk, or follow one that is small, together with it.
void EmbeddedWriter::store_chunks(TagState& tag, std::int64_t run,
                                  std::span<const Sample> samples) {
  ChunkTable& chunks = held_.store.chunks;
  rows_.clear();  // the chunks of this run that the samples reach into, and the one before
  if (const auto row = chunks.before(tag.row.id, run, samples.front().at)) rows_.push_back(*row);
  chunks.find(tag.row, RunSet({run}), samples.front().at, samples.back().at);
  while (const auto row = chunks.next())
    if (row->first > samples.front().at) rows_.push_back(*row);

  const auto upto = [&](std::size_t i) {  // samples before chunk i
    const auto all = samples;
    const TimeUs first = i < rows_.size() ? rows_[i].first : INT64_MAX;
    const auto at =
        i < rows_.size() ? std::ranges::lower_bound(all, first, {}, &Sample::at) : all.end();
    samples = {at, all.end()};
    return std::span(all.begin(), at);
  };
  if (const auto lead = upto(0); !lead.empty()) write(tag, run, lead);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto group = upto(i + 1);
    if (group.empty()) continue;
    const ChunkRow& row = rows_[i];
    const bool small =
        static_cast<std::size_t>(row.samples) * 2 < held_.store.options.chunk_samples;
    if (row.last < group.front().at && !small) {
      write(tag, run, group);
      continue;
    }
    read_.clear();
    chunks.read(tag.row, row, read_);
    merged_.clear();
    std::ranges::merge(read_, group, std::back_inserter(merged_), {}, &Sample::at, &Sample::at);
    chunks.erase(row.id);
    write(tag, run, merged_);
  }
}

/// Writes ascending samples as chunks of about equal size.
void EmbeddedWriter::write(TagState& tag, std::int64_t run, std::span<const Sample> samples) {
  const std::size_t usual = held_.store.options.chunk_samples;
  const std::size_t n = samples.size(), pieces = std::max<std::size_t>(1, (n + usual / 2) / usual);
  for (std::size_t i = 0; i < pieces; ++i) {
    const std::size_t from = i * n / pieces, to = (i + 1) * n / pieces;
    held_.store.chunks.insert(tag.row, run, samples.subspan(from, to - from));
    tag.row.longest = std::max(tag.row.longest, length(samples[from].at, samples[to - 1].at));
  }
  if (tag.row.longest == tag.longest_stored) return;
  held_.store.catalog.set_longest(tag.row.id, tag.row.longest);
  tag.longest_stored = tag.row.longest;
}

}  // namespace

std::unique_ptr<Writer> begin_writer(EmbeddedStore& store) {
  if (!store.free.try_acquire_for(store.options.patience))
    throw Error("DATABASE_BUSY", {{"path", "historian.db"}});
  return std::make_unique<EmbeddedWriter>(store);
}

}  // namespace flyball::historian
