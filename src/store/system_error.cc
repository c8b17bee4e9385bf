#include "store/system_error.h"

#include <cerrno>
#include <system_error>

#include "core/error.h"

namespace flyball::store {
namespace {

std::string reason(int error) {
  return std::generic_category().message(error);
}

}  // namespace

void throw_write_error(int error, const std::filesystem::path& path) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      throw Error("DISK_FULL", {{"path", path.string()}});
    case EROFS:
    case EACCES:
    case EPERM:
    case ENOTDIR:
      throw Error("FOLDER_NOT_WRITABLE", {{"path", path.string()}, {"reason", reason(error)}});
    default:
      throw Error("FILE_NOT_WRITTEN", {{"path", path.string()}, {"reason", reason(error)}});
  }
}

void throw_read_error(int error, const std::filesystem::path& path) {
  if (error == ENOENT || error == ENOTDIR) {
    throw Error("FILE_NOT_FOUND", {{"path", path.string()}});
  }
  throw Error("FILE_UNREADABLE", {{"path", path.string()}, {"reason", reason(error)}});
}

}  // namespace flyball::store
