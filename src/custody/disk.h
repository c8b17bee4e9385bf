#pragma once
// How full the disk of a data folder is, and what takes the room.
#include <filesystem>
#include <vector>

#include "core/record.h"

namespace flyball::custody {

struct DiskState {
  std::int64_t free = 0, size = 0, needed = 0;
  bool low = false;
  static constexpr auto fields() {
    using D = DiskState;
    return FieldList{
        field("freeBytes", &D::free, "that may still be written").unit("bytes"),
        field("sizeBytes", &D::size, "of the disk").unit("bytes"),
        field("neededBytes", &D::needed, "fewer free: nothing that grows is done").unit("bytes"),
        field("low", &D::low, "fewer are free")};
  }
};

/// What must stay free: the larger of the two.
struct DiskNeeds {
  double bytes = 0, share = 0;
};

/// Of the disk of `data`, or of its nearest parent that exists.
DiskState disk_state(const std::filesystem::path& data, const DiskNeeds& needs);

/// Throws DISK_LOW with what is free, the limit and the largest part.
void check_disk(const std::filesystem::path& data, const DiskNeeds& needs);

struct DiskPart {
  std::string name;
  std::int64_t files = 0, bytes = 0;
  static constexpr auto fields() {
    using D = DiskPart;
    return FieldList{field("name", &D::name,
                           "samples, records, datasets, models, jobs, reports, backups, other"),
                     field("files", &D::files, "files"),
                     field("bytes", &D::bytes, "their size").unit("bytes")};
  }
};

/// Every file of a data folder in one part; the largest first.
std::vector<DiskPart> disk_parts(const std::filesystem::path& data);

}  // namespace flyball::custody
