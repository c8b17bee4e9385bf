#pragma once
// A tmpfs of a few kilobytes, to meet a full disk and a read-only folder for real. Mode bits would
// not do: tests may run as root.
#include <sys/mount.h>

#include <cstdlib>
#include <string>

#include "support/temp_folder.h"

namespace flyball::testing {

class SmallDisk {
 public:
  explicit SmallDisk(int kilobytes) : options_("size=" + std::to_string(kilobytes) + "k") {
    ::setenv("FLYBALL_DISK_MIN_FREE_MB", "0", 1);  // it is to be filled to its end
    mounted_ = ::mount("tmpfs", folder_.path().c_str(), "tmpfs", 0, options_.c_str()) == 0;
  }
  ~SmallDisk() {
    ::unsetenv("FLYBALL_DISK_MIN_FREE_MB");
    if (mounted_) ::umount2(folder_.path().c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  [[nodiscard]] bool mounted() const { return mounted_; }
  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }
  bool make_read_only() { return remount(MS_REMOUNT | MS_RDONLY); }
  bool make_writable() { return remount(MS_REMOUNT); }

 private:
  bool remount(unsigned long flags) {
    return ::mount("tmpfs", folder_.path().c_str(), "tmpfs", flags, options_.c_str()) == 0;
  }

  TempFolder folder_;
  std::string options_;
  bool mounted_ = false;
};

/// Tests that need what this machine lacks are skipped, but fail where everything must be there.
inline bool everything_must_run() {
  const char* value = std::getenv("FLYBALL_REQUIRE_SHARED");
  return value != nullptr && std::string(value) == "1";
}

}  // namespace flyball::testing

#define FLYBALL_NEEDS_DISK(disk)                                                          \
  if (!(disk).mounted()) {                                                                \
    if (::flyball::testing::everything_must_run()) FAIL() << "a tmpfs cannot be mounted"; \
    GTEST_SKIP() << "a tmpfs cannot be mounted here";                                     \
  }
