#include "report/balanced.h"

#include <regex>
#include <vector>

namespace flyball::report {
namespace {

std::string near_text(const std::string& page, std::size_t at) {
  return " near: " + page.substr(at, 80);
}

bool entity_at(const std::string& page, std::size_t at) {
  for (const std::string entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"}) {
    if (page.compare(at, entity.size(), entity) == 0) return true;
  }
  return false;
}

}  // namespace

std::string markup_problem(const std::string& page) {
  static const std::regex open_tag("([a-zA-Z][a-zA-Z0-9]*)((?: [a-zA-Z-]+=\"[^\"<]*\")*)(/?)");
  std::vector<std::string> open;
  std::size_t i = page.starts_with("<!DOCTYPE html>") ? 15 : 0;
  for (; i < page.size(); ++i) {
    if (page[i] == '>') return "stray >" + near_text(page, i);
    if (page[i] == '&' && !entity_at(page, i)) return "bare &" + near_text(page, i);
    if (page[i] != '<') continue;
    const std::size_t end = page.find('>', i);
    if (end == std::string::npos) return "tag without end" + near_text(page, i);
    const std::string tag = page.substr(i + 1, end - i - 1);
    if (tag.starts_with("/")) {
      if (open.empty() || open.back() != tag.substr(1))
        return "wrong closing tag" + near_text(page, i);
      open.pop_back();
    } else {
      // Long attributes (path data) are beyond std::regex's recursion: check those by their quotes.
      const std::size_t blank = tag.find(' ');
      const std::string name = tag.substr(0, std::min(blank, tag.find('/')));
      std::smatch m;
      if (tag.size() < 2000 && !std::regex_match(tag, m, open_tag))
        return "malformed tag" + near_text(page, i);
      if (!tag.ends_with("/")) open.push_back(name);
    }
    i = end;
    if (!open.empty() && open.back() == "style") {
      i = page.find("</style>", i);
      if (i == std::string::npos) return "style without end";
      --i;
    }
  }
  return open.empty() ? "" : "unclosed " + open.back();
}

}  // namespace flyball::report
