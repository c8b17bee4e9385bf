#include "report/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/text.h"

namespace flyball::report {
namespace {

/// Sizes in px of the view box; type sizes are those of the style sheet.
struct Layout {
  double left, right, head, gap, tick_space, label_space, font, char_width;
  bool compact;
};

Layout layout_of(bool compact) {
  return compact ? Layout{34, 6, 4, 10, 14, 13, 10, 6.0, true}
                 : Layout{52, 10, 24, 10, 18, 18, 12, 7.2, false};
}

std::string px(double v) {
  std::string text = fmt::format("{:.1f}", v);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

enum class Anchor { start, middle, end };

std::string label(double x, double y, std::string_view text, Anchor anchor,
                  std::string_view css = "") {
  static constexpr std::string_view kAnchors[] = {"", " text-anchor=\"middle\"",
                                                  " text-anchor=\"end\""};
  return fmt::format("<text x=\"{}\" y=\"{}\"{}{}>{}</text>", px(x), px(y), kAnchors[int(anchor)],
                     css.empty() ? "" : fmt::format(" class=\"{}\"", css), escape(text));
}

std::string path(std::string_view css, const std::string& d) {
  return d.empty() ? "" : fmt::format("<path class=\"{}\" d=\"{}\"/>", css, d);
}

std::string_view css_of(Ink ink) {
  switch (ink) {
    case Ink::measured:
      return "measured";
    case Ink::model:
      return "model";
    case Ink::reference:
      return "reference";
    case Ink::input:
      return "input";
  }
  return "model";
}

bool has_values(const Panel& p) {
  RangeFinder f;
  for (const Line& l : p.lines) f.add(l.y);
  for (const Band& b : p.bands) f.add(b.low);
  for (const Stems& s : p.stems) f.add(s.y);
  for (const Dots& d : p.dots) f.add(d.y);
  return !f.empty();
}

Range y_range(const Panel& p) {
  if (p.y) return *p.y;
  RangeFinder f;
  for (const Line& l : p.lines) f.add(l.y);
  for (const Band& b : p.bands) {
    f.add(b.low);
    f.add(b.high);
  }
  for (const Stems& s : p.stems) {
    f.add(s.y);
    f.add(0);
    f.add(s.bound.value_or(0));
    f.add(-s.bound.value_or(0));
  }
  for (const Dots& d : p.dots) f.add(d.y);
  f.add(p.levels);
  if (p.zero) f.add(0);
  return f.empty() ? Range{0, 1} : padded(f.range, 0.05);
}

Range x_range(const Figure& figure) {
  if (figure.x.range) return *figure.x.range;
  RangeFinder f;
  bool stems = false, dots = false;
  for (const Panel& p : figure.panels) {
    for (const Line& l : p.lines) f.add(l.x);
    for (const Band& b : p.bands) f.add(b.x);
    for (const Dots& d : p.dots) {
      f.add(d.x);
      dots = true;
    }
    for (const Stems& s : p.stems) {
      f.add(s.x);
      stems = true;
    }
  }
  if (f.empty()) return {0, 1};
  if (stems) return {f.range.low - 0.8, f.range.high + 0.8};
  if (dots) return padded(f.range, 0.03);
  return f.range.span() > 0 ? f.range : padded(f.range, 0.05);
}

/// The labels of the x axis in data units, and what stands under it.
struct XLabels {
  Ticks ticks;
  std::string label;
};

XLabels x_labels(const XAxis& axis, Range range, double width, const Layout& layout) {
  const int most =
      std::max(2, int(width / (layout.char_width * (axis.kind == XAxis::Kind::calendar ? 12
                                                    : layout.compact                   ? 6
                                                                                       : 8))));
  switch (axis.kind) {
    case XAxis::Kind::calendar:
      if (range.span() >= 10) return {calendar_ticks(axis.origin, range, most), "time, UTC"};
      [[fallthrough]];
    case XAxis::Kind::elapsed: {
      std::string since = axis.label.empty() ? "elapsed time" : axis.label;
      double base = 0;
      if (axis.kind == XAxis::Kind::calendar) {
        since = "time since " + format_time(axis.origin);
      } else if (range.low > 0 && range.high > 8 * range.span()) {
        const TimeUnit coarse = time_unit(range.low);
        const std::string start = fixed(range.low / coarse.seconds, 2);
        base = std::stod(start) * coarse.seconds;
        since += fmt::format(" after {} {}", start, coarse.name);
      }
      const TimeUnit unit =
          time_unit(std::max(std::abs(range.low - base), std::abs(range.high - base)));
      Ticks ticks =
          nice_ticks({(range.low - base) / unit.seconds, (range.high - base) / unit.seconds}, most);
      for (Tick& t : ticks.ticks) t.at = base + t.at * unit.seconds;
      return {std::move(ticks), fmt::format("{} [{}{}]", since, ticks.factor, unit.name)};
    }
    case XAxis::Kind::whole:
    case XAxis::Kind::number:
      break;
  }
  Ticks ticks = nice_ticks(range, most, axis.kind == XAxis::Kind::whole);
  std::string text = ticks.factor.empty() ? axis.label : axis.label + " " + ticks.factor;
  return {std::move(ticks), std::move(text)};
}

int most_y_ticks(const Panel& panel, const Layout& layout) {
  return std::max(3, int(panel.height / (layout.compact ? 22 : 32)));
}

/// One panel at (left, top) of the picture.
class PanelDrawing {
 public:
  PanelDrawing(const Panel& panel, const Layout& layout, Range x, double left, double width,
               double top)
      : panel_(panel),
        layout_(layout),
        left_(left),
        width_(width),
        top_(top),
        sx_{x, 0, width},
        sy_{y_range(panel), panel.height, 0},
        ticks_(nice_ticks(sy_.data, most_y_ticks(panel, layout))) {}

  /// Px that the labels of the y axis need.
  static double label_width(const Panel& panel, const Layout& layout) {
    const Ticks ticks = nice_ticks(y_range(panel), most_y_ticks(panel, layout));
    std::size_t longest = 0;
    for (const Tick& t : ticks.ticks) longest = std::max(longest, code_points(t.label));
    return layout.char_width * double(longest) + 9;
  }

  std::string draw(const XLabels& x) const {
    std::string out = heading() + frame(x);
    if (!has_values(panel_)) {
      const std::size_t fits = std::size_t(width_ / layout_.char_width);
      return out + label(left_ + width_ / 2, top_ + panel_.height / 2 + 4,
                         shortened(panel_.empty, fits), Anchor::middle, "empty");
    }
    out += fmt::format("<svg x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\">", px(left_), px(top_),
                       px(width_), px(panel_.height));
    for (const Band& b : panel_.bands) out += path("band", band_path(b.x, b.low, b.high, sx_, sy_));
    for (const double at : panel_.instants)
      out += path("instant", line_path({at, at}, {sy_.data.low, sy_.data.high}, sx_, sy_));
    for (const double at : panel_.levels)
      out += path("level", line_path({sx_.data.low, sx_.data.high}, {at, at}, sx_, sy_));
    for (const Line& l : panel_.lines)
      out += path(css_of(l.ink), line_path(l.x, l.y, sx_, sy_, l.stepped));
    for (const Stems& s : panel_.stems) out += stems(s);
    for (const Dots& d : panel_.dots) out += dots(d);
    return out + "</svg>";
  }

 private:
  std::string heading() const {
    if (layout_.compact && panel_.title.empty()) return "";
    std::string unit = panel_.unit;
    if (!ticks_.factor.empty()) unit = unit.empty() ? ticks_.factor : ticks_.factor + " " + unit;
    const std::string title = panel_.title + in_brackets(unit);
    return label(left_, top_ - 7, title, Anchor::start, "head") + legend(code_points(title));
  }

  /// Samples of the named lines, right-aligned above the panel; left out where the title needs the
  /// room.
  std::string legend(std::size_t title_length) const {
    std::string out;
    if (!has_values(panel_)) return out;
    double right = left_ + width_;
    const double limit = left_ + layout_.char_width * (double(title_length) + 2);
    const auto add = [&](std::string_view css, std::string_view name, double thick) {
      const double text = layout_.char_width * double(code_points(name));
      if (name.empty() || right - text - 28 < limit) return;
      out += label(right, top_ - 7, name, Anchor::end);
      const double x = right - text - 26;
      out +=
          thick > 0
              ? fmt::format("<rect class=\"band\" x=\"{}\" y=\"{}\" width=\"20\" height=\"{}\"/>",
                            px(x), px(top_ - 11 - thick / 2), px(thick))
              : fmt::format("<path class=\"{}\" d=\"M{} {}h20\"/>", css, px(x), px(top_ - 11));
      right = x - 14;
    };
    for (auto d = panel_.dots.rbegin(); d != panel_.dots.rend(); ++d) {
      const double text = layout_.char_width * double(code_points(d->name));
      if (d->name.empty() || right - text - 14 < limit) continue;
      out += label(right, top_ - 7, d->name, Anchor::end);
      out += path(css_of(*d), circle(right - text - 8, top_ - 11));
      right -= text + 22;
    }
    for (auto b = panel_.bands.rbegin(); b != panel_.bands.rend(); ++b) add("band", b->name, 8);
    for (auto l = panel_.lines.rbegin(); l != panel_.lines.rend(); ++l)
      add(css_of(l->ink), l->name, 0);
    return out;
  }

  std::string frame(const XLabels& x) const {
    std::string out =
        fmt::format("<rect class=\"plot\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                    px(left_), px(top_), px(width_), px(panel_.height));
    std::string grid;
    for (const Tick& t : x.ticks.ticks)
      grid += fmt::format("M{} {}v{}", px(left_ + sx_(t.at)), px(top_), px(panel_.height));
    for (const Tick& t : ticks_.ticks)
      grid += fmt::format("M{} {}h{}", px(left_), px(top_ + sy_(t.at)), px(width_));
    out += path("lattice", grid);
    if (sy_.data.low < 0 && sy_.data.high > 0)
      out += path("zero", fmt::format("M{} {}h{}", px(left_), px(top_ + sy_(0)), px(width_)));
    if (!has_values(panel_)) return out;
    for (const Tick& t : ticks_.ticks) {
      out += label(left_ - 5, top_ + sy_(t.at) + layout_.font * 0.35, t.label, Anchor::end);
    }
    return out;
  }

  std::string stems(const Stems& s) const {
    std::string inside, outside, diamonds;
    for (std::size_t i = 0; i < s.x.size() && i < s.y.size(); ++i) {
      if (!std::isfinite(s.y[i])) continue;
      const bool beyond = s.bound && std::abs(s.y[i]) > *s.bound;
      const double x = sx_(s.x[i]), y = sy_(s.y[i]);
      (beyond ? outside : inside) += fmt::format("M{} {}V{}", px(x), px(sy_(0)), px(y));
      if (beyond) diamonds += fmt::format("M{} {}l3 3l-3 3l-3 -3z", px(x), px(y - 3));
    }
    std::string out;
    if (s.bound) {
      for (const double b : {*s.bound, -*s.bound}) {
        out += path("level", line_path({sx_.data.low, sx_.data.high}, {b, b}, sx_, sy_));
      }
    }
    return out + path("stem", inside) + path("stem beyond", outside) +
           path("beyond-mark", diamonds);
  }

  static std::string_view css_of(const Dots& d) { return d.hollow ? "dots hollow" : "dots"; }
  static std::string_view css_of(Ink ink) { return report::css_of(ink); }

  static std::string circle(double x, double y) {
    return fmt::format("M{} {}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0z", px(x - 2.5), px(y));
  }

  std::string dots(const Dots& d) const {
    std::string all;
    for (std::size_t i = 0; i < d.x.size() && i < d.y.size(); ++i) {
      if (std::isfinite(d.x[i]) && std::isfinite(d.y[i])) all += circle(sx_(d.x[i]), sy_(d.y[i]));
    }
    return path(css_of(d), all);
  }

  const Panel& panel_;
  const Layout& layout_;
  double left_, width_, top_;
  Scale sx_, sy_;
  Ticks ticks_;
};

constexpr double kZoneWidth = 28;  ///< room for "UTC" at the left end of the dates

std::string x_axis(const XLabels& x, Range range, double left, double width, double top,
                   double total_width, const Layout& layout) {
  const Scale sx{range, left, left + width};
  std::string out;
  bool second = false;
  for (const Tick& t : x.ticks.ticks) {
    const double half =
        layout.char_width * double(std::max(code_points(t.label), code_points(t.second))) / 2;
    const double at = std::clamp(sx(t.at), half, std::max(half, total_width - half));
    out += label(at, top + layout.tick_space - 3, t.label, Anchor::middle);
    if (t.second.empty()) continue;
    second = true;
    out += label(std::max(at, half + kZoneWidth), top + 2 * layout.tick_space - 6, t.second,
                 Anchor::middle);
  }
  if (second) return out + label(0, top + 2 * layout.tick_space - 6, "UTC", Anchor::start);
  return out + label(left + width / 2, top + layout.tick_space + layout.label_space - 3, x.label,
                     Anchor::middle);
}

}  // namespace

std::string draw(const Figure& figure) {
  Layout layout = layout_of(figure.compact);
  for (const Panel& p : figure.panels) {
    if (has_values(p)) layout.left = std::max(layout.left, PanelDrawing::label_width(p, layout));
  }
  const Range x = x_range(figure);
  const double width = figure.width - layout.left - layout.right;
  const XLabels labels = x_labels(figure.x, x, width, layout);

  std::string body;
  double top = 0;
  for (const Panel& p : figure.panels) {
    const bool headed = !layout.compact || !p.title.empty();
    top += headed ? (layout.compact ? 16 : layout.head) : layout.head;
    body += PanelDrawing(p, layout, x, layout.left, width, top).draw(labels);
    top += p.height + (&p == &figure.panels.back() ? 0 : layout.gap);
  }
  if (std::ranges::any_of(figure.panels, has_values)) {
    body += x_axis(labels, x, layout.left, width, top, figure.width, layout);
  }
  const double height = top + layout.tick_space + layout.label_space;
  return fmt::format(
      "<svg class=\"chart{}\" role=\"img\" viewBox=\"0 0 {} {}\" width=\"{}\" "
      "height=\"{}\"><title>{}</title><desc>{}</desc>{}</svg>",
      figure.compact ? " compact" : "", px(figure.width), px(height), px(figure.width), px(height),
      escape(figure.title), escape(figure.description), body);
}

}  // namespace flyball::report
