// Builds opcodes, the pieces of work that Ganeti's job queue accepts, as Ganeti's documentation defines them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/json_writer.h"

namespace htools {

// The time that an instance gets to shut down, in seconds. It is Ganeti's own default, which is always written out.
inline constexpr std::int64_t kShutdownTimeout = 120;

// An opcode, which is one piece of work of a job.
struct Opcode {
  std::string_view id;     // the OP_ID, for example "OP_INSTANCE_MIGRATE"
  JsonMembers parameters;  // the parameters specific to this opcode; those without a value are left out
  // The opcode with all parameters as text, for lists of jobs that are not submitted. It may be empty if the job never
  // appears in such a list.
  std::string record;
};

// A job. Ganeti carries out its opcodes one after the other.
using Job = std::vector<Opcode>;

// The parameters that all opcodes of a run have in common.
struct OpcodeContext {
  std::int64_t priority = 0;  // from -20 to 19; lower values run earlier
  std::string comment;
  std::string reason_source;     // the program that submits the job
  std::string reason;            // the text for the job's reason trail
  std::int64_t reason_time = 0;  // nanoseconds since 1970
};

// Returns a live migration, or a failover if the instance does not run, to the secondary or to a target node.
Opcode migrate_instance(const std::string& instance, const std::optional<std::string>& target);
// Returns a failover to the secondary or to a target node, which becomes the primary. The old primary may be lost.
Opcode fail_over_instance(const std::string& instance, const std::optional<std::string>& target);
// Returns a move of a stopped instance with its local disks to the target node; Ganeti stops and starts it if it runs.
Opcode move_instance(const std::string& instance, const std::string& target);
Opcode replace_secondary(const std::string& instance, const std::string& new_secondary);
// Returns an opcode that makes new, empty disks on one or two nodes, the primary first, which the instance has from
// then on. Its old primary node must be offline, or the instance stopped.
Opcode recreate_disks(const std::string& instance, const std::vector<std::string>& nodes);
Opcode tag_node(const std::string& node, const std::string& tag);
Opcode set_node_offline(const std::string& node, bool offline);
// Returns an opcode that switches the power of the nodes out of band, with the program that the cluster has configured
// for it. `nodes` must not be empty: Ganeti takes an empty list as all nodes.
Opcode switch_power(const std::vector<std::string>& nodes, bool on);

// Returns the opcode as a JSON object, with the parameters of the context first.
JsonText opcode_text(const Opcode& opcode, const OpcodeContext& context);
// Returns the job as a JSON array of its opcodes.
JsonText job_text(const Job& job, const OpcodeContext& context);

}  // namespace htools
