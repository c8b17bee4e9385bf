#pragma once
// The identifiers of octave-control on the rows that ours are judged on. A child process fits and
// simulates (bench/octave/fit_peers.m); CSV files in a folder carry data and results.
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "math/types.h"

namespace flyball::bench {

struct PeerTask {
  std::string name;
  Matrix values;  ///< train rows, then test rows; inputs, then outputs
  Index inputs = 0;
  Index train_rows = 0;
  Index test_first = 0;  ///< behind the purge
  Index history = 0;     ///< H: rows for the state, left out of the norms
  Index horizon = 0;     ///< F > 0: y(t+F) − y(t) is judged instead of the free run
};

struct PeerFit {
  std::string method;  ///< arx1, arx0 (first input lag), n4sid, moen4
  int order = 0;
  int cv = 0;             ///< 0-based
  std::string state;      ///< how the state at the border was found
  double validation = 0;  ///< fitted on 3/4 of train, fit % on the rest of train
  double test = 0;        ///< fitted on train, fit % on test; NaN: none
  double seconds = 0;     ///< of the fit on train
};

struct PeerResult {
  std::vector<PeerFit> fits;
  std::vector<std::string> stuck;  ///< methods given up: a call did not return within the limit
};

/// True when octave-cli starts and loads its control package.
bool octave_is_there();

/// Orders 1..10 of every method. A result in the folder that came from the same rows and the same
/// script is read instead. A call that takes longer than `limit` is killed; after two the method is
/// given up.
PeerResult fit_peers(const PeerTask& task, const std::filesystem::path& folder,
                     std::chrono::seconds limit);

/// The fit per CV that counts, of the methods that begin with `method` (all: ""): NaN when none.
struct PeerBest {
  double test = 0;
  std::string which;  ///< method order state
};
PeerBest best_by_validation(const PeerResult& result, int cv, const std::string& method);
PeerBest best_by_test(const PeerResult& result, int cv, const std::string& method);

}  // namespace flyball::bench
