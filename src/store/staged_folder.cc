#include <sys/file.h>
#include <sys/stat.h>

#include <cassert>
#include <cerrno>
#include <cstdio>
#include <utility>
#include <vector>

#include "store/descriptor.h"
#include "store/files.h"
#include "store/system_error.h"

namespace flyball::store {
namespace {

constexpr std::string_view kMark = ".staging-";

void sync_tree(const fs::path& root) {
  std::vector<fs::path> folders{root};
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.is_directory()) folders.push_back(entry.path());
  }
  for (const fs::path& folder : folders) {
    const Descriptor fd = open_folder(folder);
    if (!fd.ok() || ::fsync(fd.get()) != 0) throw_write_error(errno, folder);
  }
}

/// 0 or errno; EEXIST when something stands at `to`.
int rename_without_replacing(const fs::path& from, const fs::path& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // A file system that cannot refuse to replace: rename() itself refuses a folder that is not
  // empty.
  std::error_code ignored;
  if (fs::exists(to, ignored)) return EEXIST;
  return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

}  // namespace

StagedFolder::StagedFolder(fs::path final_path) : final_(std::move(final_path)) {
  if (final_.has_parent_path()) make_folder(final_.parent_path());
  for (int n = 0;; ++n) {
    staging_ =
        final_.string() + std::string(kMark) + std::to_string(::getpid()) + "-" + std::to_string(n);
    if (::mkdir(staging_.c_str(), 0755) == 0) break;
    if (errno != EEXIST) throw_write_error(errno, staging_);
  }
  fd_ = open_folder(staging_).release();
  if (fd_ < 0 || ::flock(fd_, LOCK_EX) != 0) throw_write_error(errno, staging_);
}

StagedFolder::~StagedFolder() {
  if (!done_) {
    std::error_code ignored;
    fs::remove_all(staging_, ignored);
  }
  if (fd_ >= 0) ::close(fd_);
}

void StagedFolder::write(const fs::path& name, std::string_view bytes) {
  assert(name.is_relative() && "names inside a staged folder are relative");
  write_file(staging_ / name, bytes);
}

bool StagedFolder::commit() {
  sync_tree(staging_);
  const int error = rename_without_replacing(staging_, final_);
  if (error == EEXIST || error == ENOTEMPTY) return false;
  if (error != 0) throw_write_error(error, final_);
  done_ = true;
  const fs::path parent = final_.has_parent_path() ? final_.parent_path() : fs::path(".");
  const Descriptor fd = open_folder(parent);
  if (!fd.ok() || ::fsync(fd.get()) != 0) throw_write_error(errno, parent);
  return true;
}

void remove_folder(const fs::path& path) {
  const fs::path doomed =
      path.string() + std::string(kMark) + "removed-" + std::to_string(::getpid());
  if (::rename(path.c_str(), doomed.c_str()) != 0) {
    if (errno == ENOENT) return;
    throw_write_error(errno, path);
  }
  std::error_code failed;
  fs::remove_all(doomed, failed);
  if (failed) throw_write_error(failed.value(), doomed);
}

bool StagedFolder::commit_as(fs::path final_path) {
  final_ = std::move(final_path);
  return commit();
}

int sweep_staging(const fs::path& parent) {
  std::error_code missing;
  int swept = 0;
  for (const auto& entry : fs::directory_iterator(parent, missing)) {
    if (entry.path().filename().string().find(kMark) == std::string::npos) continue;
    const Descriptor fd = open_folder(entry.path());
    if (!fd.ok() || ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) continue;
    std::error_code failed;
    fs::remove_all(entry.path(), failed);
    if (failed) throw_write_error(failed.value(), entry.path());
    ++swept;
  }
  return swept;
}

}  // namespace flyball::store
