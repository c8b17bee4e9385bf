#pragma once
// What a problem has in common with the next one: prediction, factors, estimator and engine, found
// again by a hash of what they depend on.
#include <list>
#include <memory>
#include <string>

#include "optimise/free_response.h"
#include "optimise/mpc_engine.h"

namespace flyball::optimise {

/// One family of CV limits in the order in which they are kept: hard, hard limits that are broken
/// now, the margins, ranks 1, 2, ...
struct TierPlan {
  enum class What { hard, back, margin, soft };
  What what = What::soft;
  std::int64_t rank = 0;
};
std::vector<TierPlan> plan_tiers(const ProblemIr& problem);

/// Limits of a tier, CV by CV, P each, ±infinity for none. A margin tier holds the entered limit
/// moved inwards by the margin.
struct Band {
  std::vector<double> low, high;
};
Band band_of(const ProblemIr& problem, const TierPlan& tier);

struct Setup {
  Setup(const ProblemIr& problem, const model::LinearStateSpace& model);

  std::vector<TierPlan> tiers;
  Estimator estimator;
  std::shared_ptr<const Condensed> condensed;
  MpcEngine engine;
  std::vector<Index> first_step;  ///< per CV: first k = 1.. at which a move changes it; P + 1: none
  double setup_ms = 0;
};

/// The tiers as the engine takes them; `elastic` makes the hard one soft.
std::vector<Tier> engine_tiers(const ProblemIr& problem, const std::vector<TierPlan>& tiers,
                               bool elastic);

/// sha256 over what a Setup depends on.
std::string setup_hash(const ProblemIr& problem, const model::LinearStateSpace& model);

/// The last few set-ups, the oldest forgotten first. One thread at a time.
class SetupCache {
 public:
  explicit SetupCache(std::size_t capacity = 4) : capacity_(capacity) {}
  /// `built`: it was not there.
  Setup& find(const ProblemIr& problem, const model::LinearStateSpace& model, bool& built);

 private:
  std::size_t capacity_;
  std::list<std::pair<std::string, std::unique_ptr<Setup>>> kept_;
};

}  // namespace flyball::optimise
