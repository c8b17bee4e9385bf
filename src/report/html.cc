#include "report/html.h"

#include <fmt/format.h>

#include "report/text.h"

namespace flyball::report {

Html::Html(std::string_view text) : markup_(escape(text)) {}

Html Html::raw(std::string markup) {
  Html h;
  h.markup_ = std::move(markup);
  return h;
}

Html& Html::operator+=(const Html& more) {
  markup_ += more.markup_;
  return *this;
}

Html element(std::string_view name, std::string_view css, const Html& content) {
  const std::string attribute = css.empty() ? "" : fmt::format(" class=\"{}\"", css);
  return Html::raw(fmt::format("<{}{}>{}</{}>", name, attribute, content.markup(), name));
}

Html paragraph(const Html& content, std::string_view css) {
  return element("p", css, content) + Html::raw("\n");
}

std::string told(std::string code, std::vector<Param> params) {
  return Message{std::move(code), std::move(params)}.text();
}

Html say(std::string code, std::vector<Param> params) {
  return told(std::move(code), std::move(params));
}

Html mark(bool good, std::string_view good_word, std::string_view bad_word) {
  return element("span", good ? "mark good" : "mark bad",
                 fmt::format("{}\u00A0{}", good ? "✔" : "✖", good ? good_word : bad_word));
}

Html table(const Table& t) {
  std::string out =
      fmt::format("<div class=\"wide\"><table{}><caption>{}</caption>\n<thead><tr>",
                  t.css.empty() ? "" : fmt::format(" class=\"{}\"", t.css), escape(t.caption));
  for (const Column& c : t.columns) {
    out += fmt::format("<th scope=\"col\"{}>{}</th>", c.numeric ? " class=\"n\"" : "",
                       escape(c.title));
  }
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : t.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool numeric = i < t.columns.size() && t.columns[i].numeric;
      const std::string css = numeric ? " class=\"n\"" : "";
      out += i == 0 ? fmt::format("<th scope=\"row\"{}>{}</th>", css, row[i].markup())
                    : fmt::format("<td{}>{}</td>", css, row[i].markup());
    }
    out += "</tr>\n";
  }
  return Html::raw(out + "</tbody></table></div>\n");
}

Html figure(const std::string& svg, const Html& caption, std::string_view css) {
  return Html::raw(
      fmt::format("<figure{}><div class=\"wide\">{}</div><figcaption>{}</figcaption></figure>\n",
                  css.empty() ? "" : fmt::format(" class=\"{}\"", css), svg, caption.markup()));
}

Html grid(const std::vector<Html>& cells) {
  Html out;
  for (const Html& c : cells) out += c;
  return element("div", "grid", out) + Html::raw("\n");
}

Html folded(const Html& summary, const Html& content) {
  return element("details", "", element("summary", "", summary) + content) + Html::raw("\n");
}

std::string page(std::string_view title, const Html& banner, const std::vector<Section>& sections) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; img-src data:\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
      "<link rel=\"icon\" href=\"data:,\"/>\n";
  out += fmt::format("<title>{}</title>\n<style>{}</style></head>\n<body>\n<main>\n", escape(title),
                     style_sheet());
  out += fmt::format("<header><h1>{}</h1></header>\n{}", escape(title), banner.markup());
  out += "<nav aria-label=\"Contents\"><ol>";
  for (const Section& s : sections) {
    out += fmt::format("<li><a href=\"#{}\">{}</a></li>", escape(s.id), escape(s.title));
  }
  out += "</ol></nav>\n";
  for (const Section& s : sections) {
    out += fmt::format("<section id=\"{}\"><h2>{}</h2>\n{}</section>\n", escape(s.id),
                       escape(s.title), s.body.markup());
  }
  return out + "</main>\n</body></html>\n";
}

}  // namespace flyball::report
