// Closed loops against a stored table: whoever changes the controller sees what it does to every
// plant under every fault. A loop may be better by 3 %, or worse by 3 %: beyond it the table is
// looked at and, with a reason, written anew (mpc_bench prints it).
#include "mpc/loop_table.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace flyball::bench {
namespace {

// clang-format off
const LoopRow kStored[] = {
    // plant, fault, error, violation, travel, cost
    {"wood_berry", "nominal", 0.0807, 0.000, 27.846, 10.060},
    {"wood_berry", "gains", 0.1023, 0.664, 30.221, 10.274},
    {"wood_berry", "noise", 0.0847, 0.000, 29.192, 10.214},
    {"wood_berry", "disturbance", 0.1262, 0.000, 28.994, 13.832},
    {"wood_berry", "stuck", 0.1391, 0.000, 26.300, 15.356},
    {"wood_berry", "missing", 0.1386, 0.000, 31.517, 15.416},
    {"shell", "nominal", 0.1410, 0.000, 58.463, 35.583},
    {"shell", "gains", 0.1576, 3.400, 59.488, 35.249},
    {"shell", "noise", 0.1400, 0.000, 59.215, 35.483},
    {"shell", "disturbance", 0.1795, 1.098, 57.741, 41.436},
    {"shell", "stuck", 0.1847, 0.000, 48.276, 48.631},
    {"shell", "missing", 0.1848, 1.099, 60.398, 42.029},
    {"quadruple_tank", "nominal", 0.0337, 0.000, 15.678, 4.037},
    {"quadruple_tank", "gains", 0.0544, 0.480, 17.149, 4.237},
    {"quadruple_tank", "noise", 0.0400, 0.000, 17.612, 4.095},
    {"quadruple_tank", "disturbance", 0.0706, 0.000, 16.606, 6.747},
    {"quadruple_tank", "stuck", 0.0930, 0.000, 15.874, 10.691},
    {"quadruple_tank", "missing", 0.0845, 0.000, 17.866, 8.472},
    {"injection_line", "nominal", 0.0534, 0.000, 15.493, 6.317},
    {"injection_line", "gains", 0.0727, 0.376, 16.984, 6.602},
    {"injection_line", "noise", 0.0593, 0.000, 16.924, 6.441},
    {"injection_line", "disturbance", 0.0949, 0.000, 16.826, 9.601},
    {"injection_line", "stuck", 0.1147, 0.000, 15.477, 11.128},
    {"injection_line", "missing", 0.1076, 0.000, 16.922, 11.249},
    {"stirred_reactor", "nominal", 0.0513, 0.000, 19.908, 5.878},
    {"stirred_reactor", "gains", 0.0655, 0.426, 22.047, 5.997},
    {"stirred_reactor", "noise", 0.0563, 0.000, 21.626, 5.994},
    {"stirred_reactor", "disturbance", 0.0948, 0.000, 23.543, 9.107},
    {"stirred_reactor", "stuck", 0.1086, 0.000, 19.836, 11.520},
    {"stirred_reactor", "missing", 0.1088, 0.000, 23.615, 11.041},
};
// clang-format on

constexpr double kTolerance = 0.03;

/// Within 3 % or what does not matter: a thousandth of a span, a hundredth of an amplitude.
bool near(double value, double stored, double least) {
  return std::abs(value - stored) <= std::max(kTolerance * std::abs(stored), least);
}

bool as_stored(const LoopRow& row, const LoopRow& stored) {
  return near(row.error, stored.error, 1e-3) && near(row.violation, stored.violation, 0.05) &&
         near(row.travel, stored.travel, 1e-2) && near(row.cost, stored.cost, 1e-2);
}

const LoopRow& stored(const std::string& plant, std::string_view fault) {
  for (const LoopRow& row : kStored)
    if (row.plant == plant && row.fault == fault) return row;
  throw std::logic_error("no row for " + plant + " " + std::string(fault));
}

std::string text(const LoopRow& r) {
  return fmt::format("{{\"{}\", \"{}\", {:.4f}, {:.3f}, {:.3f}, {:.3f}}},", r.plant, r.fault,
                     r.error, r.violation, r.travel, r.cost);
}

TEST(LoopTable, EveryLoopDoesWhatItDid) {
  int rows = 0;
  for (const LoopPlant& plant : loop_plants()) {
    for (const std::string_view fault : kFaults) {
      const LoopRow now = run_fault(plant, fault);
      EXPECT_TRUE(as_stored(now, stored(plant.name, fault))) << text(now);
      ++rows;
    }
  }
  EXPECT_EQ(rows, 30);
  EXPECT_EQ(rows, static_cast<int>(std::size(kStored)));
}

/// The table can fail: a controller that weighs moves three times as much is seen in every plant.
TEST(LoopTable, AnotherControllerIsSeen) {
  for (const LoopPlant& plant : loop_plants())
    EXPECT_FALSE(as_stored(run_fault(plant, "nominal", 3), stored(plant.name, "nominal")))
        << plant.name;
}

/// What must be true of every controller: the model as plant is the easiest of all.
TEST(LoopTable, FaultsCostMoreThanNone) {
  for (const LoopPlant& plant : loop_plants()) {
    const double nominal = stored(plant.name, "nominal").cost;
    for (const std::string_view fault : {"disturbance", "stuck", "missing"})
      EXPECT_GE(stored(plant.name, fault).cost, nominal * 0.999) << plant.name << fault;
    EXPECT_LT(stored(plant.name, "nominal").violation, 1) << "a thousandth of the span";
  }
}

}  // namespace
}  // namespace flyball::bench
