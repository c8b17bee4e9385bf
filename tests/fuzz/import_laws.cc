#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/json.h"
#include "fuzz/import_choices.h"
#include "fuzz/laws.h"
#include "historian/memory_historian.h"

namespace flyball::fuzz {
namespace {

using historian::ImportOptions;
using historian::ImportResult;
using historian::MemoryHistorian;
using historian::Sample;
using historian::TagAccount;

std::vector<Sample> samples_of(const MemoryHistorian& store, const std::string& node,
                               const std::string& run) {
  historian::PageRequest request;
  request.node_id = node;
  request.filter.run_id = run;
  request.limit = 7;  // pages meet
  return read_all(store, request);
}

/// Texts that people read can be written as JSON: they are valid UTF-8.
void check_text(const std::string& text) {
  require(!canonical(Json(text)).empty(), "a message has words");
}

void check_samples(const std::vector<Sample>& samples, const ImportResult& result) {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Sample& s = samples[i];
    require(i == 0 || samples[i - 1].at < s.at, "samples ascend in time");
    require(result.times && result.times->from <= s.at && s.at < result.times->to,
            "samples lie in the interval of the result");
    require(s.quality.bad() || std::isfinite(s.value), "only a bad sample lacks a finite value");
    require(!s.quality.bad() || !std::isinf(s.value), "no sample is infinite");
  }
}

TagAccount account_of(const std::vector<Sample>& samples) {
  TagAccount out;
  for (const Sample& s : samples) {
    if (s.quality.good()) ++out.good;
    if (s.quality.uncertain()) ++out.uncertain;
    if (s.quality.bad()) ++(s.quality == historian::kBadNoData ? out.missing : out.bad);
    if (s.quality.good()) {
      out.min = std::min(out.min.value_or(s.value), s.value);
      out.max = std::max(out.max.value_or(s.value), s.value);
    }
  }
  return out;
}

void check_tag(const TagAccount& tag, const ImportResult& result, const std::string& line,
               const MemoryHistorian& store) {
  const std::string node = line + "/" + tag.tag;
  const std::vector<Sample> all = samples_of(store, node, "");
  check_samples(all, result);
  std::size_t owned = 0;
  for (const std::string& run : result.runs) owned += samples_of(store, node, run).size();
  require(owned == all.size(), "every sample is owned by a run of the result");

  const TagAccount stored = account_of(all);
  require(stored.good == tag.good && stored.uncertain == tag.uncertain && stored.bad == tag.bad &&
              stored.missing == tag.missing,
          "the store holds what the account of a tag says");
  require(stored.min == tag.min && stored.max == tag.max, "the range is that of the good samples");
  require(tag.good + tag.uncertain + tag.bad + tag.missing == result.stored,
          "a tag has one sample for each row that was stored");
}

void check_result(const ImportResult& result, const std::string& line,
                  const MemoryHistorian& store) {
  require(result.stored >= 0 && result.rejected >= 0 && result.merged >= 0, "no count is negative");
  require(result.rows_in == result.stored + result.rejected + result.merged,
          "rows in = stored + rejected + merged");
  require(result.rejected == static_cast<std::int64_t>(result.rejected_rows.size()),
          "every rejected row has its reason");
  require(store.nodes("").size() == result.tags.size(), "the account names every tag");
  for (const TagAccount& tag : result.tags) check_tag(tag, result, line, store);
  for (const Message& m : result.rejected_rows) check_text(m.text());
  for (const Message& m : result.notes) check_text(m.text());
}

}  // namespace

void import_laws(std::string_view bytes) {
  const auto end = std::min(bytes.find('\n'), bytes.size());
  const ImportOptions options = import_options(Choices(bytes.substr(0, end)));
  const std::string_view text = bytes.substr(std::min(end + 1, bytes.size()));
  MemoryHistorian store;
  try {
    check_result(import_text(text, options, store), options.line, store);
  } catch (const Error& error) {
    require(store.nodes("").empty() && store.runs({}, false).empty(),
            "nothing is stored when anything is refused");
    check_text(error.what());
  }
}

}  // namespace flyball::fuzz
