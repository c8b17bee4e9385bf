#include "store/files.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "core/checks.h"
#include "store/descriptor.h"
#include "store/system_error.h"

namespace flyball::store {
namespace {

constexpr int kPollMs = 100;  ///< between looks at a request to stop

Descriptor open_to_read(const fs::path& path) {
  Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.ok()) throw_read_error(errno, path);
  return fd;
}

struct stat status_of(const Descriptor& fd, const fs::path& path) {
  struct stat s {};
  if (::fstat(fd.get(), &s) != 0) throw_read_error(errno, path);
  if (S_ISDIR(s.st_mode)) throw_read_error(EISDIR, path);
  return s;
}

std::string read_all(const Descriptor& fd, const fs::path& path) {
  std::string out;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = ::read(fd.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw_read_error(errno, path);
    if (n == 0) return out;
    out.append(buffer, static_cast<std::size_t>(n));
  }
}

void write_all(int fd, std::string_view bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw_write_error(errno, path);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

void sync_folder(const fs::path& path) {
  const Descriptor fd = open_folder(path);
  if (!fd.ok() || ::fsync(fd.get()) != 0) throw_write_error(errno, path);
}

/// Creates the file and syncs its bytes; a file of which a part was written is removed again.
void write_synced(const fs::path& path, std::string_view bytes) {
  Descriptor fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!fd.ok()) throw_write_error(errno, path);
  try {
    write_all(fd.get(), bytes, path);
    if (::fsync(fd.get()) != 0) throw_write_error(errno, path);
    if (::close(fd.release()) != 0) throw_write_error(errno, path);
  } catch (...) {
    ::unlink(path.c_str());
    throw;
  }
}

}  // namespace

MappedFile::MappedFile(const fs::path& path) {
  const Descriptor fd = open_to_read(path);
  const struct stat status = status_of(fd, path);
  if (!S_ISREG(status.st_mode)) {
    owned_ = std::make_unique<std::string>(read_all(fd, path));
    data_ = owned_->data();
    size_ = owned_->size();
    return;
  }
  map(fd.get(), path);
}

void MappedFile::map(int fd, const fs::path& path) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) throw_read_error(errno, path);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return;
  void* at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (at == MAP_FAILED) throw_read_error(errno, path);
  ::madvise(at, size, MADV_SEQUENTIAL);
  data_ = static_cast<const char*>(at);
  size_ = size;
}

Spool::Spool(fs::path folder) : folder_(std::move(folder)) {
  make_folder(folder_);
  Descriptor fd(::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (!fd.ok()) throw_write_error(errno, folder_);
  fd_ = fd.release();
}

Spool::~Spool() {
  ::close(fd_);
}

void Spool::append(std::string_view bytes) {
  write_all(fd_, bytes, folder_);
}

MappedFile Spool::map() const {
  MappedFile out;
  out.map(fd_, folder_);
  return out;
}

MappedFile MappedFile::spool(int source, const fs::path& folder,
                             const std::function<void(std::string_view)>& look,
                             const std::stop_token& stop) {
  Spool copy(folder);
  std::vector<char> buffer(1 << 18);
  for (;;) {
    check_stop(stop);
    pollfd ready{source, POLLIN, 0};
    if (::poll(&ready, 1, kPollMs) == 0) continue;
    const ssize_t n = ::read(source, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw_read_error(errno, "standard input");
    if (n == 0) break;
    const std::string_view block(buffer.data(), static_cast<std::size_t>(n));
    look(block);
    copy.append(block);
  }
  return copy.map();
}

MappedFile::~MappedFile() {
  if (data_ != nullptr && !owned_) ::munmap(const_cast<char*>(data_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      owned_(std::move(other.owned_)) {}

std::string read_file(const fs::path& path) {
  const Descriptor fd = open_to_read(path);
  status_of(fd, path);
  return read_all(fd, path);
}

void make_folder(const fs::path& path) {
  if (path.empty()) return;
  if (::mkdir(path.c_str(), 0755) == 0) {
    sync_folder(path.parent_path().empty() ? fs::path(".") : path.parent_path());
    return;
  }
  const int error = errno;
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return;
  if (error == ENOENT && path.has_parent_path() && path.parent_path() != path) {
    make_folder(path.parent_path());
    if (::mkdir(path.c_str(), 0755) == 0 || errno == EEXIST) return;
    throw_write_error(errno, path);  // /proc and its like take no folder although the parent exists
  }
  throw_write_error(error == EEXIST ? ENOTDIR : error, path);
}

void write_file(const fs::path& path, std::string_view bytes) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  make_folder(folder);
  const fs::path temporary = path.string() + ".tmp";
  write_synced(temporary, bytes);
  if (::rename(temporary.c_str(), path.c_str()) != 0) {
    const int error = errno;
    ::unlink(temporary.c_str());
    throw_write_error(error, path);
  }
  sync_folder(folder);
}

}  // namespace flyball::store
