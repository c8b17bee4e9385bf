#include "store/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "support/expect_error.h"
#include "support/temp_folder.h"

namespace flyball::store {
namespace {

using testing::TempFolder;

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(Files, WhatIsWrittenIsReadBackByteForByte) {
  const TempFolder folder;
  const std::string bytes("a\0\r\n\xff", 5);
  write_file(folder / "new/sub/file.bin", bytes);
  EXPECT_EQ(read_file(folder / "new/sub/file.bin"), bytes);
  EXPECT_EQ(MappedFile(folder / "new/sub/file.bin").text(), bytes);
  EXPECT_EQ(entries(folder / "new/sub"), 1u) << "no temporary file stays";
}

TEST(Files, WritingReplacesTheWholeFile) {
  const TempFolder folder;
  write_file(folder / "f", "a long text");
  write_file(folder / "f", "short");
  EXPECT_EQ(read_file(folder / "f"), "short");
}

TEST(Files, AnEmptyFileMapsToAnEmptyText) {
  const TempFolder folder;
  write_file(folder / "f", "");
  EXPECT_EQ(MappedFile(folder / "f").text(), "");
  EXPECT_EQ(read_file(folder / "f"), "");
}

TEST(Files, AMovedMappingKeepsItsText) {
  const TempFolder folder;
  write_file(folder / "f", "text");
  MappedFile first(folder / "f");
  const MappedFile second(std::move(first));
  EXPECT_EQ(second.text(), "text");
}

TEST(Files, APipeIsReadThoughItCannotBeMapped) {
  const TempFolder folder;
  const fs::path pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << "through a pipe"; });
  EXPECT_EQ(MappedFile(pipe).text(), "through a pipe");
  writer.join();
}

TEST(Files, MissingFilesAndFoldersAreToldApart) {
  const TempFolder folder;
  EXPECT_ERROR(read_file(folder / "missing"), "FILE_NOT_FOUND");
  EXPECT_ERROR(MappedFile(folder / "missing"), "FILE_NOT_FOUND");
  EXPECT_ERROR(read_file(folder.path()), "FILE_UNREADABLE");
  EXPECT_ERROR(MappedFile(folder.path()), "FILE_UNREADABLE");
}

TEST(Files, AFileInTheWayOfAFolderIsRefused) {
  const TempFolder folder;
  write_file(folder / "f", "x");
  EXPECT_ERROR(write_file(folder / "f/g", "y"), "FOLDER_NOT_WRITABLE");
  EXPECT_ERROR(make_folder(folder / "f"), "FOLDER_NOT_WRITABLE");
}

TEST(StagedFolder, AppearsWholeOnCommit) {
  const TempFolder folder;
  const fs::path final_path = folder / "datasets/ds-1";
  StagedFolder staged(final_path);
  staged.write("spec.json", "{}");
  staged.write("arrays/r1.f64", "12345678");
  EXPECT_FALSE(fs::exists(final_path));
  EXPECT_TRUE(staged.commit());
  EXPECT_EQ(read_file(final_path / "arrays/r1.f64"), "12345678");
  EXPECT_EQ(entries(folder / "datasets"), 1u);
}

TEST(StagedFolder, LeavesNothingWithoutCommit) {
  const TempFolder folder;
  {
    StagedFolder staged(folder / "ds-1");
    staged.write("spec.json", "{}");
  }
  EXPECT_EQ(entries(folder.path()), 0u);
}

TEST(StagedFolder, KeepsAFolderThatIsAlreadyThere) {
  const TempFolder folder;
  {
    StagedFolder first(folder / "ds-1"), second(folder / "ds-1");
    first.write("f", "first");
    second.write("f", "second");
    EXPECT_TRUE(first.commit());
    EXPECT_FALSE(second.commit());
  }
  EXPECT_EQ(read_file(folder / "ds-1/f"), "first");
  EXPECT_EQ(entries(folder.path()), 1u);
}

TEST(SweepStaging, TakesWhatADeadWriterLeftAndSparesTheLiving) {
  const TempFolder folder;
  write_file(folder / "ds-0.staging-999-0/f", "left by a killed process");
  write_file(folder / "ds-2/f", "whole");
  StagedFolder living(folder / "ds-1");
  living.write("f", "x");
  EXPECT_EQ(sweep_staging(folder.path()), 1);
  EXPECT_FALSE(fs::exists(folder / "ds-0.staging-999-0"));
  EXPECT_TRUE(fs::exists(folder / "ds-2/f"));
  EXPECT_TRUE(living.commit());
  EXPECT_EQ(sweep_staging(folder / "missing"), 0);
}

}  // namespace
}  // namespace flyball::store
