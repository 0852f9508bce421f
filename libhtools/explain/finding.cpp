#include "explain/finding.h"

namespace htools {

bool is_same_problem(const Finding& a, const Finding& b) {
  if (a.kind != b.kind || a.group != b.group || a.tag != b.tag || a.location != b.location || a.limit != b.limit ||
      a.rule != b.rule)
    return false;
  switch (a.kind) {
    case FindingKind::PolicySize:
      return a.available == b.available;
    case FindingKind::RuleBroken:
    case FindingKind::RuleMissed:
    case FindingKind::LocationExclusion:
    case FindingKind::SharedLocation:
    case FindingKind::DesiredLocation:
      return true;
    case FindingKind::DataOffline:
    case FindingKind::NoSecondary:
    case FindingKind::SplitInstance:
      return a.instances == b.instances;
    default:
      return a.nodes == b.nodes;
  }
}

}  // namespace htools
