#include "tests/support/cluster_difference.h"

#include <string>
#include <string_view>

#include "tests/support/random.h"

namespace htools::testing {

std::string_view difference(const Ledger& a, const Ledger& b) {
  if (a.free_disk != b.free_disk) return "free_disk";
  if (a.free_spindles != b.free_spindles) return "free_spindles";
  if (a.used_vcpus != b.used_vcpus) return "used_vcpus";
  if (!same_score(a.memory_ratio, b.memory_ratio)) return "memory_ratio";
  if (!same_score(a.disk_ratio, b.disk_ratio)) return "disk_ratio";
  if (!same_score(a.vcpu_ratio, b.vcpu_ratio)) return "vcpu_ratio";
  if (!same_score(a.instance_spindles, b.instance_spindles)) return "instance_spindles";
  return "";
}

std::string difference(const NodeBooks& a, const NodeBooks& b) {
  if (const auto field = difference(a.real, b.real); !field.empty()) return "real " + std::string(field);
  if (const auto field = difference(a.forthcoming, b.forthcoming); !field.empty()) {
    return "forthcoming " + std::string(field);
  }
  if (a.instance_memory != b.instance_memory) return "instance_memory";
  if (a.forthcoming_free_memory != b.forthcoming_free_memory) return "forthcoming_free_memory";
  if (a.reserved_memory != b.reserved_memory) return "reserved_memory";
  if (!same_score(a.reserved_ratio, b.reserved_ratio)) return "reserved_ratio";
  if (a.n1_failed != b.n1_failed) return "n1_failed";
  if (!same_score(a.load.cpu, b.load.cpu)) return "cpu load";
  if (!same_score(a.load.memory, b.load.memory)) return "memory load";
  if (!same_score(a.load.disk, b.load.disk)) return "disk load";
  if (!same_score(a.load.network, b.load.network)) return "network load";
  if (a.primary_count != b.primary_count) return "primary_count";
  if (a.secondary_count != b.secondary_count) return "secondary_count";
  if (a.tag_conflicts != b.tag_conflicts) return "tag_conflicts";
  if (a.location_score != b.location_score) return "location_score";
  return "";
}

std::string difference(const Node& a, const Node& b) {
  if (std::string field = difference(a.books, b.books); !field.empty()) return field;
  if (a.primaries != b.primaries) return "primaries";
  if (a.secondaries != b.secondaries) return "secondaries";
  const auto same_entry = [](const auto& x, const auto& y) { return x.primary == y.primary && x.memory == y.memory; };
  const auto &p = a.peers.entries(), &q = b.peers.entries();
  if (!std::equal(p.begin(), p.end(), q.begin(), q.end(), same_entry)) return "peers";
  if (a.primary_tags != b.primary_tags) return "primary_tags";
  if (a.location_exclusion != b.location_exclusion) return "location_exclusion";
  return "";
}

std::string difference(const Instance& a, const Instance& b) {
  if (a.facts->name != b.facts->name) return "name";
  if (a.primary != b.primary) return "primary";
  if (a.secondary != b.secondary) return "secondary";
  if (a.facts->disk_template != b.facts->disk_template) return "disk template";
  if (a.location_score != b.location_score) return "location score of the instance";
  return "";
}

std::string difference(const Cluster& a, const Cluster& b) {
  if (a.nodes.size() != b.nodes.size()) return "number of nodes";
  if (a.instances.size() != b.instances.size()) return "number of instances";
  for (std::size_t n = 0; n < a.nodes.size(); ++n) {
    if (const std::string field = difference(a.nodes[n], b.nodes[n]); !field.empty()) {
      return a.nodes[n].facts->name + ": " + field;
    }
  }
  for (std::size_t i = 0; i < a.instances.size(); ++i) {
    if (const std::string field = difference(a.instances[i], b.instances[i]); !field.empty()) {
      return a.instances[i].facts->name + ": " + field;
    }
  }
  return "";
}

}  // namespace htools::testing
