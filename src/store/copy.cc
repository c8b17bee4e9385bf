#include "store/copy.h"

#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <vector>

#include "core/checks.h"
#include "core/digest.h"
#include "store/descriptor.h"
#include "store/system_error.h"

namespace flyball::store {
namespace {

FileDigest read_through(const fs::path& file, const std::stop_token& stop,
                        const std::function<void(std::string_view)>& take) {
  const Descriptor fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!fd.ok()) throw_read_error(errno, file);
  FileDigest out;
  Sha256 digest;
  std::vector<char> buffer(1 << 20);
  for (;;) {
    check_stop(stop);
    const ssize_t n = ::read(fd.get(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw_read_error(errno, file);
    if (n == 0) break;
    const std::string_view block(buffer.data(), static_cast<std::size_t>(n));
    digest.update(block);
    take(block);
    out.bytes += n;
  }
  out.sha256 = digest.hex();
  return out;
}

bool half_made(const fs::path& name) {
  const std::string text = name.filename().string();
  return text.ends_with(".tmp") || text.find(".staging-") != std::string::npos;
}

}  // namespace

FileDigest copy_file(const fs::path& from, const fs::path& to, const std::stop_token& stop) {
  if (to.has_parent_path()) make_folder(to.parent_path());
  Descriptor fd(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (!fd.ok()) throw_write_error(errno, to);
  FileDigest out = read_through(from, stop, [&](std::string_view block) {
    while (!block.empty()) {
      const ssize_t n = ::write(fd.get(), block.data(), block.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) throw_write_error(errno, to);
      block.remove_prefix(static_cast<std::size_t>(n));
    }
  });
  if (::close(fd.release()) != 0) throw_write_error(errno, to);
  return out;
}

FileDigest digest_file(const fs::path& file, const std::stop_token& stop) {
  return read_through(file, stop, [](std::string_view) {});
}

void sync_disk(const fs::path& folder) {
  const Descriptor fd = open_folder(folder);
  if (!fd.ok() || ::syncfs(fd.get()) != 0) throw_write_error(errno, folder);
}

std::vector<fs::path> files_under(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code gone;  // a file may go while they are listed
  fs::recursive_directory_iterator it(folder, gone), end;
  while (!gone && it != end) {
    std::error_code ignored;
    const fs::file_status status = it->symlink_status(ignored);
    if (half_made(it->path())) {
      it.disable_recursion_pending();
    } else if (fs::is_regular_file(status)) {
      out.push_back(it->path().lexically_relative(folder));
    }
    it.increment(gone);
  }
  std::ranges::sort(out);
  return out;
}

DiskSpace disk_space(const fs::path& folder) {
  struct statvfs s {};
  if (::statvfs(folder.c_str(), &s) != 0) throw_read_error(errno, folder);
  const auto block = static_cast<std::int64_t>(s.f_frsize);
  return {static_cast<std::int64_t>(s.f_bavail) * block,
          static_cast<std::int64_t>(s.f_blocks) * block};
}

}  // namespace flyball::store
