#pragma once
// The parts of a page: text that is always escaped, tables, marks, sections, the skeleton. A page
// needs no network and no script, and says so to the browser (Content-Security-Policy default-src
// 'none').
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/json.h"

namespace flyball::report {

/// Markup. Text becomes markup only through this constructor, which escapes it, or through raw().
class Html {
 public:
  Html() = default;
  Html(std::string_view text);
  Html(const std::string& text) : Html(std::string_view(text)) {}
  Html(const char* text) : Html(std::string_view(text)) {}
  static Html raw(std::string markup);

  Html& operator+=(const Html& more);
  friend Html operator+(Html a, const Html& b) { return a += b; }
  [[nodiscard]] const std::string& markup() const { return markup_; }
  [[nodiscard]] bool empty() const { return markup_.empty(); }

 private:
  std::string markup_;
};

/// <name class="css">content</name>; `css` may be "".
Html element(std::string_view name, std::string_view css, const Html& content);
Html paragraph(const Html& content, std::string_view css = "");

/// Words of the catalogue, values filled in; told() is the plain text, not yet markup.
std::string told(std::string code, std::vector<Param> params = {});
Html say(std::string code, std::vector<Param> params = {});

/// Symbol, word and colour: "✔ pass" or "✖ fail" (or the words given).
Html mark(bool good, std::string_view good_word = "pass", std::string_view bad_word = "fail");

struct Column {
  std::string title;
  bool numeric = false;  ///< right-aligned, digits of equal width
};

struct Table {
  std::string caption;
  std::vector<Column> columns;
  std::vector<std::vector<Html>> rows;  ///< the first cell of a row is its heading
  std::string css;
};
Html table(const Table& t);

/// A picture with its caption; wide ones scroll sideways on a small screen.
Html figure(const std::string& svg, const Html& caption, std::string_view css = "");

/// Cells side by side, as many as fit.
Html grid(const std::vector<Html>& cells);

/// Folded away until asked for; printed open.
Html folded(const Html& summary, const Html& content);

/// Any JSON object as tables: its single values (nested ones by path), then each list of objects.
/// Long lists of numbers are given by their length.
Html facts(const Json& object, const std::string& caption);

struct Section {
  std::string id, title;
  Html body;
};

/// The whole page: heading, banner, table of contents, sections.
std::string page(std::string_view title, const Html& banner, const std::vector<Section>& sections);

/// The style sheet: greys, light and dark by the reader's preference, colour only for the abnormal.
std::string_view style_sheet();

}  // namespace flyball::report
