// Runs every file of tests/cases/import: options, a text table, and what must come of it.
//
//   what the case shows
//   --- options          one JSON object, the fields of ImportOptions
//   --- input            the table; \r \t \0 \\ \xHH are escapes, as is \ at the end of a line
//   --- expect           one JSON object: rowsIn, stored, rejected, merged, conflicts, runs, times
//                        (of the last tag), tags {name: {unit, values, times, kind, states,
//                        reasons}}, roles {column: role}, notes (codes that occur), silent (codes
//                        that do not), rejectedLines; or error and says
//
// Values are numbers, or "missing", "text", "range" or "bad" (with another code) where there is
// none, or "?3" for an uncertain 3. Reasons are {text: cells}. Every case is planned too: the plan
// stores nothing and has the same account.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "historian/import_plan.h"
#include "historian/memory_historian.h"
#include "store/files.h"

namespace flyball::historian {
namespace {

namespace fs = std::filesystem;

std::string section(const std::string& text, const std::string& name) {
  const std::string mark = "--- " + name + "\n";
  const auto at = text.find(mark);
  if (at == std::string::npos) return "";
  const auto begin = at + mark.size();
  const auto end = text.find("\n--- ", begin - 1);
  return end == std::string::npos ? text.substr(begin)
                                  : text.substr(begin, end + 1 > begin ? end + 1 - begin : 0);
}

std::string unescaped(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    const char c = text.at(++i);
    if (c == 'x') {
      out += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else if (c != '\n') {
      out += c == 'r' ? '\r' : c == 't' ? '\t' : c == '0' ? '\0' : c;
    }
  }
  return out;
}

Json value_of(const Sample& s) {
  if (s.quality == kBadNoData) return "missing";
  if (s.quality == kBadNotANumber) return "text";
  if (s.quality == kBadOutOfRange) return "range";
  if (s.quality.bad()) return "bad";
  if (s.quality.uncertain()) return fmt::format("?{}", s.value);
  return s.value;
}

Json facts_of(const TagAccount& tag, const MemoryHistorian& store, const std::string& line) {
  Json values = Json::array(), times = Json::array(), reasons = Json::object();
  PageRequest all;
  all.node_id = line + "/" + tag.tag;
  for (const Sample& s : read_all(store, all)) {
    values.push_back(value_of(s));
    times.push_back(format_time(s.at));
    EXPECT_EQ(std::isnan(s.value), s.quality.bad()) << tag.tag << ": bad means no number";
  }
  EXPECT_EQ(tag.good + tag.uncertain + tag.bad + tag.missing, std::ssize(values)) << tag.tag;
  for (const BadCells& bad : tag.reasons) reasons[bad.text] = bad.count;
  return {{"unit", tag.unit},     {"values", values},
          {"times", times},       {"kind", enum_name(tag.kind)},
          {"states", tag.states}, {"reasons", reasons}};
}

/// The facts that `expect` may ask for.
Json facts(const ImportResult& result, const MemoryHistorian& store, const std::string& line) {
  Json out = {{"rowsIn", result.rows_in},      {"stored", result.stored},
              {"rejected", result.rejected},   {"merged", result.merged},
              {"conflicts", result.conflicts}, {"runs", result.runs}};
  for (const TagAccount& tag : result.tags) {
    out["tags"][tag.tag] = facts_of(tag, store, line);
    out["times"] = out["tags"][tag.tag]["times"];
  }
  out["rejectedLines"] = Json::array();
  for (const RejectedLine& row : result.rejected_rows) out["rejectedLines"].push_back(row.line);
  return out;
}

bool has_note(const ImportResult& result, const std::string& code) {
  return std::ranges::any_of(result.notes, [&](const Message& m) { return m.code == code; });
}

/// One value a row in a long table, else one of each tag.
void expect_all_rows(const ImportPlan& plan, const Json& actual) {
  std::int64_t samples = 0;
  for (const auto& tag : actual.at("tags")) {
    samples += std::ssize(tag.at("values"));
    if (!plan.long_table) {
      EXPECT_EQ(std::ssize(tag.at("values")), actual.at("stored"));
    }
  }
  if (plan.long_table) {
    EXPECT_EQ(samples, actual.at("stored"));
  }
}

void expect_same_account(const ImportPlan& plan, const ImportResult& result,
                         const MemoryHistorian& store) {
  EXPECT_EQ(to_json_value(plan.account), to_json_value(account_of(result)));
  const auto imports = store.imports("", 10);
  ASSERT_EQ(imports.size(), 1u);
  EXPECT_EQ(parse_json(imports[0].account_json, "account"), to_json_value(account_of(result)));
}

void expect_facts(const Json& expected, const Json& actual, const ImportResult& result) {
  for (const auto& [key, value] : expected.items()) {
    if (key == "notes" || key == "silent") {
      for (const auto& code : value) EXPECT_EQ(has_note(result, code), key == "notes") << code;
    } else if (key == "tags") {
      EXPECT_EQ(value.size(), actual.at("tags").size());
      for (const auto& [tag, content] : value.items()) {
        ASSERT_TRUE(actual.at("tags").contains(tag)) << tag;
        for (const auto& [what, v] : content.items())
          EXPECT_EQ(actual.at("tags").at(tag).at(what), v) << tag;
      }
    } else {
      EXPECT_EQ(actual.at(key), value) << key;
    }
  }
}

class ImportCase : public ::testing::TestWithParam<fs::path> {};

TEST_P(ImportCase, GivesWhatItSays) {
  const std::string text = store::read_file(GetParam());
  const std::string input = unescaped(section(text, "input"));
  const Json expected = parse_json(section(text, "expect"), "expect");
  const std::string options_text = section(text, "options");
  const auto options = parse_record<ImportOptions>(
      options_text.empty() ? Json::object() : parse_json(options_text, "options"));
  MemoryHistorian historian;
  try {
    const ImportPlan plan = plan_text(input, options, historian);
    EXPECT_TRUE(historian.nodes(options.line).empty()) << "a plan stores nothing";
    const ImportResult result = import_text(input, options, historian);
    ASSERT_FALSE(expected.contains("error")) << "should throw " << expected.at("error");
    EXPECT_EQ(result.rows_in, result.stored + result.rejected + result.merged);
    Json actual = facts(result, historian, options.line);
    for (const PlannedColumn& c : plan.columns) actual["roles"][c.name] = enum_name(c.role);
    expect_facts(expected, actual, result);
    expect_all_rows(plan, actual);
    expect_same_account(plan, result, historian);
  } catch (const Error& error) {
    ASSERT_TRUE(expected.contains("error")) << error.what();
    EXPECT_EQ(error.code(), expected.at("error")) << error.what();
    for (const auto& part : expected.value("says", Json::array())) {
      EXPECT_NE(std::string(error.what()).find(part.get<std::string>()), std::string::npos)
          << error.what();
    }
    EXPECT_TRUE(historian.nodes(options.line).empty()) << "nothing is stored";
  }
}

std::vector<fs::path> cases() {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(FLYBALL_SOURCE_DIR "/tests/cases/import"))
    out.push_back(entry.path());
  std::ranges::sort(out);
  return out;
}

INSTANTIATE_TEST_SUITE_P(Cases, ImportCase, ::testing::ValuesIn(cases()),
                         [](const auto& c) { return c.param.stem().string(); });

}  // namespace
}  // namespace flyball::historian
