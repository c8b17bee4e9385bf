#include "core/record.h"

#include <gtest/gtest.h>

namespace flyball {
namespace {

enum class Colour { red, green };
constexpr auto enum_names(Colour) { return std::array<std::string_view, 2>{"red", "green"}; }

struct Inner {
  double scale = 1;
  static constexpr auto fields() {
    return FieldList{field("scale", &Inner::scale, "factor").range(-10, 10).required()};
  }
};

struct Outer {
  std::string name;
  std::int64_t steps = 5;
  std::optional<double> limit;
  std::vector<Inner> items;
  Colour colour = Colour::red;
  std::map<std::string, bool> flags;
  static constexpr auto fields() {
    return FieldList{field("name", &Outer::name, "its name").required(),
                      field("steps", &Outer::steps, "how many").range(1, 9).unit("steps"),
                      field("limit", &Outer::limit, "a limit"),
                      field("items", &Outer::items, "parts"),
                      field("colour", &Outer::colour, "paint"),
                      field("flags", &Outer::flags, "switches")};
  }
};

TEST(Record, WritesAndReadsBackTheSame) {
  Outer o{"a", 3, 2.5, {{0.5}}, Colour::green, {{"x", true}}};
  const Json j = to_json_value(o);
  EXPECT_EQ(canonical(j),
            R"({"colour":"green","flags":{"x":true},"items":[{"scale":0.5}],"limit":2.5,"name":"a","steps":3})");
  EXPECT_EQ(to_json_value(parse_record<Outer>(j)), j);
}

TEST(Record, LeavesAbsentOptionalsOut) {
  EXPECT_FALSE(to_json_value(Outer{}).contains("limit"));
}

TEST(Record, ReportsEveryProblemWithItsPointer) {
  const Json j = parse_json(R"({"stepz":1,"steps":10,"items":[{"scale":1},{"scale":"x"},{}],"colour":"blue","flags":{"a/b":3}})", "test");
  try {
    parse_record<Outer>(j);
    FAIL() << "accepted";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), "SPEC_INVALID");
    std::map<std::string, std::string> found;
    for (const auto& p : e.problems()) found[p.pointer] = p.message.code;
    EXPECT_EQ(found, (std::map<std::string, std::string>{{"/name", "FIELD_REQUIRED"},
                                                         {"/steps", "FIELD_RANGE"},
                                                         {"/stepz", "FIELD_UNKNOWN"},
                                                         {"/items/1/scale", "FIELD_TYPE"},
                                                         {"/items/2/scale", "FIELD_REQUIRED"},
                                                         {"/colour", "FIELD_CHOICE"},
                                                         {"/flags/a~1b", "FIELD_TYPE"}}));
    EXPECT_NE(std::string(e.what()).find("did you mean \"steps\"?"), std::string::npos);
  }
}

TEST(Record, RefusesFractionsAndOverflowWhereWholeNumbersAreAsked) {
  EXPECT_THROW(parse_record<Outer>(Json{{"name", "a"}, {"steps", 2.5}}), Error);
  EXPECT_THROW(parse_record<Outer>(Json{{"name", "a"}, {"steps", 1e300}}), Error);
  EXPECT_EQ(parse_record<Outer>(Json{{"name", "a"}, {"steps", 2.0}}).steps, 2);
}

TEST(Record, SchemaCarriesUnitsLimitsAndDefaults) {
  const Json s = schema<Outer>();
  EXPECT_EQ(s["required"], Json::array({"name"}));
  EXPECT_EQ(s["properties"]["steps"]["x-unit"], "steps");
  EXPECT_EQ(s["properties"]["steps"]["maximum"], 9);
  EXPECT_EQ(s["properties"]["steps"]["default"], 5);
  EXPECT_EQ(s["properties"]["colour"]["enum"], Json::array({"red", "green"}));
  EXPECT_EQ(s["properties"]["items"]["items"]["properties"]["scale"]["type"], "number");
  EXPECT_EQ(s["additionalProperties"], false);
}

TEST(Nearest, SuggestsOnlyWhatIsNear) {
  EXPECT_EQ(nearest("stduy", {"study", "config"}), "study");
  EXPECT_EQ(nearest("qwertz", {"study", "config"}), "");
}

}  // namespace
}  // namespace flyball
