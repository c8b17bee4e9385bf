#pragma once
// How long work shows itself: a callback with a record. Called from the working thread.
#include <functional>
#include <string>

namespace flyball {

struct Progress {
  std::string stage;      ///< "import", "dataset", "identify", "evaluate", "gates", "register"
  double fraction = 0;    ///< 0..1 of this stage
  std::string note;
};

using ProgressFn = std::function<void(const Progress&)>;

}  // namespace flyball
