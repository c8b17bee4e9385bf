#pragma once
// A data folder with samples, two datasets and a model that a study made.
#include <gtest/gtest.h>

#include "app/app.h"
#include "store/files.h"
#include "support/expect_error.h"
#include "support/temp_folder.h"

namespace flyball::app {

class StoredTest : public ::testing::Test {
 protected:
  StoredTest() : StoredTest(600) {}
  explicit StoredTest(int rows) {
    store::write_file(temp_ / "a.csv", record(rows));
    call("import", {{"file", (temp_ / "a.csv").string()}, {"line", "L"}, {"period", 1'000'000}});
    call("study", {{"line", "L"}, {"mv", {"u"}}, {"cv", {"y"}}});
    other_ = call("datasets build", {{"line", "L"},
                                     {"mv", {"u"}},
                                     {"cv", {"y"}},
                                     {"history", 10},
                                     {"horizon", 10},
                                     {"note", "unused"}})["id"];
    model_ = call("models list", Json::object())["items"][0]["id"];
  }

  /// First order, a dead time of 2 steps, random switching.
  static std::string record(int rows) {
    std::string text = "u,y\n";
    double y = 0, u1 = 0, u2 = 0;
    unsigned seed = 7;
    for (int i = 0; i < rows; ++i) {
      seed = seed * 1664525u + 1013904223u;
      const double u = (seed >> 27) % 2, noise = (seed >> 16 & 255) / 256.0 - 0.5;
      text += std::to_string(u) + "," + std::to_string(y + 0.01 * noise) + "\n";
      y = 0.9 * y + 0.1 * u2;
      u2 = u1;
      u1 = u;
    }
    return text;
  }

  Json call(const char* verb, const Json& request, const Call& c = {}) {
    return run(*find_operation(verb), app_, request, c).body;
  }
  static Json call_on(const std::filesystem::path& data, const Clock& clock, const char* verb,
                      const Json& request, const Call& c = {}) {
    App app({data, "test"}, clock);
    return run(*find_operation(verb), app, request, c).body;
  }

  const testing::TempFolder temp_;
  const std::filesystem::path data_ = temp_ / "data";
  ManualClock clock_{1'800'000'000 * kSecond};
  App app_{{data_, "test"}, clock_};
  std::string other_;  ///< a dataset that nothing cites
  std::string model_;
};

}  // namespace flyball::app
