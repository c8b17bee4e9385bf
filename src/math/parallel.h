#pragma once
// Independent tasks on the threads of the machine.
#include <functional>

#include "math/types.h"

namespace flyball::math {

/// Calls task(i) once for every i = 0..n−1, on up to `threads` threads (0: as many as the machine
/// has), the caller's among them; returns when all have ended. Tasks begin in the order of i. A
/// task writes only what no other reads, so the number of threads changes no result. After a task
/// threw none begins; the exception of the least i is thrown again, the one that a plain loop would
/// throw. Starting a thread costs about 30 µs: for tasks of a millisecond and more.
void parallel_for(Index n, const std::function<void(Index)>& task, unsigned threads = 0);

}  // namespace flyball::math
