#include "advise/states.h"

#include <gtest/gtest.h>

#include <set>

#include "core/record.h"

namespace flyball::advise {
namespace {

/// Every pair of states of a machine; those that are allowed, as text.
template <class S>
std::set<std::string> moves() {
  std::set<std::string> out;
  const auto names = enum_names(S{});
  for (std::size_t a = 0; a < names.size(); ++a) {
    for (std::size_t b = 0; b < names.size(); ++b) {
      if (may_move(static_cast<S>(a), static_cast<S>(b)))
        out.insert(std::string(names[a]) + ">" + std::string(names[b]));
    }
  }
  return out;
}

TEST(States, ProfilesMoveOneWay) {
  EXPECT_EQ(moves<ProfileStatus>(),
            (std::set<std::string>{"draft>active", "draft>retired", "active>retired"}));
}

TEST(States, ARunEndsOnce) {
  EXPECT_EQ(moves<RunStatus>(),
            (std::set<std::string>{"running>optimal", "running>feasible", "running>infeasible",
                                   "running>timeout", "running>error", "running>noChange",
                                   "running>refused"}));
}

TEST(States, RejectedAppliedAndExpiredAreTheEnd) {
  EXPECT_EQ(
      moves<RecommendationStatus>(),
      (std::set<std::string>{"unverified>accepted", "unverified>rejected", "unverified>expired",
                             "verified>accepted", "verified>rejected", "verified>expired",
                             "accepted>applied", "accepted>rejected", "accepted>expired"}));
}

TEST(States, SimulationShowsInEveryLabel) {
  for (int i = 0; i < 6; ++i) {
    const auto status = static_cast<RecommendationStatus>(i);
    const std::string text = label(status, plant::EvidenceSource::simulation);
    EXPECT_NE(text.find("simulation"), std::string::npos) << text;
    EXPECT_EQ(label(status, plant::EvidenceSource::real).find("simulation"), std::string::npos);
  }
  EXPECT_EQ(label(RecommendationStatus::unverified, plant::EvidenceSource::real),
            "Unverified – do not apply automatically");
  EXPECT_EQ(label(RecommendationStatus::verified, plant::EvidenceSource::real),
            "Verified by real data");
}

}  // namespace
}  // namespace flyball::advise
