#include "core/error.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "core/catalogue.h"

namespace flyball {
namespace {

TEST(Message, FillsNamedValuesWithUnits) {
  const Message m{"FIELD_RANGE", {{"value", 3.0, "°C"}, {"limits", "1 .. 2"}}};
  EXPECT_EQ(m.text(), "3 °C is outside 1 .. 2");
}

TEST(Error, TakesItsKindFromTheCatalogue) {
  const Error e("TIME_INVALID", {{"text", "yesterday"}});
  EXPECT_EQ(e.errc(), Errc::invalid_argument);
  EXPECT_EQ(info(e.errc()).exit_code, 2);
  EXPECT_NE(std::string(e.what()).find("yesterday"), std::string::npos);
}

TEST(Errc, TableIsInTheOrderOfTheEnum) {
  for (int i = 0; i <= static_cast<int>(Errc::internal); ++i) {
    EXPECT_EQ(info(static_cast<Errc>(i)).errc, static_cast<Errc>(i));
  }
}

TEST(Catalogue, CodesAreUnique) {
  std::set<std::string_view> seen;
  for (const auto& entry : catalogue()) EXPECT_TRUE(seen.insert(entry.code).second) << entry.code;
}

/// Every code that the sources write stands in the catalogue, and every entry is used somewhere.
TEST(Catalogue, HoldsEveryCodeThatTheSourcesUseAndNoOther) {
  const std::regex code_like("\"([A-Z][A-Z0-9]*_[A-Z0-9_]+|CANCELLED|USAGE|UNAUTHENTICATED)\"");
  const std::regex use("(?:Error|Message|warn|next_step|problem)\\s*[({]\\s*\\{?\\s*\"([A-Z][A-Z0-9_]+)\"");
  std::set<std::string> mentioned;
  for (const auto& f : std::filesystem::recursive_directory_iterator(FLYBALL_SOURCE_DIR "/src")) {
    if (!f.is_regular_file() || f.path().filename().string().starts_with("catalogue")) continue;
    std::stringstream text;
    text << std::ifstream(f.path()).rdbuf();
    const std::string s = text.str();
    for (std::sregex_iterator it(s.begin(), s.end(), code_like), end; it != end; ++it) mentioned.insert((*it)[1]);
    for (std::sregex_iterator it(s.begin(), s.end(), use), end; it != end; ++it) {
      EXPECT_NE(find_entry((*it)[1].str()), nullptr) << (*it)[1] << " in " << f.path();
    }
  }
  for (const auto& entry : catalogue()) {
    EXPECT_TRUE(mentioned.contains(std::string(entry.code))) << entry.code << " is used nowhere";
  }
}

}  // namespace
}  // namespace flyball
