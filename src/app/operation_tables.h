#pragma once
// The parts of the table of operations, in the order in which they are shown. One file each, since
// every row makes the parser, the schemas and the printer of its records.
#include <span>

#include "app/operations.h"

namespace flyball::app {

std::span<const Operation> advice_operations();
std::span<const Operation> data_operations();
std::span<const Operation> models_operations();
std::span<const Operation> plant_operations();
std::span<const Operation> service_operations();

}  // namespace flyball::app
