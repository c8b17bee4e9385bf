#include "jobs/job.h"

namespace flyball::jobs {

int priority(Kind kind) {
  switch (kind) {
    case Kind::dataset_build:
    case Kind::evaluation:
    case Kind::report:
      return 0;
    case Kind::training:
      return 1;
    case Kind::reconciliation:
    case Kind::retention:
      return 2;
  }
  return 2;
}

}  // namespace flyball::jobs
