#pragma once
// Columns of words: states of a digital tag, kept as codes.
#include <vector>

#include "historian/table_tags.h"

namespace flyball::historian {

/// Makes digital tags of those in `tags` whose cells are mostly words, and of those that are known
/// as digital: values become codes, states their texts. See find_tags().
void make_digital(TextTable& table, std::vector<TableTag>& tags,
                  const std::vector<plant::Tag>& known, std::vector<Message>& notes);

}  // namespace flyball::historian
