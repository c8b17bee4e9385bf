#pragma once
// OpenAPI 3.1 of the service, from the table of operations.
#include <span>

#include "app/operations.h"

namespace flyball::serve {

Json openapi(std::span<const app::Operation> operations);

}  // namespace flyball::serve
