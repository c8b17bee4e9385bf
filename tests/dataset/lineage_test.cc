#include "dataset/lineage.h"

#include <gtest/gtest.h>

#include "dataset/fixtures.h"
#include "dataset/manifest.h"
#include "dataset/store.h"

namespace flyball::dataset {
namespace {

using namespace fixtures;

RunContext segment(const std::string& run, std::int64_t version, const std::string& content,
                   Interval interval) {
  return {run, "seg-" + run, version, content, interval, ContextStatus::confirmed};
}

Interval whole_run(int day) {
  return {kStart + day * kDay, kStart + day * kDay + kDay};
}

LineageInput version_three() {
  LineageInput in;
  in.recipe_version = 3;
  in.recipe_content_hash = "abc";
  return in;
}

TEST(Lineage, IsVerifiedByConfirmedSegmentsThatCoverTheRunTogether) {
  LineageInput in = version_three();
  in.confirmed = {segment("r", 3, "abc", {50, 100}), segment("r", 3, "abc", {0, 60})};
  EXPECT_EQ(classify_run(in, "r", {10, 100}).kind, LineageClass::verified);
  EXPECT_EQ(classify_run(in, "r", {10, 101}).kind, LineageClass::unknown) << "one step too short";
  in.confirmed[1].interval.to = 49;
  EXPECT_EQ(classify_run(in, "r", {10, 100}).kind, LineageClass::unknown) << "a gap";
  EXPECT_EQ(classify_run(in, "q", {10, 100}).kind, LineageClass::unknown) << "another run's";
}

TEST(Lineage, OnlyAConfirmedSegmentCounts) {
  for (const ContextStatus status : {ContextStatus::draft, ContextStatus::rejected}) {
    LineageInput in = version_three();
    in.confirmed = {segment("r", 3, "abc", {0, 100})};
    in.confirmed[0].status = status;
    EXPECT_EQ(classify_run(in, "r", {0, 100}).kind, LineageClass::unknown);
    in.confirmed[0].recipe_version = 4;
    EXPECT_EQ(classify_run(in, "r", {0, 100}).kind, LineageClass::unknown);
  }
}

TEST(Lineage, IsExcludedByAContradictionInsideWhatIsUsed) {
  LineageInput in = version_three();
  in.confirmed = {segment("r", 3, "abc", {0, 60}), segment("r", 4, "abc", {60, 100})};
  const auto verdict = classify_run(in, "r", {0, 100});
  EXPECT_EQ(verdict.kind, LineageClass::excluded);
  EXPECT_EQ(verdict.reason->code, "LINEAGE_VERSION");
  EXPECT_EQ(classify_run(in, "r", {0, 60}).kind, LineageClass::verified);
  in.confirmed[1] = segment("r", 3, "abd", {60, 100});
  EXPECT_EQ(classify_run(in, "r", {0, 100}).reason->code, "LINEAGE_CONTENT");
}

TEST(Lineage, OfADatasetIsCompleteOnlyWhenEveryRunIsVerified) {
  historian::MemoryHistorian h;
  store_runs(h, 4, 300);
  LineageInput in = version_three();
  in.condition_id = "c1";
  for (int i = 0; i < 4; ++i)
    in.confirmed.push_back(segment("r" + std::to_string(i), 3, "abc", whole_run(i)));
  const Built all = build(h, small_spec(), in);
  EXPECT_EQ(all.report.provenance.lineage.verified.size(), 4U);
  const Manifest m = manifest_of(all, "");
  EXPECT_EQ(m.provenance.lineage_verified, 1);
  EXPECT_EQ(m.provenance.recipe_version, 3);
  EXPECT_EQ(m.provenance.recipe_content_hash, "abc");
  EXPECT_EQ(sidecar_of(m, all).condition_id, "c1");

  in.confirmed[1].status = ContextStatus::draft;
  in.confirmed[2].recipe_version = 4;
  const Built some = build(h, small_spec(), in);
  const Lineage& lineage = some.report.provenance.lineage;
  EXPECT_EQ(lineage.verified, (std::vector<std::string>{"r0", "r3"}));
  EXPECT_EQ(lineage.unknown, std::vector<std::string>{"r1"});
  ASSERT_EQ(lineage.excluded.size(), 1U);
  EXPECT_EQ(lineage.excluded[0].run_id, "r2");
  EXPECT_EQ(some.report.runs_used, (std::vector<std::string>{"r0", "r1", "r3"}));
  EXPECT_EQ(some.dataset.runs.size(), 3U) << "a run that contradicts is left out";
  EXPECT_EQ(manifest_of(some, "").provenance.lineage_verified, 0);
  EXPECT_EQ(build(h, small_spec()).report.provenance.lineage.unknown.size(), 4U);
}

TEST(Provenance, TheWatermarkIsTheLeastOfTheNewestSamplesAndASteppedTagIsCurrent) {
  historian::MemoryHistorian h;
  const auto run = run_named("r", kStart);
  const Record r = record(300, 1);
  h.append(run, "L1/u", samples({r.u.begin(), r.u.begin() + 100}, kStart, kSecond));
  h.append(run, "L1/d", samples({r.d.begin(), r.d.begin() + 280}, kStart, kSecond));
  h.append(run, "L1/y", samples(r.y, kStart, kSecond));
  const Provenance p = build(h, small_spec()).report.provenance;
  EXPECT_EQ(p.captured_at, kStart + 299 * kSecond);
  EXPECT_EQ(p.availability_watermark, kStart + 279 * kSecond);
}

TEST(Provenance, EvidenceIsThatOfTheRunsWhenTheyAgree) {
  historian::MemoryHistorian h;
  store_runs(h, 3, 300);
  EXPECT_EQ(build(h, small_spec()).report.provenance.evidence, "real");
  auto other = run_named("s", kStart + 9 * kDay);
  other.evidence = plant::EvidenceSource::simulation;
  store(h, other, record(300, 7));
  EXPECT_EQ(build(h, small_spec()).report.provenance.evidence, "unassessed");
}

}  // namespace
}  // namespace flyball::dataset
