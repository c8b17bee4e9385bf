// Headers of other libraries that most files read: parsed once. Our own headers are never here, so
// that each file says what it uses; the coverage preset builds without this file to prove it.
#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>
