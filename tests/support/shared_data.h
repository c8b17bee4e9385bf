#pragma once
// Where the public data sets lie that are not part of the repository.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace flyball::testing {

inline std::filesystem::path shared_data() {
  return std::filesystem::path(FLYBALL_SOURCE_DIR) / "../shared/data";
}

inline bool data_is_required() {
  const char* value = std::getenv("FLYBALL_REQUIRE_SHARED");
  return value != nullptr && std::string(value) == "1";
}

}  // namespace flyball::testing

#define FLYBALL_NEEDS_DATA(folder)                                                   \
  if (!std::filesystem::exists(folder)) {                                            \
    if (::flyball::testing::data_is_required()) FAIL() << (folder) << " is missing"; \
    GTEST_SKIP() << (folder) << " is not on this machine";                           \
  }
