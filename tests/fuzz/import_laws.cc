#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <variant>

#include "fuzz/import_choices.h"
#include "fuzz/laws.h"
#include "historian/import_plan.h"
#include "historian/memory_historian.h"
#include "plant/names.h"

namespace flyball::fuzz {
namespace {

using namespace historian;
using Refusal = std::string;  ///< code of an Error

std::vector<Sample> samples_of(const MemoryHistorian& store, const std::string& node,
                               const std::string& run) {
  PageRequest request;
  request.node_id = node;
  request.filter.run_id = run;
  request.limit = 7;  // pages meet
  std::vector<Sample> out;
  do {
    const Page page = store.page(request);
    out.insert(out.end(), page.samples.begin(), page.samples.end());
    request.after = page.next;
  } while (request.after);
  return out;
}

void check_samples(const std::vector<Sample>& samples, const ImportResult& result) {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Sample& s = samples[i];
    require(i == 0 || samples[i - 1].at < s.at, "samples ascend in time");
    require(result.times && result.times->from <= s.at && s.at < result.times->to,
            "samples lie in the interval of the result");
    require(s.quality.bad() || std::isfinite(s.value), "only a bad sample lacks a finite value");
    require(!std::isinf(s.value), "no sample is infinite");
  }
}

void check_states(const std::vector<Sample>& samples, const TagAccount& tag) {
  if (tag.kind != plant::TagKind::digital) return;
  const auto states = static_cast<double>(tag.states.size());
  for (const Sample& s : samples) {
    require(s.quality.bad() || (s.value >= 0 && s.value < states && s.value == std::floor(s.value)),
            "a digital sample is the code of a state");
  }
}

TagAccount account_of(const std::vector<Sample>& samples) {
  TagAccount out;
  for (const Sample& s : samples) {
    if (s.quality.good()) ++out.good;
    if (s.quality.uncertain()) ++out.uncertain;
    if (s.quality.bad()) ++(s.quality == kBadNoData ? out.missing : out.bad);
    if (s.quality.good()) {
      out.min = std::min(out.min.value_or(s.value), s.value);
      out.max = std::max(out.max.value_or(s.value), s.value);
    }
  }
  return out;
}

/// How many samples the tag has.
std::int64_t check_tag(const TagAccount& tag, const ImportResult& result, const std::string& line,
                       const MemoryHistorian& store) {
  const std::string node = line + "/" + tag.tag;
  const std::vector<Sample> all = samples_of(store, node, "");
  check_samples(all, result);
  check_states(all, tag);
  std::size_t owned = 0;
  for (const std::string& run : result.runs) owned += samples_of(store, node, run).size();
  require(owned == all.size(), "every sample is owned by a run of the result");

  const TagAccount stored = account_of(all);
  require(stored.good == tag.good && stored.uncertain == tag.uncertain && stored.bad == tag.bad &&
              stored.missing == tag.missing,
          "the store holds what the account of a tag says");
  require(stored.min == tag.min && stored.max == tag.max, "the range is that of the good samples");
  std::int64_t reasons = 0;
  for (const BadCells& cells : tag.reasons) reasons += cells.count;
  require(reasons == std::ranges::count_if(all, [](const Sample& s) { return s.quality != kGood; }),
          "all that is not plainly good has its reason");
  return static_cast<std::int64_t>(all.size());
}

void check_result(const ImportResult& result, bool long_table, const std::string& line,
                  const MemoryHistorian& store) {
  require(result.stored >= 0 && result.rejected >= 0 && result.merged >= 0, "no count is negative");
  require(result.rows_in == result.stored + result.rejected + result.merged,
          "rows in = stored + rejected + merged");
  require(result.rejected == static_cast<std::int64_t>(result.rejected_rows.size()),
          "every rejected row has its reason");
  require(result.conflicts <= result.merged, "conflicts are among the merged rows");
  const auto ascend = [](const RejectedLine& a, const RejectedLine& b) { return a.line < b.line; };
  require(std::ranges::is_sorted(result.rejected_rows, ascend), "rejected lines ascend");
  require(store.nodes("").size() == result.tags.size(), "the account names every tag");
  std::int64_t samples = 0;
  for (const TagAccount& tag : result.tags) {
    const std::int64_t n = check_tag(tag, result, line, store);
    require(long_table || n == result.stored, "a tag has one sample for each row that was stored");
    samples += n;
  }
  require(!long_table || samples == result.stored, "a row of a long table is one sample");
}

/// An account, or the code of the refusal.
template <class Import>
auto attempt(Import import) -> std::variant<Refusal, decltype(import())> {
  try {
    return import();
  } catch (const Error& error) {
    require(plant::is_utf8(error.what()), "a refusal is valid UTF-8");
    return error.code();
  }
}

/// Importing rows with times again replaces every row and changes no sample.
void check_again(std::string_view text, const ImportOptions& options, const ImportResult& first,
                 MemoryHistorian& store) {
  if (options.period) return;  // its runs follow what is stored
  const ImportResult again = import_text(text, options, store);
  require(again.stored == 0 && again.merged == first.merged + first.stored,
          "a second import of the same rows replaces all of them");
  for (const TagAccount& tag : first.tags) {
    const TagAccount now = account_of(samples_of(store, options.line + "/" + tag.tag, ""));
    require(now.good == tag.good && now.min == tag.min && now.max == tag.max,
            "a second import of the same rows changes no sample");
  }
}

}  // namespace

void import_laws(std::string_view bytes) {
  const auto end = std::min(bytes.find('\n'), bytes.size());
  const ImportOptions options = import_options(Choices(bytes.substr(0, end)));
  const std::string_view text = bytes.substr(std::min(end + 1, bytes.size()));
  MemoryHistorian store;
  const auto plan = attempt([&] { return plan_text(text, options, store); });
  const auto result = attempt([&] { return import_text(text, options, store); });
  if (const auto* refusal = std::get_if<Refusal>(&result)) {
    require(store.nodes("").empty() && store.runs({}, false).empty(),
            "nothing is stored when anything is refused");
    require(std::holds_alternative<Refusal>(plan) && std::get<Refusal>(plan) == *refusal,
            "a dry run is refused as the import is");
    return;
  }
  const auto& imported = std::get<ImportResult>(result);
  require(std::holds_alternative<ImportPlan>(plan), "a dry run is refused as the import is");
  const auto& planned = std::get<ImportPlan>(plan);
  require(to_json_value(planned.account) == to_json_value(historian::account_of(imported)),
          "a dry run gives the account of the import");
  check_result(imported, planned.long_table, options.line, store);
  check_again(text, options, imported, store);
}

}  // namespace flyball::fuzz
