// Says what the fields of jobs are, which programs submit to Ganeti.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "fields/fields.h"

namespace htools {

// A job that was submitted, and how it ended.
struct SubmittedJob {
  std::size_t set = 0;  // the number of its job set, counted from 1
  std::int64_t id = 0;  // its number in Ganeti
  bool success = false;
};

// The fields of a job.
template <>
struct Fields<SubmittedJob> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("set", &SubmittedJob::set, "Number of the set of jobs that ran at the same time, counted from 1.");
    field("id", &SubmittedJob::id, "Number of the job in Ganeti.");
    field("success", &SubmittedJob::success, "True if it has ended successfully.");
  }
};

}  // namespace htools
