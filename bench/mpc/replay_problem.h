#pragma once
// A folder of recorded MPC problems: problem.json and steps.csv (see its SOURCE.md).
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "optimise/mpc_engine.h"

namespace flyball::bench {

struct ReplayStep {
  Vector x0, u_prev, r, d;
  double cost = 0;
  Vector du0;
};

struct ReplayProblem {
  std::string name;  ///< of the folder
  Index nx = 0, nu = 0, ny = 0, horizon = 0, moves = 0;
  double rho = 0;
  Matrix A, B, C;
  Vector q, R, umin, umax, dumax, ymin, ymax;
  std::vector<ReplayStep> steps;
};

ReplayProblem read_replay(const std::filesystem::path& folder);

/// Folders with a problem.json in or right below `path`, sorted.
std::vector<std::filesystem::path> replay_folders(const std::filesystem::path& path);

/// Condensing and factors.
std::shared_ptr<const optimise::Condensed> condense(const ReplayProblem& p);
optimise::MpcEngine engine(const ReplayProblem& p,
                           std::shared_ptr<const optimise::Condensed> model);

/// One step: θ = [x0; u_prev; d − r] and the set-point in front of the closed form. noexcept, no
/// allocation.
optimise::Answer solve(optimise::MpcEngine& e, const ReplayProblem& p, const ReplayStep& s,
                       double* theta) noexcept;

/// By definition, from dense matrices of its own: z = [Δu; ε].
struct Judge {
  explicit Judge(const ReplayProblem& problem);
  const ReplayProblem& p;
  Matrix G, H, free;  ///< y − r = free θ + G Δu, rows k·ny + j
  struct Verdict {
    double violation = 0, gap = 0, first_move = 0, kkt = 0;
  };
  [[nodiscard]] Verdict judge(const ReplayStep& s, const optimise::MpcEngine& e) const;
};

}  // namespace flyball::bench
