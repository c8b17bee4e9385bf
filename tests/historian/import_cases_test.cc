// Runs every file of tests/cases/import: options, a text table, and what must come of it.
//
//   what the case shows
//   --- options          one JSON object, the fields of ImportOptions
//   --- input            the table; \r \t \0 \\ \xHH are escapes
//   --- expect           one JSON object: rowsIn, stored, rejected, merged, tags {name: {unit,
//   values}},
//                        times, runs, notes (codes that occur), rejectedLines; or error and says
//
// Values are numbers or "missing", "text", "range".
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "historian/import.h"
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
    } else {
      out += c == 'r' ? '\r' : c == 't' ? '\t' : c == '0' ? '\0' : c;
    }
  }
  return out;
}

Json value_of(const Sample& s) {
  if (s.quality == kBadNoData) return "missing";
  if (s.quality == kBadNotANumber) return "text";
  if (s.quality == kBadOutOfRange) return "range";
  return s.value;
}

/// The facts that `expect` may ask for.
Json facts(const ImportResult& result, const MemoryHistorian& store, const std::string& line) {
  Json out = {{"rowsIn", result.rows_in},
              {"stored", result.stored},
              {"rejected", result.rejected},
              {"merged", result.merged},
              {"runs", result.runs}};
  for (const TagAccount& tag : result.tags) {
    Json values = Json::array(), times = Json::array();
    PageRequest all;
    all.node_id = line + "/" + tag.tag;
    for (const Sample& s : read_all(store, all)) {
      values.push_back(value_of(s));
      times.push_back(format_time(s.at));
    }
    out["tags"][tag.tag] = {{"unit", tag.unit}, {"values", values}};
    out["times"] = times;
    EXPECT_EQ(tag.good + tag.uncertain + tag.bad + tag.missing, result.stored) << tag.tag;
  }
  out["rejectedLines"] = Json::array();
  for (const Message& m : result.rejected_rows) {
    out["rejectedLines"].push_back(std::get<std::int64_t>(m.params.at(0).value));
  }
  return out;
}

void expect_facts(const Json& expected, const Json& actual, const ImportResult& result) {
  for (const auto& [key, value] : expected.items()) {
    if (key == "notes") {
      for (const auto& code : value) {
        EXPECT_TRUE(std::ranges::any_of(result.notes, [&](const Message& m) {
          return m.code == code;
        })) << code;
      }
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
    const ImportResult result = import_text(input, options, historian);
    ASSERT_FALSE(expected.contains("error")) << "should throw " << expected.at("error");
    EXPECT_EQ(result.rows_in, result.stored + result.rejected + result.merged);
    expect_facts(expected, facts(result, historian, options.line), result);
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
