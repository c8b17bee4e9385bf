#pragma once
// Soft limits by rank: the violation of the higher rank is made as small as it can be and fixed,
// then the next. One solve where nothing has to be given up.
//
// Within a rank the penalty is exact: its linear weight is raised tenfold until the sum of the
// slacks over σ does not fall any more. A rank whose CVs all give softLinear is a trade by that
// price instead.
#include "optimise/trajectory.h"

namespace flyball::optimise {

struct RankedAnswer {
  Answer answer = Answer::solved;
  Index iterations = 0;
  bool gave_up = false;  ///< some ranked slack is above 0
};

class Ranked {
 public:
  /// The engine has its start; every limit is set from the problem.
  Ranked(const ProblemIr& problem, const std::vector<TierPlan>& tiers, MpcEngine& engine);

  RankedAnswer solve();
  /// Sets limits and penalties as the first solve does, and solves nothing.
  void prepare();

  /// MVs other than `only` are held; −1: none is.
  void hold_others(Index only);
  /// The first move of an MV is 0; or at least `move`, or below 0 at most.
  void hold_first(Index m);
  void move_first(Index m, double move);
  /// Takes the limits on the value (or else on the moves) of one MV away.
  void free_mv(Index m, bool value);

 private:
  RankedAnswer run();
  void set_moves();
  void set_cvs(std::size_t tiers_in_force);
  void set_weights(std::size_t tier, double weight);
  [[nodiscard]] bool priced(std::size_t tier, Index cv) const;
  [[nodiscard]] double given_up(std::size_t tier) const;
  void relax(std::size_t tier);

  const ProblemIr& p_;
  std::vector<TierPlan> tiers_;
  MpcEngine& engine_;
  std::vector<Band> bands_;
  std::vector<double> move_low_, move_high_, value_low_, value_high_;
  Vector u_prev_;
};

}  // namespace flyball::optimise
