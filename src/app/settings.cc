#include "app/settings.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace flyball::app {
namespace {

// clang-format off
constexpr std::array kSpecs{
    SettingSpec{"gates.nrmse", 0.10, 0.001, 1, "", Loosens::up, "G1: largest one-step NRMSE on the test part"},
    SettingSpec{"gates.rolloutImprovement", 0.20, 0, 0.99, "", Loosens::down, "G2: smallest improvement of the rollout over persistence"},
    SettingSpec{"gates.valTestGap", 0.20, 0, 10, "", Loosens::up, "G3: largest relative gap between val and test one-step NRMSE"},
    SettingSpec{"gates.valFloor", 0.05, 1e-9, 1, "", Loosens::up, "G3: smallest denominator of the gap"},
    SettingSpec{"gates.minRows", 500, 50, 1e9, "steps", Loosens::down, "G4: smallest number of unique usable time steps"},
    SettingSpec{"gates.minRuns", 3, 1, 1e6, "runs", Loosens::down, "G4: smallest number of runs, unless train, val and test all exist"},
    SettingSpec{"uq.alpha", 0.10, 0.01, 0.5, "", Loosens::up, "share of blocks that the uncertainty interval may miss"},
    SettingSpec{"uq.freshDays", 30, 1, 3650, "d", Loosens::up, "age at which uncertainty evidence goes stale"},
};
// clang-format on

double parse_value(const SettingSpec& spec, std::string_view text, std::string_view source) {
  double value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (ec != std::errc{} || end != text.data() + text.size() || !(value >= spec.min && value <= spec.max)) {
    throw Error("SETTING_VALUE", {{"key", spec.key}, {"value", text}, {"source", source}, {"min", spec.min}, {"max", spec.max}}, "/value");
  }
  return value;
}

}  // namespace

std::span<const SettingSpec> setting_specs() { return kSpecs; }

const SettingSpec& setting_spec(std::string_view key) {
  std::vector<std::string_view> known;
  for (const SettingSpec& s : kSpecs) {
    if (s.key == key) return s;
    known.push_back(s.key);
  }
  throw Error("SETTING_UNKNOWN", {{"key", key}, {"suggestion", record_detail::suggestion(key, known)}, {"known", fmt::format("{}", fmt::join(known, ", "))}}, "/key");
}

std::string environment_name(std::string_view key) {
  std::string out = "FLYBALL_";
  for (const char c : key) {
    if (c >= 'A' && c <= 'Z') out += '_';
    out += c == '.' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  }
  return out;
}

SettingView resolve(const SettingSpec& spec, registry::SettingsStore* store, const std::string& line_id) {
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
    return view;
  }
  if (store == nullptr) return view;
  auto stored = line_id.empty() ? std::nullopt : store->get(view.key, line_id);
  const bool for_line = stored.has_value();
  if (!stored) stored = store->get(view.key, "");
  if (stored) {
    view.value = stored->value;
    view.source = fmt::format("{} version {}", for_line ? "line " + line_id + "," : "database,", stored->version);
    if (!stored->reason.empty()) view.reason = stored->reason;
  }
  return view;
}

void set(const ConfigSetRequest& request, registry::SettingsStore& store, TimeUs now) {
  const SettingSpec& spec = setting_spec(request.key);
  std::optional<double> value;
  if (request.value != "default") value = parse_value(spec, request.value, "the command");
  const double target = value.value_or(spec.default_value);
  const double current = resolve(spec, &store, request.line.value_or("")).value;
  const bool loosens = (spec.loosens == Loosens::up && target > current) || (spec.loosens == Loosens::down && target < current);
  if (loosens && value && request.reason.empty()) {
    throw Error("SETTING_REASON_MISSING", {{"key", spec.key}, {"from", current}, {"to", target}}, "/reason");
  }
  store.set(request.key, request.line.value_or(""), value, request.reason, now);
}

}  // namespace flyball::app
