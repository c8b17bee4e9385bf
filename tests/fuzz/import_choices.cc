#include "fuzz/import_choices.h"

#include <limits>

namespace flyball::fuzz {

using namespace historian;

namespace {

using Name = std::optional<std::string>;
using Names = std::vector<std::string>;

void choose_times(Choices& choices, ImportOptions& o) {
  o.time_format = choices.of<Name>({{},
                                    "epoch-s",
                                    "epoch-ms",
                                    "%d.%m.%Y %H:%M:%S",
                                    "%Y%m%d %H%M%z",
                                    "%b %d, %y %I:%M:%S.%f %p",
                                    "%Y %j",
                                    "%H",
                                    "%"});
  o.time_zone = choices.of<Name>({{}, "UTC", "Europe/Berlin", "America/New_York", "Nowhere"});
  o.doubled_hour = choices.of({DoubledHour::refuse, DoubledHour::first, DoubledHour::second});
  o.gap = choices.of<std::optional<DurationUs>>({{}, 10 * kSecond, 1, kDay, 0});
  o.on_duplicate =
      choices.of({OnDuplicate::last, OnDuplicate::first, OnDuplicate::mean, OnDuplicate::refuse});
}

void choose_columns(Choices& choices, ImportOptions& o) {
  o.tag_column = choices.of<Name>({{}, "tag", "a", "time"});
  o.value_column = choices.of<Name>({{}, "value", "b"});
  o.unit_column = choices.of<Name>({{}, "unit", "b"});
  o.quality_column = choices.of<Names>({{}, {"q"}, {"a=q"}, {"b"}, {"a=b", "b=a"}});
  o.quality_codes = choices.of<std::optional<QualityCodes>>(
      {{}, QualityCodes::ua, QualityCodes::classic, QualityCodes::flag});
  o.thousands = choices.of<std::optional<Thousands>>(
      {{}, Thousands::comma, Thousands::point, Thousands::blank, Thousands::apostrophe});
  o.bad_value = choices.of<Names>({{}, {"-9999"}, {"a=-200", "0"}, {"x"}, {"z=1"}});
  o.keep_index = choices.of({false, true});
}

}  // namespace

ImportOptions import_options(Choices choices) {
  ImportOptions o;
  o.period = choices.of<std::optional<DurationUs>>({{}, kSecond, 1, kDay, 0, -1});
  o.max_rejects = choices.of({1.0, 0.01, 0.0, 0.5});
  o.delimiter = choices.of<std::optional<Delimiter>>(
      {{}, Delimiter::comma, Delimiter::semicolon, Delimiter::tab, Delimiter::blank});
  o.decimal = choices.of<std::optional<Decimal>>({{}, Decimal::point, Decimal::comma});
  o.columns = choices.of<Names>({{},
                                 {"a"},
                                 {"a", "b"},
                                 {"time", "a"},
                                 {"time", "batch", "a"},
                                 {"a", "a"},
                                 {"", "b"},
                                 {"time", "tag", "value"}});
  o.time_column = choices.of<Name>({{}, "time", "a", "", "date,clock", "time,time"});
  o.run_column = choices.of<Name>({{}, "batch", "a", "time"});
  o.run = choices.of<Name>({{}, "run-1", ".x", ""});
  o.start = choices.of<std::optional<TimeUs>>({{},
                                               1'772'352'000 * kSecond,
                                               -kDay,
                                               std::numeric_limits<TimeUs>::min(),
                                               std::numeric_limits<TimeUs>::max()});
  choose_times(choices, o);
  choose_columns(choices, o);
  return o;
}

}  // namespace flyball::fuzz
