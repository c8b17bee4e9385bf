// Every text table of the public data, as tests/cases/shared_tables.json lists them: with options,
// roles and units by the SOURCE.md beside each, and what must come of the import. Counts and ranges
// in it were taken from the files by other means than the importer.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "core/units.h"
#include "historian/import.h"
#include "historian/memory_historian.h"
#include "store/files.h"
#include "support/shared_data.h"

namespace flyball::historian {
namespace {

namespace fs = std::filesystem;
using testing::shared_data;
using Names = std::vector<std::string>;

struct TagFacts {
  std::optional<double> min, max;
  std::int64_t missing = 0, bad = 0;
  std::optional<std::string> unit;
  static constexpr auto fields() {
    using T = TagFacts;
    return FieldList{field("min", &T::min, "of the good"), field("max", &T::max, "of the good"),
                      field("missing", &T::missing, "cells"), field("bad", &T::bad, "cells"),
                      field("unit", &T::unit, "that the file says")};
  }
};

struct Expected {
  std::int64_t rows_in = 0, stored = 0, rejected = 0, merged = 0;
  std::int64_t tags = 0, runs = 0;
  std::optional<DurationUs> step;
  std::optional<TimeUs> from, to;
  Names notes;
  std::map<std::string, TagFacts> facts;
  static constexpr auto fields() {
    using E = Expected;
    return FieldList{field("rowsIn", &E::rows_in, "").required(),
                      field("stored", &E::stored, "").required(),
                      field("rejected", &E::rejected, "").required(),
                      field("merged", &E::merged, "").required(),
                      field("tags", &E::tags, "").required(),
                      field("runs", &E::runs, "").required(),
                      field("step", &E::step, "").unit("us"),
                      field("from", &E::from, "first time").unit("us"),
                      field("to", &E::to, "last time").unit("us"),
                      field("notes", &E::notes, "codes that occur"),
                      field("facts", &E::facts, "by tag")};
  }
};

struct Table {
  std::string file;
  std::string remark;
  ImportOptions options;
  std::map<std::string, Names> roles;
  std::map<std::string, std::string> units;
  Expected expect;
  static constexpr auto fields() {
    using T = Table;
    return FieldList{field("file", &T::file, "below the folder of the data").required(),
                      field("remark", &T::remark, "what is special about it"),
                      field("options", &T::options, "of the import").required(),
                      field("roles", &T::roles, "names of tags by mv, cv, dv"),
                      field("units", &T::units, "by tag, of its SOURCE.md"),
                      field("expect", &T::expect, "what comes of it").required()};
  }
};

struct Refused {
  std::string file;
  ImportOptions options;
  std::string error, why;
  static constexpr auto fields() {
    using R = Refused;
    return FieldList{field("file", &R::file, "").required(), field("options", &R::options, ""),
                      field("error", &R::error, "code").required(),
                      field("why", &R::why, "what it lacks").required()};
  }
};

struct NotTables {
  Names files;
  std::string why;
  static constexpr auto fields() {
    using N = NotTables;
    return FieldList{field("files", &N::files, "paths, or *.extension").required(),
                      field("why", &N::why, "").required()};
  }
};

struct Manifest {
  std::vector<Table> tables;
  std::vector<Refused> refused;
  std::vector<NotTables> not_tables;
  static constexpr auto fields() {
    using M = Manifest;
    return FieldList{field("tables", &M::tables, "").required(),
                      field("refused", &M::refused, "").required(),
                      field("notTables", &M::not_tables, "").required()};
  }
};

Manifest manifest() {
  const char* path = FLYBALL_SOURCE_DIR "/tests/cases/shared_tables.json";
  return parse_record<Manifest>(parse_json(store::read_file(path), path));
}

void expect_tag(const TagAccount& tag, const TagFacts& facts) {
  EXPECT_EQ(tag.min, facts.min) << tag.tag;
  EXPECT_EQ(tag.max, facts.max) << tag.tag;
  EXPECT_EQ(tag.missing, facts.missing) << tag.tag;
  EXPECT_EQ(tag.bad, facts.bad) << tag.tag;
  EXPECT_EQ(tag.unit, facts.unit.value_or(tag.unit)) << tag.tag;
}

void expect_account(const ImportResult& result, const Expected& expect) {
  EXPECT_EQ(result.rows_in, result.stored + result.rejected + result.merged);
  EXPECT_EQ(result.rows_in, expect.rows_in);
  EXPECT_EQ(result.stored, expect.stored);
  EXPECT_EQ(result.rejected, expect.rejected);
  EXPECT_EQ(result.merged, expect.merged);
  EXPECT_EQ(static_cast<std::int64_t>(result.tags.size()), expect.tags);
  EXPECT_EQ(static_cast<std::int64_t>(result.runs.size()), expect.runs);
  EXPECT_EQ(result.step, expect.step ? expect.step : result.step);
  if (expect.from) {
    EXPECT_EQ(format_time(result.times->from), format_time(*expect.from));
    EXPECT_EQ(format_time(result.times->to - 1), format_time(expect.to.value()));
  }
  std::set<std::string> codes;
  for (const Message& note : result.notes) codes.insert(note.code);
  for (const std::string& code : expect.notes) EXPECT_TRUE(codes.contains(code)) << code;
  std::map<std::string, const TagAccount*> by_name;
  for (const TagAccount& tag : result.tags) by_name[tag.tag] = &tag;
  for (const auto& [name, facts] : expect.facts) {
    if (by_name.contains(name)) {
      expect_tag(*by_name.at(name), facts);
    } else {
      ADD_FAILURE() << "no tag " << name;
    }
  }
}

/// Roles and units are of tags that exist, a tag has one role, and every unit is known.
void expect_roles(const Table& table, const MemoryHistorian& store) {
  const Names nodes = store.nodes(table.options.line);
  const auto exists = [&](const std::string& tag) {
    return std::ranges::find(nodes, table.options.line + "/" + tag) != nodes.end();
  };
  std::set<std::string> seen;
  for (const auto& [role, tags] : table.roles) {
    EXPECT_TRUE(role == "mv" || role == "cv" || role == "dv") << role;
    for (const std::string& tag : tags) {
      EXPECT_TRUE(exists(tag)) << tag;
      EXPECT_TRUE(seen.insert(tag).second) << tag << " has two roles";
    }
  }
  for (const auto& [tag, unit] : table.units) {
    EXPECT_TRUE(exists(tag)) << tag;
    EXPECT_NO_THROW(parse_unit(unit)) << tag;
  }
}

TEST(SharedTables, EveryOneIsImportedInFull) {
  FLYBALL_NEEDS_DATA(shared_data());
  for (const Table& table : manifest().tables) {
    SCOPED_TRACE(table.file);
    MemoryHistorian store;
    try {
      const std::string text = store::read_file(shared_data() / table.file);
      expect_account(import_text(text, table.options, store), table.expect);
      expect_roles(table, store);
    } catch (const Error& error) {
      ADD_FAILURE() << error.code() << ": " << error.what();
    }
  }
}

TEST(SharedTables, ThoseThatAreRefusedStoreNothing) {
  FLYBALL_NEEDS_DATA(shared_data());
  for (const Refused& table : manifest().refused) {
    SCOPED_TRACE(table.file);
    MemoryHistorian store;
    try {
      import_text(store::read_file(shared_data() / table.file), table.options, store);
      ADD_FAILURE() << "is imported: it belongs under tables";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), table.error) << error.what();
    }
    EXPECT_TRUE(store.nodes("").empty());
  }
}

TEST(SharedTables, TheManifestNamesEveryTextFile) {
  FLYBALL_NEEDS_DATA(shared_data());
  const Manifest all = manifest();
  std::set<std::string> named, used;
  for (const Table& table : all.tables) named.insert(table.file);
  for (const Refused& table : all.refused) named.insert(table.file);
  for (const NotTables& group : all.not_tables)
    named.insert(group.files.begin(), group.files.end());
  for (const auto& entry : fs::recursive_directory_iterator(shared_data())) {
    const fs::path& path = entry.path();
    if (!entry.is_regular_file() || path.extension() == ".md" || path.extension() == ".json")
      continue;
    const std::string name = fs::relative(path, shared_data()).string();
    const std::string kind = "*" + path.extension().string();
    EXPECT_TRUE(named.contains(name) || named.contains(kind)) << name << " is in no list";
    used.insert({name, kind});
  }
  for (const std::string& name : named) EXPECT_TRUE(used.contains(name)) << name << " is gone";
}

}  // namespace
}  // namespace flyball::historian
