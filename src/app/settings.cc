#include "app/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <cstdlib>

namespace flyball::app {
namespace {

/// Thresholds that are floors: lowering one loosens its gate.
bool is_floor(std::string_view name) {
  return name.starts_with("min") || name == "rolloutImprovement";
}

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\n") == std::string::npos;
}

/// What goes must be older than the days and not among the newest that are kept.
void add_retention(std::vector<SettingSpec>& out) {
  struct Rule {
    const char *key, *kept_key;
    double days, kept;
    const char *what, *group;
  };
  constexpr Rule kRules[]{
      {"retention.jobDays", "retention.jobsKept", 30, 100, "ended jobs without a model", ""},
      {"retention.logDays", "retention.logsKept", 7, 20, "logs of ended jobs", ""},
      {"retention.experimentDays", "retention.experimentsKept", 180, 20,
       "experiments without a model", " of a dataset"},
      {"retention.modelDays", "retention.modelsKept", 90, 3, "files of retired models",
       " of a recipe"},
      {"retention.planDays", "retention.plansKept", 30, 3, "candidates of training plans",
       " of a plan"},
      {"retention.datasetDays", "retention.datasetsKept", 30, 5, "datasets that nothing cites",
       " of a line"}};
  for (const Rule& r : kRules) {
    out.push_back({r.key, r.days, 0, 36'500, "days", Loosens::neither,
                   fmt::format("{} are removed when older", r.what), false});
    out.push_back({r.kept_key, r.kept, 0, 1e6, "", Loosens::neither,
                   fmt::format("{}: so many newest{} stay whatever their age", r.what, r.group),
                   true});
  }
  out.push_back({"retention.everyHours", 24, 0, 8'760, "h", Loosens::neither,
                 "the service removes what is too old so often; 0: never by itself", false});
}

double parse_value(const SettingSpec& spec, std::string_view text, std::string_view source) {
  double value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (ec != std::errc{} || end != text.data() + text.size() ||
      !(value >= spec.min && value <= spec.max) || (spec.whole && value != std::round(value))) {
    throw Error("SETTING_VALUE",
                {{"key", spec.key},
                 {"value", text},
                 {"source", source},
                 {"kind", spec.whole ? "whole number" : "number"},
                 {"min", spec.min},
                 {"max", spec.max}},
                "/value");
  }
  return value;
}

}  // namespace

std::vector<SettingSpec> setting_specs() {
  std::vector<SettingSpec> out;
  const gates::Thresholds defaults;
  for_each_field<gates::Thresholds>([&](const auto& f) {
    out.push_back({std::string("gates.") + f.name, static_cast<double>(defaults.*(f.member)), f.min,
                   f.max, f.unit_text, is_floor(f.name) ? Loosens::down : Loosens::up, f.doc,
                   std::is_integral_v<std::remove_cvref_t<decltype(defaults.*(f.member))>>});
  });
  out.push_back({"uq.alpha", 0.1, 0.01, 0.5, "", Loosens::up,
                 "share of blocks that the uncertainty interval may miss", false});
  out.push_back({"dataset.maxRows", 200'000, 1'000, 100e6, "windows", Loosens::neither,
                 "most windows that a dataset in windows form may have", true});
  out.push_back({"job.diskQuotaMb", 2048, 16, 1e9, "MB", Loosens::neither,
                 "most that datasets, jobs and models may take on the disk together", true});
  out.push_back({"shadow.runs", 10, 1, 10'000, "runs", Loosens::down,
                 "runs that a model in shadow must have predicted before production", true});
  out.push_back({"shadow.regimes", 3, 1, 1'000, "regimes", Loosens::down,
                 "operating regimes (thirds of the MVs' ranges) that these runs must cover", true});
  out.push_back({"shadow.predictions", 500, 1, 1e6, "predictions", Loosens::down,
                 "of a line without batches: scored predictions instead of runs", true});
  out.push_back({"shadow.hours", 24, 0.1, 8'760, "h", Loosens::down,
                 "of a line without batches: plant time that the predictions must span", false});
  out.push_back({"job.maxConcurrent", 2, 1, 8, "jobs", Loosens::neither,
                 "most jobs that run at the same time", true});
  out.push_back(
      {"job.maxWaiting", 20, 1, 1000, "jobs", Loosens::neither, "most jobs that wait", true});
  out.push_back({"job.timeoutSeconds", 1'800, 30, 21'600, "s", Loosens::neither,
                 "longest time of one attempt", true});
  out.push_back({"job.stallSeconds", 600, 60, 7'200, "s", Loosens::neither,
                 "an attempt that says nothing for so long is ended", true});
  out.push_back({"job.memoryMb", 8'192, 256, 1e6, "MB", Loosens::neither,
                 "most memory of a process that trains", true});
  out.push_back({"optimizer.solver.poolSize", 1, 1, 4, "processes", Loosens::neither,
                 "processes that compute advice", true});
  out.push_back({"optimizer.solver.requestTimeoutMs", 5'000, 100, 600'000, "ms", Loosens::neither,
                 "longest time of one question", true});
  out.push_back({"optimizer.solver.memoryMb", 2'048, 256, 1e6, "MB", Loosens::neither,
                 "most memory of a process that computes advice", true});
  out.push_back({"optimizer.activation.timeoutSeconds", 60, 0.1, 3'600, "s", Loosens::neither,
                 "longest time in which the loops of a profile are simulated before it is in force",
                 false});
  out.push_back({"uq.freshDays", 30, 1, 3'650, "days", Loosens::up,
                 "older evidence of uncertainty does not verify advice", false});
  out.push_back({"job.maxExperiments", 12, 1, 10'000, "experiments", Loosens::neither,
                 "most attempts on one dataset: more would fit its noise", true});
  out.push_back({"disk.minFreeMb", 64, 0, 1e9, "MB", Loosens::neither,
                 "with fewer free on the disk nothing that grows is done", false});
  out.push_back({"disk.minFreePercent", 0, 0, 90, "%", Loosens::neither,
                 "the same, as a share of the disk; the larger of the two counts", false});
  out.push_back({"quota.datasets", 0, 0, 1e6, "datasets", Loosens::neither,
                 "most datasets of a line; 0: no limit", true});
  out.push_back({"quota.models", 0, 0, 1e6, "models", Loosens::neither,
                 "most models of a line that have their files; 0: no limit", true});
  out.push_back({"quota.mb", 0, 0, 1e9, "MB", Loosens::neither,
                 "a line whose datasets and models take so much gets no more; 0: no limit", false});
  out.push_back({"plan.perDay", 24, 0, 10'000, "trainings", Loosens::neither,
                 "most trainings that the plans of a line begin within a day", true});
  out.push_back({"plan.quotaMb", 1'024, 0, 1e9, "MB", Loosens::neither,
                 "a plan whose datasets and models take so much begins no more; 0: no limit",
                 false});
  add_retention(out);
  return out;
}

