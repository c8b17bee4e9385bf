#include "core/version.h"

namespace flyball {

std::string_view version() { return FLYBALL_VERSION; }

}  // namespace flyball
