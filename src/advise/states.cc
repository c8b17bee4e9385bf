#include "advise/states.h"

#include <utility>

namespace flyball::advise {
namespace {

template <class S, std::size_t N>
bool allowed(const std::pair<S, S> (&moves)[N], S from, S to) {
  for (const auto& [a, b] : moves) {
    if (a == from && b == to) return true;
  }
  return false;
}

}  // namespace

bool may_move(ProfileStatus from, ProfileStatus to) {
  using enum ProfileStatus;
  static constexpr std::pair<ProfileStatus, ProfileStatus> kMoves[]{
      {draft, active}, {draft, retired}, {active, retired}};
  return allowed(kMoves, from, to);
}

bool may_move(RunStatus from, RunStatus to) {
  return from == RunStatus::running && to != RunStatus::running;
}

bool may_move(RecommendationStatus from, RecommendationStatus to) {
  using enum RecommendationStatus;
  static constexpr std::pair<RecommendationStatus, RecommendationStatus> kMoves[]{
      {unverified, accepted}, {unverified, rejected}, {unverified, expired},
      {verified, accepted},   {verified, rejected},   {verified, expired},
      {accepted, applied},    {accepted, rejected},   {accepted, expired}};
  return allowed(kMoves, from, to);
}

bool is_open(RecommendationStatus status) {
  return may_move(status, RecommendationStatus::expired);
}

std::string label(RecommendationStatus status, plant::EvidenceSource source) {
  using plant::EvidenceSource;
  const bool simulated = source == EvidenceSource::simulation;
  if (status == RecommendationStatus::verified) {
    if (simulated) return "Verified by simulation";
    return source == EvidenceSource::real ? "Verified by real data"
                                          : "Verified by data of unknown origin";
  }
  static constexpr std::string_view kTexts[]{
      "Unverified – do not apply automatically", "", "Accepted", "Rejected", "Applied", "Expired"};
  std::string out(kTexts[static_cast<std::size_t>(status)]);
  return simulated ? out + " (simulation)" : out;
}

}  // namespace flyball::advise
