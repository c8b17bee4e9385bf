#pragma once
#include <string_view>

namespace flyball {

/// Of the product, such as "0.1.0".
std::string_view version();

}  // namespace flyball
