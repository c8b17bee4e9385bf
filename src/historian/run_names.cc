#include "historian/run_names.h"

#include <map>

#include "plant/names.h"

namespace flyball::historian {
namespace {

/// A slug for what stands in a run column: what a slug cannot hold becomes '-'.
std::string slug_of(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (!plant::is_slug({&c, 1}) && c != '.' && static_cast<unsigned char>(c) < 0x80) c = '-';
  }
  if (!out.empty() && out.front() == '.') out.front() = '-';
  plant::check_slug("run", out);
  return out;
}

}  // namespace

std::vector<std::string> RunNames::of_table(const TextTable& table, std::vector<Message>& notes) {
  const WordColumn* column = table.words_of(ColumnRole::run);
  if (column == nullptr) {
    if (options_.run) plant::check_slug("run", *options_.run);
    numbered_ = !options_.run;
    return {options_.run ? *options_.run : next_free()};
  }
  std::vector<std::string> out;
  std::map<std::string, std::string> text_of_id;
  for (const std::string& text : column->words.words()) {
    out.push_back(slug_of(text));
    const auto [known, fresh] = text_of_id.emplace(out.back(), text);
    if (!fresh) {
      throw Error(
          "IMPORT_RUN_NAMES_CLASH",
          {{"first", readable(known->second)}, {"second", readable(text)}, {"run", out.back()}});
    }
    if (out.back() != text)
      notes.push_back({"IMPORT_RUN_RENAMED", {{"text", readable(text)}, {"run", out.back()}}});
    given_.insert(out.back());
  }
  return out;
}

std::vector<std::string> RunNames::of_pieces(const std::string& run, std::size_t count) {
  if (count == 1) return {run};
  std::vector<std::string> out;
  for (std::size_t i = 1; i <= count; ++i) {
    if (numbered_) {
      out.push_back(i == 1 ? run : next_free());
      continue;
    }
    out.push_back(run + "-" + std::to_string(i));
    plant::check_slug("run", out.back());
    if (!given_.insert(out.back()).second)
      throw Error("IMPORT_RUN_NAMES_CLASH",
                  {{"first", run}, {"second", out.back()}, {"run", out.back()}});
  }
  return out;
}

std::string RunNames::next_free() {
  if (used_again_ < again_.size()) return again_[used_again_++];
  int n = 1;
  while (taken_.contains("run-" + std::to_string(n))) ++n;
  return *taken_.insert("run-" + std::to_string(n)).first;
}

}  // namespace flyball::historian
