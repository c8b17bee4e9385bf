// Words find models where people would look: every word has to be somewhere.
#include <gtest/gtest.h>

#include "app/find_models.h"

namespace flyball::app {
namespace {

const std::vector<FindText> kColumn{{"line", "column-2", 3},
                                    {"tag", "TI101", 3},
                                    {"description", "Reboiler temperature, bottom", 2},
                                    {"kind", "linear_state_space@1", 1}};

double score(std::string_view asked) {
  std::vector<std::string> found;
  return match(asked, kColumn, found);
}

TEST(FindModels, EveryWordHasToBeSomewhere) {
  EXPECT_GT(score("reboiler"), 0);
  EXPECT_GT(score("temperature REBOILER"), 0) << "any order, any case";
  EXPECT_EQ(score("reboiler pressure"), 0);
  EXPECT_EQ(score("eboiler"), 0) << "the middle of a word is none";
  EXPECT_EQ(score(""), 1) << "without words the filters choose";
}

TEST(FindModels, ABeginningIsWorthLessThanTheWordAndATagMoreThanAKind) {
  EXPECT_GT(score("temperature"), score("temper"));
  EXPECT_EQ(score("te"), 0) << "too short to mean something";
  EXPECT_GT(score("ti101"), score("linear"));
}

TEST(FindModels, SaysWhereEachWordWasFound) {
  std::vector<std::string> found;
  match("column bottom", kColumn, found);
  EXPECT_EQ(found, (std::vector<std::string>{"column: line", "bottom: description"}));
}

}  // namespace
}  // namespace flyball::app
