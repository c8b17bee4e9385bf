#pragma once
// A process told from every other, also from one that has its number later: namespace of numbers,
// number, and when it began.
#include <string>

namespace flyball::jobs {

/// Of this process.
std::string process_mark();

/// False only when the process of a mark is gone for sure: of another namespace or another machine
/// nothing can be told, and an empty mark is of nobody.
bool may_live(const std::string& mark);

}  // namespace flyball::jobs
