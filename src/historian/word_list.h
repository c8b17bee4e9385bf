#pragma once
// The different texts of a column, numbered in the order of first appearance.
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace flyball::historian {

class WordList {
 public:
  static constexpr std::uint32_t kFull = UINT32_MAX;

  explicit WordList(std::size_t limit) : limit_(limit) {}

  /// Number of `text`; kFull for a new one when there are `limit` already. A text that is the same
  /// as the last one costs a comparison.
  std::uint32_t index_of(std::string_view text) {
    if (last_ < words_.size() && words_[last_] == text) return last_;
    const auto known = by_text_.find(text);
    if (known != by_text_.end()) return last_ = known->second;
    if (words_.size() >= limit_) return kFull;
    last_ = static_cast<std::uint32_t>(words_.size());
    words_.emplace_back(text);
    by_text_.emplace(words_.back(), last_);
    return last_;
  }

  /// Number of `text` when it is known, else kFull.
  [[nodiscard]] std::uint32_t find(std::string_view text) const {
    if (last_ < words_.size() && words_[last_] == text) return last_;
    const auto known = by_text_.find(text);
    return known == by_text_.end() ? kFull : known->second;
  }

  [[nodiscard]] const std::vector<std::string>& words() const { return words_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>()(s); }
  };

  std::size_t limit_;
  std::uint32_t last_ = 0;
  std::vector<std::string> words_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> by_text_;
};

}  // namespace flyball::historian