SettingSpec setting_spec(std::string_view key) {
  const std::vector<SettingSpec> specs = setting_specs();
  std::vector<std::string_view> known;
  for (const SettingSpec& s : specs) {
    if (s.key == key) return s;
    known.push_back(s.key);
  }
  throw Error("SETTING_UNKNOWN",
              {{"key", key},
               {"suggestion", record_detail::suggestion(key, known)},
               {"known", fmt::format("{}", fmt::join(known, ", "))}},
              "/key");
}

std::string environment_name(std::string_view key) {
  std::string out = "FLYBALL_";
  for (const char c : key) {
    if (c >= 'A' && c <= 'Z') out += '_';
    out += c == '.' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  }
  return out;
}

SettingView resolve(const SettingSpec& spec, registry::SettingsStore* store,
                    const std::string& line_id) {
  SettingView view;
  view.key = spec.key;
  view.unit = spec.unit;
  view.default_value = spec.default_value;
  view.min = spec.min;
  view.max = spec.max;
  view.doc = spec.doc;
  view.value = spec.default_value;
  view.source = "default";
  const std::string variable = environment_name(spec.key);
  if (const char* text = std::getenv(variable.c_str())) {
    view.value = parse_value(spec, text, variable);
    view.source = "environment " + variable;
    if (view.value != spec.default_value)
      view.reason = Message{"SETTING_ENVIRONMENT", {{"variable", variable}}}.text();
    return view;
  }
  if (store == nullptr) return view;
  auto stored = line_id.empty() ? std::nullopt : store->get(view.key, line_id);
  const bool for_line = stored.has_value();
  if (!stored) stored = store->get(view.key, "");
  if (stored) {
    view.value = stored->value;
    view.source = fmt::format("{} version {}", for_line ? "line " + line_id + "," : "database,",
                              stored->version);
    if (!stored->reason.empty()) view.reason = stored->reason;
  }
  return view;
}

custody::RetentionRules retention_rules(registry::SettingsStore* store) {
  const auto rule = [&](const char* days, const char* kept) {
    return custody::KeepRule{
        resolve(setting_spec(days), store, "").value,
        static_cast<std::int64_t>(resolve(setting_spec(kept), store, "").value)};
  };
  custody::RetentionRules out;
  out.jobs = rule("retention.jobDays", "retention.jobsKept");
  out.logs = rule("retention.logDays", "retention.logsKept");
  out.experiments = rule("retention.experimentDays", "retention.experimentsKept");
  out.models = rule("retention.modelDays", "retention.modelsKept");
  out.plans = rule("retention.planDays", "retention.plansKept");
  out.datasets = rule("retention.datasetDays", "retention.datasetsKept");
  return out;
}

custody::DiskNeeds disk_needs(registry::SettingsStore* store) {
  return {resolve(setting_spec("disk.minFreeMb"), store, "").value * 1e6,
          resolve(setting_spec("disk.minFreePercent"), store, "").value / 100};
}

LiveThresholds live_thresholds(registry::SettingsStore* store, const std::string& line_id) {
  LiveThresholds out;
  out.provenance.settings_version = store == nullptr ? 0 : store->version();
  for_each_field<gates::Thresholds>([&](const auto& f) {
    const SettingView view = resolve(setting_spec(std::string("gates.") + f.name), store, line_id);
    auto& member = out.thresholds.*(f.member);
    member = static_cast<std::remove_reference_t<decltype(member)>>(view.value);
    if (view.source != "default") out.provenance.sources[f.name] = view.source;
    if (view.reason) out.provenance.reasons[f.name] = *view.reason;
  });
  return out;
}

void set(const ConfigSetRequest& request, registry::SettingsStore& store, TimeUs now) {
  const SettingSpec spec = setting_spec(request.key);
  std::optional<double> value;
  if (request.value != "default") value = parse_value(spec, request.value, "the command");
  const double target = value.value_or(spec.default_value);
  const double current = resolve(spec, &store, request.line.value_or("")).value;
  const bool loosens = (spec.loosens == Loosens::up && target > current) ||
                       (spec.loosens == Loosens::down && target < current);
  if (loosens && value && is_blank(request.reason)) {
    throw Error("SETTING_REASON_MISSING", {{"key", spec.key}, {"from", current}, {"to", target}},
                "/reason");
  }
  store.set(request.key, request.line.value_or(""), value, request.reason, now);
}

}  // namespace flyball::app
