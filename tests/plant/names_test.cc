#include "plant/names.h"

#include <gtest/gtest.h>

#include "plant/records.h"
#include "support/expect_error.h"

namespace flyball::plant {
namespace {

TEST(Slug, HoldsLettersOfAnyScriptDigitsAndThreeMarks) {
  for (const char* name : {"L1", "run-1", "a.b_c", "Straße", "批次-7", "0"})
    EXPECT_TRUE(is_slug(name)) << name;
}

TEST(Slug, NeverLeavesItsFolderNorHidesInIt) {
  for (const char* name :
       {"", ".", "..", ".hidden", "a/b", "../x", "a b", "a\tb", "a\\b", "a\xff"}) {
    EXPECT_FALSE(is_slug(name)) << name;
  }
  EXPECT_TRUE(is_slug(std::string(64, 'a')));
  EXPECT_FALSE(is_slug(std::string(65, 'a')));
  EXPECT_ERROR(check_slug("run", "a/b"), "NAME_INVALID");
}

TEST(TagName, MayHoldBlanksAndUnitsButNoControlCharacters) {
  for (const char* name : {"T [°C]", "FIC-101.PV", "a/b"}) EXPECT_TRUE(is_tag_name(name)) << name;
  for (const char* name : {"", " T", "T ", "a\nb", "T\xB0"})
    EXPECT_FALSE(is_tag_name(name)) << name;
}

TEST(Utf8, RefusesOverlongSurrogatesAndCutSequences) {
  for (const char* text : {"", "a", "°", "€", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF"})
    EXPECT_TRUE(is_utf8(text)) << text;
  for (const char* text : {"\x80", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                           "\xE2\x82", "\xF5"}) {
    EXPECT_FALSE(is_utf8(text));
  }
}

TEST(PlantRun, IsWrittenAndReadBack) {
  plant::Run run;
  run.id = "r1";
  run.line_id = "L1";
  run.product_id = "p";
  run.recipe_id = "q";
  run.ended_at = 5;
  run.evidence = EvidenceSource::simulation;
  EXPECT_EQ(to_json_value(parse_record<plant::Run>(to_json_value(run))), to_json_value(run));
}

}  // namespace
}  // namespace flyball::plant
