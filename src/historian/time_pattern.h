#pragma once
// An explicit pattern of times, such as "%d.%m.%Y %H:%M:%S".
//
//   %Y  year, 4 digits           %H  hour 0 to 23        %f  fraction of a second, 1 digit or more
//   %y  year, 2 digits (69 to    %I  hour 1 to 12        %p  AM or PM
//       68 are 1969 to 2068)     %M  minute              %z  offset: Z, +01, +0100 or +01:00
//   %m  month   %b  month by     %S  second              %j  day of the year
//   %d  day         its name     %%  a percent sign
//
// Numbers may lack leading zeros (not %Y). A blank takes any number of blanks, also none; anything
// else stands for itself.
#include <string>
#include <string_view>

#include "historian/civil_time.h"

namespace flyball::historian {

class TimePattern {
 public:
  /// Throws IMPORT_TIME_PATTERN for another letter, and for a pattern that leaves the date open.
  explicit TimePattern(std::string pattern);

  /// All of the text, or false.
  bool read(std::string_view text, CivilTime& out) const;

  [[nodiscard]] bool has_offset() const { return has_offset_; }
  [[nodiscard]] const std::string& text() const { return pattern_; }

 private:
  std::string pattern_;
  bool has_offset_ = false;
};

}  // namespace flyball::historian
