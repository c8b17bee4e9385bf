#include "survey/signal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace flyball::survey {
namespace {

constexpr std::int64_t kPage = 100'000;

std::string reason(historian::Quality quality) {
  if (quality == historian::kBadNoData) return "BadNoData";
  if (quality == historian::kBadNotANumber) return "BadTypeMismatch";
  if (quality == historian::kBadOutOfRange) return "BadOutOfRange";
  return fmt::format("0x{:08X}", quality.code);
}

/// True when the sample can be used.
bool count(const historian::Sample& s, SampleCounts& counts) {
  ++counts.total;
  if (s.quality.bad()) {
    ++counts.bad;
    ++counts.bad_by_reason[reason(s.quality)];
    return false;
  }
  ++(s.quality.good() ? counts.good : counts.uncertain);
  if (std::isfinite(s.value)) return true;
  ++counts.not_finite;
  return false;
}

}  // namespace

void Signal::remove(const std::vector<double>& values) {
  std::size_t out = 0;
  for (Run& run : runs) {
    const std::size_t first = out;
    for (std::size_t i = run.first; i < run.end; ++i) {
      if (std::ranges::find(values, x[i]) != values.end()) continue;
      t[out] = t[i];
      x[out++] = x[i];
    }
    run.first = first;
    run.end = out;
  }
  t.resize(out);
  x.resize(out);
  std::erase_if(runs, [](const Run& run) { return run.first == run.end; });
}

Signal read_signal(const historian::Historian& historian, const std::string& node_id,
                   const std::vector<plant::Run>& runs, TimeUs from, TimeUs to,
                   SampleCounts& counts) {
  Signal out;
  for (const plant::Run& run : runs) {
    const std::size_t first = out.t.size();
    historian::PageRequest request;
    request.node_id = node_id;
    request.filter = {run.line_id, run.product_id, run.recipe_id, run.id};
    request.from = from;
    request.to = to;
    request.limit = kPage;
    do {
      const historian::Page page = historian.page(request);
      for (const historian::Sample& s : page.samples) {
        if (!count(s, counts)) continue;
        out.t.push_back(s.at);
        out.x.push_back(s.value);
      }
      request.after = page.next;
    } while (request.after);
    if (out.t.size() > first) out.runs.push_back({run.id, first, out.t.size()});
  }
  return out;
}

std::vector<double> quantiles(std::vector<double>& v, std::span<const double> q) {
  std::vector<double> out;
  auto sorted_to = v.begin();
  for (const double share : q) {
    const double position = share * static_cast<double>(v.size() - 1);
    const auto below = v.begin() + static_cast<std::ptrdiff_t>(position);
    std::nth_element(sorted_to, below, v.end());
    sorted_to = below;
    const double rest = position - std::floor(position);
    const double above = rest > 0 ? *std::min_element(below + 1, v.end()) : *below;
    out.push_back(*below + rest * (above - *below));
  }
  return out;
}

}  // namespace flyball::survey
