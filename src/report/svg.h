#pragma once
// A small chart kit: figures of stacked panels over one x axis, as inline SVG for an HTML page. No
// script, no ids, no outside references; colours come from the classes of the page's style sheet.
#include <optional>
#include <string>
#include <vector>

#include "core/time.h"
#include "report/path.h"
#include "report/ticks.h"

namespace flyball::report {

/// How a line looks: measured is a broad grey line, model a thin dark one drawn over it, reference
/// dashed, input thin grey.
enum class Ink { measured, model, reference, input };

struct Line {
  std::string name;  ///< in the legend; "" leaves it out
  Ink ink = Ink::model;
  std::vector<double> x, y;
  bool stepped = false;
};

struct Band {
  std::string name;
  std::vector<double> x, low, high;
};

/// Vertical lines from 0 to y; with a bound, ±bound is drawn and stems beyond it get a diamond.
struct Stems {
  std::vector<double> x, y;
  std::optional<double> bound;
};

/// Separate points: hollow for those that the model never saw.
struct Dots {
  std::string name;  ///< in the legend; "" leaves it out
  std::vector<double> x, y;
  bool hollow = false;
};

struct Panel {
  std::string title, unit;  ///< written above the panel as "title [unit]"
  double height = 180;      ///< of the plot area, px
  std::optional<Range> y;   ///< default: all that is drawn, and 5 %
  bool zero = false;        ///< the default range includes 0
  std::vector<Line> lines;
  std::vector<Band> bands;
  std::vector<Stems> stems;
  std::vector<Dots> dots;
  std::vector<double> levels;    ///< horizontal dotted lines at these y
  std::vector<double> instants;  ///< vertical dashed lines at these x
  std::string empty;             ///< written in the panel when there is no finite value to draw
};

struct XAxis {
  enum class Kind { number, whole, elapsed, calendar };
  Kind kind = Kind::number;
  std::string label;           ///< of a number axis with its unit; of elapsed time without (default
                               ///< "elapsed time"); calendar axes write their own
  TimeUs origin = 0;           ///< time axes: x is in seconds after it
  std::optional<Range> range;  ///< default: all that is drawn
};

struct Figure {
  std::string title, description;  ///< for those who do not see the picture
  double width = 880;              ///< px of the view box
  bool compact = false;            ///< small type and margins, for a cell of a grid
  XAxis x;
  std::vector<Panel> panels;
};

/// <svg>…</svg>. The same figure gives the same bytes.
std::string draw(const Figure& figure);

}  // namespace flyball::report
