#include "fuzz/import_choices.h"

#include <limits>

namespace flyball::fuzz {

using historian::Decimal;
using historian::Delimiter;
using historian::ImportOptions;

ImportOptions import_options(Choices choices) {
  using Names = std::vector<std::string>;
  using Name = std::optional<std::string>;
  ImportOptions o;
  o.period = choices.of<std::optional<DurationUs>>({{}, kSecond, 1, kDay, 0, -1});
  o.max_rejects = choices.of({1.0, 0.01, 0.0, 0.5});
  o.delimiter = choices.of<std::optional<Delimiter>>(
      {{}, Delimiter::comma, Delimiter::semicolon, Delimiter::tab, Delimiter::blank});
  o.decimal = choices.of<std::optional<Decimal>>({{}, Decimal::point, Decimal::comma});
  o.columns = choices.of<Names>(
      {{}, {"a"}, {"a", "b"}, {"time", "a"}, {"time", "batch", "a"}, {"a", "a"}, {"", "b"}});
  o.time_column = choices.of<Name>({{}, "time", "a", ""});
  o.run_column = choices.of<Name>({{}, "batch", "a", "time"});
  o.run = choices.of<Name>({{}, "run-1", ".x", ""});
  o.start = choices.of<std::optional<TimeUs>>({{},
                                               1'772'352'000 * kSecond,
                                               -kDay,
                                               std::numeric_limits<TimeUs>::min(),
                                               std::numeric_limits<TimeUs>::max()});
  return o;
}

}  // namespace flyball::fuzz
