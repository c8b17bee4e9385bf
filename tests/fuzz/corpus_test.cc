// The inputs that the fuzzers keep, run through the same laws.
#include <gtest/gtest.h>

#include <filesystem>

#include "fuzz/laws.h"
#include "store/files.h"

namespace flyball::fuzz {
namespace {

namespace fs = std::filesystem;

void expect_laws(const std::string& kind, void (*laws)(std::string_view)) {
  std::size_t inputs = 0;
  for (const auto& entry :
       fs::directory_iterator(fs::path(FLYBALL_SOURCE_DIR) / "tests/fuzz/corpus" / kind)) {
    EXPECT_NO_THROW(laws(store::read_file(entry.path()))) << entry.path().filename();
    ++inputs;
  }
  EXPECT_GT(inputs, 20u);
}

TEST(FuzzCorpus, EveryTextIsImportedInFullOrRefused) {
  expect_laws("import", import_laws);
}

TEST(FuzzCorpus, EveryChunkComesBackOrIsRefused) {
  expect_laws("chunk", chunk_laws);
}

TEST(FuzzCorpus, EveryProgramIsDecidedOrRefused) {
  expect_laws("qp", qp_laws);
}

TEST(FuzzCorpus, TheShortestInputsKeepTheLaws) {
  for (const std::string text : {"", "\n", "0", "s", "p", "r", "s\x7f", "p\x01"}) {
    EXPECT_NO_THROW(import_laws(text)) << text;
    EXPECT_NO_THROW(chunk_laws(text)) << text;
    EXPECT_NO_THROW(qp_laws(text)) << text;
  }
}

}  // namespace
}  // namespace flyball::fuzz
