#pragma once
// Dead time of every (input, CV) pair: the first lag at which y(t) answers u(t − k).
#include <optional>
#include <vector>

#include "identify/regression.h"

namespace flyball::identify {

struct DeadTimeOptions {
  std::vector<Index> inputs;                        ///< columns that may answer
  std::vector<Index> first_lag;                     ///< per input column 0..nu−1: first candidate
  std::vector<std::optional<Index>> last_lag = {};  ///< per input column: no candidate above
  Index range = 20;                                 ///< candidates first_lag .. first_lag + range
  double level = 0.01;                              ///< of the tests
  Index y_lags = 10;
  std::vector<Index> in_loop;  ///< input columns whose range is widened
};

struct DeadTimeEstimate {
  Index input = 0;
  Index steps = 0;
  Index low = 0, high = 0;  ///< lags within the 95 % F bound of the scan, widened to hold steps
  Index steps_after_0 = 0;  ///< the estimate when lag 0 is not allowed; equals steps when steps > 0
  bool active = false;      ///< joint F significant
  bool by_test = false;     ///< a lag was significant by itself; else by least residual sum
  bool edge = false;        ///< steps stands at the end of the range
  bool unclear = false;     ///< not by_test, and every lag of the range is within the bound
  double p_value = 1;       ///< of the joint F
};

/// Tests on an ARX with y_lags lags of y and all lags of the range of every input. A pair is active
/// when its coefficients are jointly significant; its dead time is the first lag significant by
/// itself (two-sided t, Bonferroni over the range), else the lag of least residual sum of a scan
/// with na = nb = 2 over all pairs in turn. The coefficient at the first lag is the same in every
/// solution of the normal equations, so noise-free data give the exact lag: residuals are floored
/// at (1e-6·std)². The range of an input in a loop reaches up to the last lag for which the test
/// does not reject at 5 % that all lags before it are zero: the scan's own noise model is too small
/// there. Needs normal.max_lag ≥ largest first_lag + range + 1 and ≥ y_lags.
std::vector<DeadTimeEstimate> find_dead_times(const Normal& normal, Index y_signal,
                                              const DeadTimeOptions& options);

/// The regressors of the tests: all lags of the range of every input, then those of y.
std::vector<Term> dead_time_terms(Index y_signal, const DeadTimeOptions& options);

}  // namespace flyball::identify
