// The kinds of changes. Each function makes one on the workspace and says what became of it; `value` is the text behind
// the change's name. All throw InputError if the value cannot be understood, names what is not there, or contradicts
// the state.
#pragma once

#include <string>

#include "whatif/whatif.h"
#include "whatif/workspace.h"

namespace htools {

ChangeOutcome add_nodes(Workspace& workspace, const std::string& value);
ChangeOutcome remove_nodes(Workspace& workspace, const std::string& value);
ChangeOutcome set_offline(Workspace& workspace, const std::string& value);
ChangeOutcome set_online(Workspace& workspace, const std::string& value);
ChangeOutcome set_maintenance(Workspace& workspace, const std::string& value);
ChangeOutcome set_cordoned(Workspace& workspace, const std::string& value);
ChangeOutcome add_instances(Workspace& workspace, const std::string& value);
ChangeOutcome remove_instances(Workspace& workspace, const std::string& value);
ChangeOutcome grow(Workspace& workspace, const std::string& value);
ChangeOutcome inflate(Workspace& workspace, const std::string& value);
ChangeOutcome move_instance(Workspace& workspace, const std::string& value);  // leaves settling to the caller
ChangeOutcome apply_plan(Workspace& workspace, const std::string& value);
ChangeOutcome tag_node(Workspace& workspace, const std::string& value);
ChangeOutcome tag_instance(Workspace& workspace, const std::string& value);
ChangeOutcome tag_cluster(Workspace& workspace, const std::string& value);
ChangeOutcome set_state(Workspace& workspace, const std::string& value);
ChangeOutcome add_rule(Workspace& workspace, const std::string& value);
ChangeOutcome remove_rule(Workspace& workspace, const std::string& value);
ChangeOutcome set_policy(Workspace& workspace, const std::string& value);

// Throw InputError if a value cannot be understood, whatever the cluster. (Lists of names need no such check.)
void check_new_nodes(const std::string& value);
void check_new_instances(const std::string& value);
void check_growth(const std::string& value);
void check_factors(const std::string& value);
void check_move(const std::string& value);
void check_node_tag(const std::string& value);
void check_instance_tag(const std::string& value);
void check_cluster_tag(const std::string& value);
void check_state(const std::string& value);
void check_rule(const std::string& value);
void check_policy(const std::string& value);

}  // namespace htools
