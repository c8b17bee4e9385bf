#pragma once
// Well-formedness of markup: every tag closed in order, attributes quoted, no stray < or &.
#include <string>

namespace flyball::report {

/// "" when the page is well-formed, else what is wrong. Void elements must end in "/>".
std::string markup_problem(const std::string& page);

}  // namespace flyball::report
