#pragma once
// Models by what people call things: line, product, recipe, tags and their descriptions, label,
// kind.
#include <string>
#include <string_view>
#include <vector>

#include "app/requests.h"

namespace flyball::app {

struct FindModelsRequest {
  std::string text;
  std::optional<std::string> line, product, recipe;
  std::optional<registry::Stage> stage;
  std::int64_t limit = 20;
  static constexpr auto fields() {
    using R = FindModelsRequest;
    return FieldList{
        field("text", &R::text, "words, in any order; a beginning of a word will do").positional(),
        field("line", &R::line, "of this line"),
        field("product", &R::product, "of this product"),
        field("recipe", &R::recipe, "of this recipe"),
        field("stage", &R::stage, "in this stage; default: every stage but retired"),
        field("limit", &R::limit, "at most as many").range(1, 1000)};
  }
};

/// A text of a model and what a word found in it is worth.
struct FindText {
  std::string_view where;
  std::string text;
  double weight = 1;
};

/// Of one model: the sum over the words of `asked` of the best place that has it (its weight, three
/// quarters of it for a beginning of three letters or more); 0 when a word is nowhere. `found` gets
/// "word: where". No words: 1. Letters' case and accents of ASCII only.
double match(std::string_view asked, const std::vector<FindText>& texts,
             std::vector<std::string>& found);

}  // namespace flyball::app
