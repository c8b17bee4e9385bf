// The door of libFuzzer; FLYBALL_FUZZ_LAWS names the function of laws.h.
#include <cstddef>
#include <cstdint>

#include "fuzz/laws.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  flyball::fuzz::FLYBALL_FUZZ_LAWS({reinterpret_cast<const char*>(data), size});
  return 0;
}
