#pragma once
// A study as a real one looks: a first-order plant with dead time per pair, noise, three parts.
#include "report/study_page.h"

namespace flyball::report {

struct MadeUp {
  StudyReport report;
  StudyPictures pictures;
};

struct MadeUpSize {
  int cvs = 2, inputs = 3;
  int rows = 900;  ///< of the test block
  bool pass = true;
  bool calendar = true;
};

/// Deterministic. The last input answers no CV; the last CV of a refused study is poorly predicted.
MadeUp made_up_study(const MadeUpSize& size);

}  // namespace flyball::report
