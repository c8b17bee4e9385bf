#include "store/file_writer.h"

#include <cerrno>
#include <utility>

#include "store/files.h"
#include "store/system_error.h"

namespace flyball::store {
namespace {

Descriptor create(const fs::path& path) {
  if (path.has_parent_path()) make_folder(path.parent_path());
  Descriptor fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!fd.ok()) throw_write_error(errno, path);
  return fd;
}

}  // namespace

FileWriter::FileWriter(fs::path path) : path_(std::move(path)), fd_(create(path_)) {}

void FileWriter::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd_.get(), bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw_write_error(errno, path_);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

void FileWriter::finish() {
  if (::fsync(fd_.get()) != 0 || ::close(fd_.release()) != 0) throw_write_error(errno, path_);
}

}  // namespace flyball::store
