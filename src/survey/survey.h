#pragma once
// Can these data carry a model, and what should a person look at first? Facts and proposals;
// nothing is changed. Two doors: the stored samples of tags, and the train part of a dataset. The
// same data give the same answer; but for unit jumps it does not depend on units.
#include <stop_token>

#include "core/progress.h"
#include "dataset/dataset.h"
#include "dataset/report.h"
#include "historian/historian.h"
#include "survey/dataset_facts.h"
#include "survey/proposal.h"
#include "survey/tag_facts.h"

namespace flyball::survey {

struct TagSurvey {
  std::vector<TagFacts> tags;       ///< in the order asked for
  std::vector<Proposal> proposals;  ///< findings of several tags first, then tag by tag
  static constexpr auto fields() {
    return FieldList{field("tags", &TagSurvey::tags, "per tag"),
                      field("proposals", &TagSurvey::proposals, "what to look at")};
  }
};

struct TagSurveyRequest {
  historian::Filter filter;       ///< line_id is needed
  TimeUs from = INT64_MIN;        ///< inclusive
  TimeUs to = INT64_MAX;          ///< exclusive
  std::vector<std::string> tags;  ///< names; empty: all of the line
};

/// From the stored samples of the runs that pass the filter. One tag in memory at a time, 16 bytes
/// a sample and as much again while it is looked at; O(samples). Throws NODE_MISSING for tags that
/// are not known, CANCELLED.
TagSurvey survey_tags(const historian::Historian& historian, const TagSurveyRequest& request,
                      const ProgressFn& progress = {}, const std::stop_token& stop = {});

struct DatasetSurvey {
  std::vector<VariableFacts> variables;  ///< inputs, then CVs
  Correlations correlations;
  Collinearity collinearity;
  std::vector<identify::Feedback> feedback;
  std::vector<PairFacts> pairs;  ///< every input with every CV
  std::vector<CvFacts> cvs;
  std::vector<RunFacts> runs;  ///< all, also those dropped
  std::vector<Proposal> proposals;
  static constexpr auto fields() {
    using D = DatasetSurvey;
    return FieldList{field("variables", &D::variables, "inputs, then CVs; train part"),
                      field("correlations", &D::correlations, "at the same step, train part"),
                      field("collinearity", &D::collinearity, "of the inputs, train part"),
                      field("feedback", &D::feedback, "are MVs computed from the CVs?"),
                      field("pairs", &D::pairs, "every input with every CV, train part"),
                      field("cvs", &D::cvs, "time scale of the CVs, train part"),
                      field("runs", &D::runs, "share that can be used, mean profile"),
                      field("proposals", &D::proposals, "what to look at")};
  }
};

/// Reads the train blocks only (the share that can be used: all runs). Cost that of the dead-time
/// search of identification. Throws TRAIN_PART_EMPTY, CANCELLED.
DatasetSurvey survey_dataset(const dataset::Dataset& dataset, const dataset::Report& report,
                             const ProgressFn& progress = {}, const std::stop_token& stop = {});

}  // namespace flyball::survey
