// A disk that is nearly full: nothing that grows is done, all that makes room is.
#include "custody/disk.h"

#include <cstdlib>

#include "store/copy.h"
#include "stored_fixture.h"
#include "support/small_disk.h"

namespace flyball::app {
namespace {

class DiskTest : public StoredTest {
 protected:
  void set(const char* key, const char* value) {
    call("config set", {{"key", key}, {"value", value}});
  }
  std::string refusal(const Operation& o) {
    try {
      run(o, app_, Json::object(), {});
      return "";
    } catch (const Error& e) {
      return e.code();
    }
  }
};

TEST_F(DiskTest, EveryOperationThatGrowsIsRefusedAndNoOther) {
  set("disk.minFreeMb", "1000000000");
  int refused = 0;
  for (const Operation& o : operations()) {
    if (!o.writes) {
      EXPECT_NE(refusal(o), "DISK_LOW") << o.name;
      continue;
    }
    EXPECT_EQ(refusal(o) == "DISK_LOW", o.special != Special::makes_room) << o.name;
    refused += o.special == Special::none;
  }
  EXPECT_GT(refused, 25);
  EXPECT_EQ(call("audit list", {{"action", "import"}})["items"][0]["outcome"], "DISK_LOW");
}

TEST_F(DiskTest, TheRefusalSaysFreeLimitAndTheLargestPart) {
  set("disk.minFreeMb", "1000000000");
  try {
    call("lines add", {{"id", "L9"}});
    FAIL();
  } catch (const Error& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("1000000000 MB"), std::string::npos) << text;
    EXPECT_NE(text.find(custody::disk_parts(data_).front().name), std::string::npos) << text;
    EXPECT_NE(text.find("retention run"), std::string::npos) << text;
  }
  call("datasets delete", {{"id", other_}});
  call("retention run", Json::object());
  set("disk.minFreeMb", "default");
  call("lines add", {{"id", "L9"}});
}

TEST_F(DiskTest, TheLargerOfBytesAndShareCounts) {
  const Json disk = call("system", Json::object())["disk"];
  EXPECT_EQ(disk["neededBytes"], 64'000'000);
  set("disk.minFreePercent", "50");
  const Json half = call("system", Json::object())["disk"];
  EXPECT_EQ(half["neededBytes"].get<std::int64_t>(), half["sizeBytes"].get<std::int64_t>() / 2);
  EXPECT_EQ(half["low"].get<bool>(),
            half["freeBytes"].get<std::int64_t>() < half["neededBytes"].get<std::int64_t>());
}

TEST_F(DiskTest, EveryFileIsInOnePart) {
  std::int64_t files = 0, bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(data_)) {
    if (!entry.is_regular_file()) continue;
    ++files;
    bytes += static_cast<std::int64_t>(entry.file_size());
  }
  for (const custody::DiskPart& part : custody::disk_parts(data_)) {
    files -= part.files;
    bytes -= part.bytes;
  }
  EXPECT_EQ(files, 0);
  EXPECT_EQ(bytes, 0);
}

TEST_F(DiskTest, AJobOfAFullDiskFailsByName) {
  set("disk.minFreeMb", "1000000000");
  const Json job = call("jobs retention", Json::object());
  EXPECT_EQ(job["state"], "done") << job;
}

TEST(SmallDiskTest, ADiskThatFillsIsRefusedBeforeItIsFull) {
  testing::SmallDisk disk(8192);
  FLYBALL_NEEDS_DISK(disk);
  ::setenv("FLYBALL_DISK_MIN_FREE_MB", "4", 1);
  const SystemClock clock;
  App app({disk.path() / "data", "test"}, clock);
  const auto add = [&](const std::string& id) {
    run(*find_operation("lines add"), app, {{"id", id}}, {});
  };
  add("L1");
  store::write_file(disk.path() / "other", std::string(5'000'000, 'x'));
  EXPECT_ERROR(add("L2"), "DISK_LOW");
  run(*find_operation("lines delete"), app, {{"id", "L1"}}, {});
  std::filesystem::remove(disk.path() / "other");
  add("L2");
  ::unsetenv("FLYBALL_DISK_MIN_FREE_MB");
}

}  // namespace
}  // namespace flyball::app
