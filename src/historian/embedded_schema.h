#pragma once
// The tables of historian.db; docs/formats/historian.md describes them.
#include <array>

#include "store/migrations.h"

namespace flyball::historian {

inline constexpr int kPageSize = 16384;  ///< of the file: several chunks fit on a page

/// Hot rows lie by slab of time (at >> kSlabBits, 16.8 s), then tag, so that samples which arrive
/// together fill few pages; hot_slabs says which slabs hold rows of a tag.
inline constexpr int kSlabBits = 24;

inline constexpr std::array<store::Migration, 1> kHistorianMigrations{{{1, "time series", R"sql(
CREATE TABLE tags(
  id INTEGER PRIMARY KEY,
  line TEXT NOT NULL,
  name TEXT NOT NULL,
  record TEXT NOT NULL,
  longest INTEGER NOT NULL DEFAULT 0,
  UNIQUE(line, name));
CREATE TABLE runs(
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  line TEXT NOT NULL,
  product TEXT NOT NULL,
  recipe TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  record TEXT NOT NULL,
  samples INTEGER NOT NULL DEFAULT 0,
  UNIQUE(name, line));
CREATE TABLE imports(
  id INTEGER PRIMARY KEY,
  line TEXT NOT NULL,
  source TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  at INTEGER NOT NULL,
  account TEXT NOT NULL);
CREATE TABLE hot(
  slab INTEGER NOT NULL,
  tag INTEGER NOT NULL,
  at INTEGER NOT NULL,
  run INTEGER NOT NULL,
  value,
  quality INTEGER NOT NULL,
  PRIMARY KEY(slab, tag, at)) WITHOUT ROWID;
CREATE TABLE hot_slabs(
  tag INTEGER NOT NULL,
  slab INTEGER NOT NULL,
  PRIMARY KEY(tag, slab)) WITHOUT ROWID;
CREATE TABLE chunks(
  id INTEGER PRIMARY KEY,
  tag INTEGER NOT NULL,
  run INTEGER NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  samples INTEGER NOT NULL,
  bytes BLOB NOT NULL);
CREATE UNIQUE INDEX chunks_by_time ON chunks(tag, first, last, run, samples);
CREATE UNIQUE INDEX chunks_by_run ON chunks(tag, run, first, last, samples);
)sql"}}};

}  // namespace flyball::historian
