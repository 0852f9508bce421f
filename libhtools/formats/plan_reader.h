// Reads plans that were written down: by programs, by people, or by hbal.
#pragma once

#include <string_view>

#include "plan/proposal.h"

namespace htools {

// Returns the placements of the text, in their order. It has one of these forms:
//
// - a document of the kind htools.plan/1: its steps, and the plans that there are to choose from;
// - what hbal or hplan prints: the lines of steps, "  1. web1 node1:node2 => node3:node2   3.83302642 a=f r:node3 f";
//   all other lines are left out, and there may be no steps;
// - lines "INSTANCE NODE[:NODE]", where the instance is to be in the end, the primary node first, or "INSTANCE
//   NODE[:NODE] => NODE[:NODE] ...", as hwhy prints cures. '#' begins a comment.
//
// `source` is the name of the file, for errors. Lines that cannot be read are among the
// errors of the proposal; a document that cannot be read is an InputError.
Proposal read_plan(std::string_view text, std::string_view source);

}  // namespace htools
