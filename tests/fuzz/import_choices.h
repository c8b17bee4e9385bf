#pragma once
// Options of an import from a line of characters, one a choice: '0' or the end of the line is the
// default, so a new choice at the end changes no input that is kept.
#include <cstddef>
#include <string_view>

#include "historian/import.h"

namespace flyball::fuzz {

class Choices {
 public:
  explicit Choices(std::string_view line) : line_(line) {}

  std::size_t below(std::size_t n) {
    if (line_.empty()) return 0;
    const auto byte = static_cast<unsigned char>(line_.front() - '0');
    line_.remove_prefix(1);
    return byte % n;
  }
  template <class T, std::size_t N>
  T of(const T (&list)[N]) {
    return list[below(N)];
  }

 private:
  std::string_view line_;
};

historian::ImportOptions import_options(Choices choices);

}  // namespace flyball::fuzz
