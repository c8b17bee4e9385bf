#pragma once
// From the text of a table to samples in a historian, with an account of every row.
//
//   rows_in = stored + rejected + merged
//
// rejected: another number of cells, an unreadable time, no run, no tag. merged: repeats a time
// (OnDuplicate says which row is kept), in the file or of what was stored before. stored:
// everything else, also rows with bad cells; a bad cell is stored with its quality, never as zero.
// One import is one transaction: when anything is refused, nothing is stored.
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/progress.h"
#include "core/record.h"
#include "core/words.h"
#include "historian/historian.h"
#include "historian/import_options.h"

namespace flyball::historian {

/// Cells of one kind whose quality is not plainly good.
struct BadCells {
  std::string text;  ///< as it stood in the cell or in the quality column; "" for an empty cell
  std::string quality;
  std::int64_t count = 0;
  static constexpr auto fields() {
    return FieldList{
        field("text", &BadCells::text, "what stood there; empty for an empty cell, … for the rest"),
        field("quality", &BadCells::quality, "OPC UA status code, hexadecimal"),
        field("count", &BadCells::count, "cells")};
  }
};

/// Over the stored rows: good + uncertain + bad + missing = the tag's rows stored or replaced.
struct TagAccount {
  std::string tag, unit;
  plant::TagKind kind = plant::TagKind::number;
  std::vector<std::string> states;
  std::int64_t good = 0, uncertain = 0;
  std::int64_t bad = 0;            ///< cells that held something else than a finite number
  std::int64_t missing = 0;        ///< cells that were empty or said so
  std::optional<double> min, max;  ///< of the good
  std::vector<BadCells> reasons;   ///< of all that is not plainly good
  static constexpr auto fields() {
    using T = TagAccount;
    return FieldList{
        field("tag", &T::tag, "short name"),
        field("unit", &T::unit, "unit; empty when unknown"),
        field("kind", &T::kind, "number, or digital: codes with texts"),
        field("states", &T::states, "of a digital tag: texts of its codes"),
        field("good", &T::good, "samples"),
        field("uncertain", &T::uncertain, "samples"),
        field("bad", &T::bad, "cells without a good number"),
        field("missing", &T::missing, "empty cells"),
        field("min", &T::min, "of the good samples"),
        field("max", &T::max, "of the good samples"),
        field("reasons", &T::reasons, "what is not plainly good, by what stood there")};
  }
};

struct RejectedLine {
  std::int64_t line = 0;  ///< in the file, from 1
  Message reason;
  std::string text;  ///< the line itself
};

struct ImportResult {
  std::int64_t rows_in = 0, stored = 0, rejected = 0, merged = 0;
  std::int64_t conflicts = 0;               ///< of the merged: rows of the file with other values
  std::vector<TagAccount> tags;             ///< in the order of the columns
  std::vector<std::string> runs;            ///< in the order of the file
  std::vector<RejectedLine> rejected_rows;  ///< all of them
  std::vector<Message> notes;               ///< guesses with their evidence, and what was repaired
  std::optional<DurationUs> step;  ///< the period, else the median time between rows of a run
  std::optional<Interval> times;   ///< first to last + 1 µs
};

/// Where the bytes come from, for the import's record.
struct ImportSource {
  std::string name = "-";
  std::string sha256;
  TimeUs at = 0;  ///< when it is imported
};

/// Throws what read_table(), find_tags() and plan_runs() throw; IMPORT_TOO_MANY_REJECTS (counts and
/// first reasons), IMPORT_ONE_ROW, IMPORT_ALL_BAD, IMPORT_OPTIONS_CONFLICT, IMPORT_NO_TAGS,
/// NAME_INVALID, CANCELLED, and what the historian throws. The bytes must outlive the call only.
ImportResult import_text(std::string_view bytes, const ImportOptions& options, Historian& historian,
                         const ProgressFn& progress = {}, const std::stop_token& stop = {},
                         const ImportSource& source = {});

/// ImportResult on a wire and in the import's record.
struct ImportAccount {
  std::int64_t rows_in = 0, stored = 0, rejected = 0, merged = 0, conflicts = 0;
  std::vector<TagAccount> tags;
  std::vector<std::string> runs;
  std::optional<std::string> from, to;
  std::optional<DurationUs> step;
  std::vector<Words> rejected_rows;
  std::vector<Words> notes;
  static constexpr auto fields() {
    using A = ImportAccount;
    return FieldList{
        field("rowsIn", &A::rows_in, "data rows, no header, no units row"),
        field("stored", &A::stored, "rows kept; a row with a bad cell is kept"),
        field("rejected", &A::rejected, "rows that could not be read"),
        field("merged", &A::merged, "rows that repeat a time"),
        field("conflicts", &A::conflicts, "of the merged: rows of the file with other values"),
        field("tags", &A::tags, "per tag"),
        field("runs", &A::runs, "runs the rows went to"),
        field("from", &A::from, "first sample"),
        field("to", &A::to, "last sample"),
        field("step", &A::step, "median time between rows").unit("us"),
        field("rejectedRows", &A::rejected_rows, "the first 100, with line and reason"),
        field("notes", &A::notes, "guesses with their evidence, and what was repaired")};
  }
};
ImportAccount account_of(const ImportResult& result);

}  // namespace flyball::historian
