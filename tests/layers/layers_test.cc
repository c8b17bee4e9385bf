// Reads every #include of src/ and fails on a room that was not declared in src/CMakeLists.txt.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace flyball {
namespace {

namespace fs = std::filesystem;
using Rooms = std::map<std::string, std::set<std::string>>;

std::string read(const fs::path& p) {
  std::stringstream s;
  s << std::ifstream(p).rdbuf();
  return s.str();
}

/// Rooms and the rooms they declare in USES, in the order of the file.
Rooms parse_rooms(const std::string& cmake, std::vector<std::string>& order) {
  Rooms rooms;
  const std::regex line("room\\((\\w+)([^)]*)\\)");
  for (std::sregex_iterator it(cmake.begin(), cmake.end(), line), end; it != end; ++it) {
    const std::string name = (*it)[1];
    order.push_back(name);
    std::istringstream words((*it)[2].str());
    std::string word, list;
    auto& uses = rooms[name];
    while (words >> word) {
      if (word == "USES" || word == "LIBS") {
        list = word;
      } else if (list == "USES") {
        uses.insert(word);
      }
    }
  }
  return rooms;
}

std::vector<std::string> undeclared(const Rooms& rooms, const std::string& room, const std::string& source) {
  std::vector<std::string> bad;
  const std::regex include("#include \"(\\w+)/");
  for (std::sregex_iterator it(source.begin(), source.end(), include), end; it != end; ++it) {
    const std::string other = (*it)[1];
    if (other != room && !rooms.at(room).contains(other)) bad.push_back(other);
  }
  return bad;
}

TEST(Layers, EveryIncludeIsDeclared) {
  std::vector<std::string> order;
  const Rooms rooms = parse_rooms(read(FLYBALL_SOURCE_DIR "/src/CMakeLists.txt"), order);
  ASSERT_GT(rooms.size(), 5u);
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(FLYBALL_SOURCE_DIR "/src")) {
    const auto ext = entry.path().extension();
    if (ext != ".h" && ext != ".cc") continue;
    ++files;
    const std::string room = fs::relative(entry.path(), FLYBALL_SOURCE_DIR "/src").begin()->string();
    ASSERT_TRUE(rooms.contains(room)) << entry.path() << " stands in no room";
    for (const auto& other : undeclared(rooms, room, read(entry.path()))) {
      ADD_FAILURE() << entry.path() << " includes " << other << "/, which room(" << room << ") does not declare in USES";
    }
  }
  EXPECT_GT(files, 20);
}

TEST(Layers, ARoomUsesOnlyRoomsAboveItInTheFile) {
  std::vector<std::string> order;
  const Rooms rooms = parse_rooms(read(FLYBALL_SOURCE_DIR "/src/CMakeLists.txt"), order);
  std::set<std::string> seen;
  for (const auto& name : order) {
    for (const auto& use : rooms.at(name)) EXPECT_TRUE(seen.contains(use)) << name << " uses " << use << " before it is declared";
    seen.insert(name);
  }
}

TEST(Layers, AForbiddenIncludeIsFound) {
  std::vector<std::string> order;
  const Rooms rooms = parse_rooms("room(core)\nroom(math USES core)\n", order);
  EXPECT_TRUE(undeclared(rooms, "math", "#include \"core/error.h\"\n#include \"math/x.h\"\n").empty());
  EXPECT_EQ(undeclared(rooms, "core", "#include \"math/x.h\"\n"), (std::vector<std::string>{"math"}));
}

}  // namespace
}  // namespace flyball
