#pragma once
// The states of the ledger and every move that is allowed between them, declared once.
#include <array>
#include <string>
#include <string_view>

#include "plant/records.h"

namespace flyball::advise {

enum class ProfileStatus { draft, active, retired };
constexpr auto enum_names(ProfileStatus) {
  return std::array<std::string_view, 3>{"draft", "active", "retired"};
}

/// refused: solved, but what was solved did not stand its verification, or the plant had moved on.
enum class RunStatus { running, optimal, feasible, infeasible, timeout, error, noChange, refused };
constexpr auto enum_names(RunStatus) {
  return std::array<std::string_view, 8>{"running", "optimal", "feasible", "infeasible",
                                         "timeout", "error",   "noChange", "refused"};
}

enum class RecommendationStatus { unverified, verified, accepted, rejected, applied, expired };
constexpr auto enum_names(RecommendationStatus) {
  return std::array<std::string_view, 6>{"unverified", "verified", "accepted",
                                         "rejected",   "applied",  "expired"};
}

/// Why open advice ended by itself.
enum class ExpiryCause {
  time,
  bindingChanged,
  recipeChanged,
  conditionChanged,
  permissionChanged,
  runChanged,
  modelRetired,
  modelMissing,
  profileRetired,
  superseded
};
constexpr auto enum_names(ExpiryCause) {
  return std::array<std::string_view, 10>{
      "time",       "bindingChanged", "recipeChanged", "conditionChanged", "permissionChanged",
      "runChanged", "modelRetired",   "modelMissing",  "profileRetired",   "superseded"};
}

enum class Verdict { improved, neutral, worse, inconclusive };
constexpr auto enum_names(Verdict) {
  return std::array<std::string_view, 4>{"improved", "neutral", "worse", "inconclusive"};
}

/// draft → active → retired, draft → retired.
bool may_move(ProfileStatus from, ProfileStatus to);
/// running → any other, once.
bool may_move(RunStatus from, RunStatus to);
/// unverified, verified → accepted, rejected; accepted → applied, rejected; all three → expired.
/// rejected, applied and expired are the end.
bool may_move(RecommendationStatus from, RecommendationStatus to);

/// It can still be decided on, applied or expire.
bool is_open(RecommendationStatus status);

/// What a person reads of a status; advice that stands on simulated data says so in every status.
std::string label(RecommendationStatus status, plant::EvidenceSource source);

}  // namespace flyball::advise
