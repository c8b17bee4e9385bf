#include "historian/quality_codes.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace flyball::historian {
namespace {

std::vector<Quality> read(const std::vector<std::string>& texts, const char* column = "T.quality",
                          std::optional<QualityCodes> codes = {}) {
  std::vector<Message> notes;
  return read_qualities(column, texts, codes, notes);
}

TEST(QualityCodes, TheTopTwoBitsOfAClassicByteDecide) {
  for (int byte = 0; byte < 256; ++byte) {
    const Quality q = read({std::to_string(byte)}, "T", QualityCodes::classic)[0];
    EXPECT_EQ(q.good(), byte >= 192) << byte;
    EXPECT_EQ(q.uncertain(), byte >= 64 && byte < 128) << byte;
    EXPECT_EQ(q.bad(), byte < 64 || (byte >= 128 && byte < 192)) << byte;
  }
}

TEST(QualityCodes, AnOpcUaCodeIsKeptAsItIs) {
  const auto q = read({"2147483648", "0x80310000", "0", "1083179008"});
  EXPECT_EQ(q[0].code, 0x80000000u);
  EXPECT_EQ(q[1].code, 0x80310000u);
  EXPECT_TRUE(q[2].good());
  EXPECT_TRUE(q[3].uncertain());
}

TEST(QualityCodes, TheWholeColumnDecidesWhatNumbersMean) {
  EXPECT_TRUE(read({"0", "2147483648"})[0].good()) << "OPC UA";
  EXPECT_TRUE(read({"0", "192"})[0].bad()) << "OPC classic";
  EXPECT_TRUE(read({"0", "1"}, "T.Good")[0].bad()) << "a flag";
  EXPECT_ERROR(read({"0"}), "IMPORT_QUALITY_AMBIGUOUS");
  EXPECT_ERROR(read({"0", "24"}), "IMPORT_QUALITY_AMBIGUOUS");
}

TEST(QualityCodes, WordsNameTheirSeverityInAnyCase) {
  for (const char* word : {"Good", "GOOD, LocalOverride", "ok", "true", ""})
    EXPECT_TRUE(read({word})[0].good()) << word;
  for (const char* word : {"Uncertain", "uncertainSubNormal", "Questionable", "Substituted"})
    EXPECT_TRUE(read({word})[0].uncertain()) << word;
  for (const char* word : {"Bad", "BadNoCommunication", "Bad Input", "false", "Shutdown", "Lunch"})
    EXPECT_TRUE(read({word})[0].bad()) << word;
}

TEST(QualityCodes, EveryStateAmongNumbersIsBad) {
  for (const char* word :
       {"Bad", "Shutdown", "I/O Timeout", "Pt Created", "Over Range", "#DIV/0!", "anything"}) {
    EXPECT_TRUE(quality_of_state(word).bad()) << word;
  }
  EXPECT_EQ(quality_of_state("anything"), kBadNotANumber);
  EXPECT_NE(quality_of_state("I/O Timeout"), quality_of_state("Pt Created"));
}

TEST(QualityCodes, NumbersOfATagAreNoQualities) {
  for (const char* cell : {"12.5", "37", "-1", "100", "1e3", "AUTO"})
    EXPECT_FALSE(looks_like_quality(cell)) << cell;
  for (const char* cell : {"192", "0", "64", "0x00000000", "2147483648", "Good", "false"})
    EXPECT_TRUE(looks_like_quality(cell)) << cell;
}

}  // namespace
}  // namespace flyball::historian
