#include "report/path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace flyball::report {
namespace {

struct Vertex {
  double x, y;
  bool moves;
};

/// Reads back M, l, h, v and z.
std::vector<Vertex> read(const std::string& d) {
  std::vector<Vertex> out;
  const char* at = d.c_str();
  const auto next = [&] {
    char* end = nullptr;
    const double v = std::strtod(at, &end);
    at = end;
    return v;
  };
  double x = 0, y = 0;
  while (*at != '\0') {
    const char command = *at++;
    if (command == 'z') continue;
    if (command == 'M') x = next(), y = next();
    if (command == 'l') x += next(), y += next();
    if (command == 'h') x += next();
    if (command == 'v') y += next();
    out.push_back({x, y, command == 'M'});
  }
  return out;
}

std::vector<double> counting(std::size_t n) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = double(i);
  return x;
}

TEST(LinePath, GoesThroughEveryPointOfAShortSeries) {
  const std::vector<double> y{0, 1, 0.5, 0.25};
  const Scale sx{{0, 3}, 0, 300}, sy{{0, 1}, 100, 0};
  const auto v = read(line_path(counting(4), y, sx, sy));
  ASSERT_EQ(v.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(v[i].x, 100.0 * double(i), 0.05);
    EXPECT_NEAR(v[i].y, 100 * (1 - y[i]), 0.05);
  }
}

TEST(LinePath, BreaksAtMissingValues) {
  const auto v =
      read(line_path(counting(5), {0, 1, NAN, 1, 0}, {{0, 4}, 0, 400}, {{0, 1}, 100, 0}));
  EXPECT_EQ(std::ranges::count(v, true, &Vertex::moves), 2);
}

TEST(LinePath, ShowsASingleValueBetweenGaps) {
  EXPECT_FALSE(line_path(counting(3), {NAN, 1, NAN}, {{0, 2}, 0, 100}, {{0, 1}, 100, 0}).empty());
}

TEST(LinePath, HoldsValuesOfASteppedSeries) {
  const auto v = read(line_path({0, 1}, {0, 1}, {{0, 1}, 0, 100}, {{0, 1}, 100, 0}, true));
  ASSERT_EQ(v.size(), 3U);
  EXPECT_EQ(v[1].x, 100);
  EXPECT_EQ(v[1].y, 100);
}

TEST(LinePath, OfALongSeriesKeepsEveryExtreme) {
  std::vector<double> y(100'000);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = std::sin(double(i) * 0.013) * 0.3;
  y[33'333] = 1;
  y[77'777] = -1;
  const Scale sx{{0, 99'999}, 0, 800}, sy{{-1, 1}, 200, 0};
  const std::string d = line_path(counting(y.size()), y, sx, sy);
  EXPECT_LT(d.size(), 100'000U);
  const auto v = read(d);
  const auto near_peak = [&](double i, double level) {
    return std::ranges::any_of(v, [&](const Vertex& p) {
      return std::abs(p.x - sx(i)) < 1.0 && std::abs(p.y - sy(level)) < 0.1;
    });
  };
  EXPECT_TRUE(near_peak(33'333, 1));
  EXPECT_TRUE(near_peak(77'777, -1));
  for (std::size_t i = 1; i < v.size(); ++i) EXPECT_GE(v[i].x, v[i - 1].x);
}

TEST(LinePath, StaysShortWhenThePredictionDiverges) {
  std::vector<double> y;
  for (int i = 0; i < 500; ++i) y.push_back(std::pow(10.0, i));
  const std::string d = line_path(counting(y.size()), y, {{0, 499}, 0, 800}, {{0, 1}, 100, 0});
  EXPECT_LT(d.size(), 10'000U);
  EXPECT_EQ(d.find('e'), std::string::npos);
}

TEST(BandPath, EnclosesEveryLowAndHigh) {
  std::vector<double> low(50'000), high(50'000);
  for (std::size_t i = 0; i < low.size(); ++i) {
    low[i] = -0.5 - 0.4 * std::sin(double(i));
    high[i] = 0.5 + 0.4 * std::cos(double(i));
  }
  const Scale sx{{0, 49'999}, 0, 400}, sy{{-1, 1}, 200, 0};
  const auto v = read(band_path(counting(low.size()), low, high, sx, sy));
  const auto [top, bottom] = std::ranges::minmax_element(v, {}, &Vertex::y);
  EXPECT_NEAR(top->y, sy(*std::ranges::max_element(high)), 0.1);
  EXPECT_NEAR(bottom->y, sy(*std::ranges::min_element(low)), 0.1);
}

TEST(BandPath, OfMissingBoundsIsEmpty) {
  EXPECT_EQ(band_path(counting(3), {NAN, NAN, NAN}, {1, 1, 1}, {{0, 2}, 0, 100}, {{0, 1}, 100, 0}),
            "");
}

}  // namespace
}  // namespace flyball::report
