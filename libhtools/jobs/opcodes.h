// What Ganeti's job queue can be asked to do: opcodes, as its documents write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/json_writer.h"

namespace htools {

// Seconds that an instance gets to shut down: Ganeti's own default, which is always written out.
inline constexpr std::int64_t kShutdownTimeout = 120;

// A piece of work of a job.
struct Opcode {
  std::string_view id;     // "OP_INSTANCE_MIGRATE"
  JsonMembers parameters;  // its own ones; those without a value are left out
  std::string record;      // all of them, as lists of jobs that were not submitted show them; may be empty for others
};

// A job's opcodes are carried out one after the other.
using Job = std::vector<Opcode>;

// What all opcodes of a run have in common.
struct OpcodeContext {
  std::int64_t priority = 0;  // lower is earlier, -20 to 19
  std::string comment;
  std::string reason_source;     // the program that gives the reason
  std::string reason;            // for the job's reason trail
  std::int64_t reason_time = 0;  // nanoseconds since 1970
};

// A live migration, or a failover if the instance does not run: to the secondary, or to a target node.
Opcode migrate_instance(const std::string& instance, const std::optional<std::string>& target);
// To the secondary, or to a target node, which becomes the primary while the old one may be lost.
Opcode fail_over_instance(const std::string& instance, const std::optional<std::string>& target);
Opcode replace_secondary(const std::string& instance, const std::string& new_secondary);
Opcode tag_node(const std::string& node, const std::string& tag);
Opcode set_node_offline(const std::string& node, bool offline);
// Out of band, by the program that the cluster has for it. Ganeti takes no nodes as all nodes.
Opcode switch_power(const std::vector<std::string>& nodes, bool on);

JsonText opcode_text(const Opcode& opcode, const OpcodeContext& context);
// An array of opcodes.
JsonText job_text(const Job& job, const OpcodeContext& context);

}  // namespace htools
