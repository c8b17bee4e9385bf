// Whatever the bytes, the importer gives an account that adds up or an Error that is named, and
// stores nothing in the second case.
#include <gtest/gtest.h>

#include "historian/import.h"
#include "historian/memory_historian.h"
#include "math/random.h"
#include "testbed/testbed.h"

namespace flyball::testbed {
namespace {

using historian::ImportOptions;
using historian::MemoryHistorian;

void import_and_check(const std::string& text, const ImportOptions& options) {
  MemoryHistorian store;
  try {
    const auto result = historian::import_text(text, options, store);
    ASSERT_EQ(result.rows_in, result.stored + result.rejected + result.merged);
    ASSERT_EQ(static_cast<std::int64_t>(result.rejected_rows.size()), result.rejected);
    for (const auto& tag : result.tags) {
      ASSERT_EQ(tag.good + tag.uncertain + tag.bad + tag.missing, result.stored);
      historian::PageRequest request;
      request.node_id = options.line + "/" + tag.tag;
      ASSERT_EQ(static_cast<std::int64_t>(historian::read_all(store, request).size()),
                result.stored);
    }
    for (const Message& note : result.notes) ASSERT_FALSE(canonical(Json(note.text())).empty());
  } catch (const Error& error) {
    ASSERT_TRUE(store.nodes(options.line).empty()) << error.what();
    ASSERT_FALSE(canonical(Json(error.what())).empty()) << "the message is valid UTF-8";
  }
}

std::vector<ImportOptions> option_sets() {
  ImportOptions with_time;
  with_time.max_rejects = 1;
  ImportOptions with_period = with_time;
  with_period.period = 1'000'000;
  ImportOptions with_runs = with_period;
  with_runs.run_column = "u1";
  return {with_time, with_period, with_runs};
}

TEST(Import, SurvivesMutatedTables) {
  const auto record = simulate(fopdt(), {.steps = 25, .snr_db = 20});
  const std::string csv = to_csv(record, 1'700'000'000'000'000);
  const std::string fragments[] = {"\"",
                                   "\"\"",
                                   ",",
                                   ";",
                                   "\t",
                                   "\n",
                                   "\r\n",
                                   "\n\n",
                                   "NaN",
                                   "1e400",
                                   "-",
                                   "+",
                                   ".",
                                   "\xff",
                                   "\xc3",
                                   std::string(1, '\0'),
                                   "2026-03-01T08:00:00Z",
                                   "time",
                                   "u1",
                                   "1,5",
                                   "1.300,5",
                                   " ",
                                   "inf",
                                   "\xEF\xBB\xBF"};
  math::Random random(20261130);
  const auto options = option_sets();
  for (int i = 0; i < 2500; ++i) {
    std::string text = csv;
    for (auto edits = 1 + random.index(8); edits > 0 && !text.empty(); --edits) {
      const auto at =
          static_cast<std::size_t>(random.index(static_cast<std::int64_t>(text.size())));
      switch (random.index(4)) {
        case 0:
          text[at] = static_cast<char>(random.index(256));
          break;
        case 1:
          text.erase(at, static_cast<std::size_t>(1 + random.index(60)));
          break;
        case 2:
          text.insert(at, fragments[random.index(std::size(fragments))]);
          break;
        default:
          text.insert(at, text.substr(static_cast<std::size_t>(
                                          random.index(static_cast<std::int64_t>(text.size()))),
                                      80));
      }
    }
    import_and_check(text, options[static_cast<std::size_t>(i) % options.size()]);
    if (HasFatalFailure()) FAIL() << "mutation " << i;
  }
}

TEST(Import, SurvivesRandomBytes) {
  math::Random random(7);
  const std::string alphabet = "0123456789.,;\t -+eE\"\n\r\nabcNaTZ:#\xc2\xb0\xff";
  const auto options = option_sets();
  for (int i = 0; i < 1500; ++i) {
    std::string text(static_cast<std::size_t>(random.index(300)), ' ');
    for (char& c : text) {
      c = i % 2 == 0 ? static_cast<char>(random.index(256))
                     : alphabet[static_cast<std::size_t>(
                           random.index(static_cast<std::int64_t>(alphabet.size())))];
    }
    import_and_check(text, options[static_cast<std::size_t>(i) % options.size()]);
    if (HasFatalFailure()) FAIL() << "text " << i;
  }
}

}  // namespace
}  // namespace flyball::testbed
