"""The features a random cluster can have, and how often.

A cluster is described first by the set of its features, then filled with
numbers.  Features make clusters searchable (`--only exclusive_storage`) and
keep simple clusters frequent: a per-seed wildness factor scales all
probabilities, so some seeds have hardly any feature and others many.  A tool
can have other probabilities and further features.
"""

# name -> probability at wildness 1.  Order matters: it fixes what a seed means.
CLUSTER_FEATURES = {
    # source and size
    "simulated": 0.06,            # --simulate instead of a file
    "large": 0.03,                # 13-30 nodes; skipped unless asked for
    "no_nodes": 0.01,
    "malformed": 0.02,            # one broken line
    # groups and policies
    "several_groups": 0.40,
    "allocation_policies": 0.30,  # not all groups 'preferred'
    "empty_group": 0.05,
    "no_policy_section": 0.03,
    "no_cluster_policy": 0.05,
    "no_group_policy": 0.08,
    "group_policy_differs": 0.30,
    "several_pairs": 0.30,        # 2-4 min/max pairs
    "odd_pairs": 0.04,            # maximum below minimum
    "no_pairs": 0.025,
    "no_templates": 0.012,
    "repeated_policy": 0.03,      # two lines for one owner
    "small_ratios": 0.20,
    "spindle_limit": 0.25,        # spindle ratio that is reached
    "cpu_limit": 0.35,            # few physical cpus
    "disk_count": 0.05,           # minimum disk count above 1
    "big_specs": 0.06,            # large disks and memory, slow shrinking
    "zero_minimum": 0.10,
    # nodes
    "two_kinds": 0.35,
    "all_different": 0.20,
    "odd_numbers": 0.30,
    "fractions": 0.12,
    "node_memory": 0.40,
    "node_cpus": 0.40,
    "speeds": 0.25,
    "offline_nodes": 0.22,
    "unknown_nodes": 0.06,        # '?' instead of numbers
    "exclusive_storage": 0.20,
    "mixed_storage": 0.40,        # only some nodes exclusive
    "free_spindles": 0.15,        # stored free spindles on other nodes
    "missing_memory": 0.15,
    "excess_memory": 0.08,        # reports more free than it can have
    "missing_disk": 0.08,
    "no_free_disk": 0.04,
    "negative_free": 0.03,
    "zero_spindles": 0.04,
    "zero_cpus": 0.03,
    "zero_memory": 0.02,
    "short_lines": 0.20,          # optional fields left out
    # names and tags
    "domain": 0.25,
    "unicode_names": 0.02,
    "equal_node_names": 0.02,
    "equal_instance_names": 0.03,
    "location_tags": 0.20,
    "exclusion_tags": 0.20,
    "desired_location": 0.15,
    "migration_tags": 0.15,
    "stray_tags": 0.15,
    # instances
    "instances": 0.75,
    "crowded": 0.10,              # little room left
    "overcommitted": 0.06,        # no room checks at all
    "n1_violation": 0.10,         # no reserve for secondaries
    "statuses": 0.35,
    "not_balanced": 0.25,
    "negative_memory": 0.02,
    "foreign_templates": 0.08,    # templates outside the policy
    "foreign_sizes": 0.06,        # sizes outside the policy
    "useless_secondary": 0.08,    # a secondary on other templates than drbd
    "same_secondary": 0.02,       # ... equal to the primary
    "forthcoming": 0.08,
    "split_drbd": 0.03,           # nodes in two groups
    "drbd_without_secondary": 0.02,
}

# What the tools that only look at a cluster have in common.
_READ_ONLY = {
    "simulated": 0,               # they do not know --simulate
    "large": 0.03,                # 13-30 nodes; skipped unless asked for
    "several_pairs": 0.15,
    "big_specs": 0.03,
    "no_free_disk": 0.03,
    "empty_group": 0.08,
    "instances": 0.95,
    "split_drbd": 0.07,
    "drbd_without_secondary": 0.04,
    "equal_instances": 0.15,
    "kvm": 0.10,                  # known from documents only
    "drained_nodes": 0.10,
    "rounded_numbers": 0.10,
    "optional_values": 0.40,
}

# What differs for a tool.
TOOL_FEATURES = {
    "hspace": {},
    "hbal": {
        "simulated": 0,           # such a cluster has no instances
        "large": 0.05,            # 15-30 nodes; skipped unless asked for
        "several_groups": 0.20,
        "big_specs": 0.03,
        "several_pairs": 0.10,
        "no_free_disk": 0.03,
        "instances": 0.98,
        "forthcoming": 0.15,
        "split_drbd": 0.04,
        "many_instances": 0.60,   # several per node
        "unbalanced": 0.70,       # most instances on few nodes
        "roomy": 0.50,            # each node could carry most of them
        "equal_instances": 0.20,  # nearly all of one size
        "replicated": 0.45,       # nearly all drbd
        "shared_storage": 0.20,   # nearly all on storage that all nodes see
        "all_offline": 0.015,
        "zero_disk": 0.02,
        "unsafe_names": 0.02,     # names that a shell would take apart
    },
    "hail": {
        # what the JSON form does not have
        "simulated": 0,
        "malformed": 0,
        "no_policy_section": 0,
        "no_cluster_policy": 0,
        "no_group_policy": 0,
        "repeated_policy": 0,
        "unknown_nodes": 0,
        "short_lines": 0,
        "speeds": 0,
        "not_balanced": 0,
        # what leaves few requests to succeed
        "odd_pairs": 0.02,
        "no_templates": 0.005,
        "big_specs": 0.03,
        "zero_memory": 0.01,
        "no_free_disk": 0.02,
        "foreign_templates": 0.05,
        "foreign_sizes": 0.03,
        "overcommitted": 0.03,
        "split_drbd": 0.06,
        "drbd_without_secondary": 0.01,
        "small_ratios": 0.08,
        "spindle_limit": 0.12,
        "cpu_limit": 0.15,
        "migration_tags": 0.10,
        "not_vm_capable": 0.06,
        "several_groups": 0.55,
        "even_groups": 0.80,      # about as many nodes in each
        "empty_group": 0.10,
        "exclusive_storage": 0.15,
        "mixed_storage": 0.12,
        "disk_count": 0.03,
        "instances": 0.93,
        "ample": 0.60,            # much room on each node
        "one_escape": 0.20,       # one node has room for another's content
        "narrow": 0.10,           # little more than an instance fits on a node
        "dedicated": 0.15,        # exclusive storage and matching sizes
        "one_group_exclusive": 0.25,
        "equal_instances": 0.15,
        "replicated": 0.35,       # nearly all drbd
        "shared_storage": 0.15,   # nearly all on storage that all nodes see
        "unsafe_names": 0.02,
        "escaped_names": 0.06,    # of groups and new instances
        "drained_nodes": 0.12,
        "networks": 0.35,
        "kvm": 0.15,
        "rounded_numbers": 0.10,
        "optional_values": 0.40,  # null, absent and meaningless keys
    },
    "hinfo": _READ_ONLY | {
        "many_instances": 0.40,
        "unbalanced": 0.40,
        "all_offline": 0.02,
        "n1_violation": 0.25,
        "overcommitted": 0.12,
    },
    "hcheck": _READ_ONLY | {
        "several_groups": 0.35,
        "many_instances": 0.40,
        "unbalanced": 0.45,
        "roomy": 0.55,
        "replicated": 0.45,
        "shared_storage": 0.20,
        "all_offline": 0.015,
        "exclusion_tags": 0.30,
        "offline_nodes": 0.18,
        "crowded": 0.05,
    },
    "hroller": _READ_ONLY | {
        "ample": 0.55,
        "narrow": 0.10,
        "replicated": 0.50,
        "shared_storage": 0.15,
        "even_groups": 0.40,
        "several_groups": 0.35,
        "useless_secondary": 0.12,
        "two_sides": 0.25,        # drbd between nodes of even and odd number
        "role_tags": 0.50,        # red, blue
        "late_master": 0.50,      # not the first node
        "no_master": 0.05,
        "several_masters": 0.07,
    },
    "hscan": _READ_ONLY | {
        # what documents of the remote API do not have
        "malformed": 0,
        "no_policy_section": 0,
        "no_cluster_policy": 0,
        "no_group_policy": 0,
        "repeated_policy": 0,
        "unknown_nodes": 0,
        "short_lines": 0,
        "speeds": 0,
        "not_vm_capable": 0.10,
        "many_instances": 0.30,
        "unbalanced": 0.30,
        "all_offline": 0.02,
        "n1_violation": 0.20,
        "overcommitted": 0.10,
        "kvm": 0.30,
        "escaped_names": 0.04,    # of groups
        "unnamed_group": 0.15,    # nodes do not say that they are in it
        "other_memory": 0.40,     # of instances, than their parameters say
        "no_master": 0.03,
        "several_masters": 0.03,
        "late_master": 0.30,
        "unsafe_names": 0.02,
    },
    "hsqueeze": _READ_ONLY | {
        "several_groups": 0.25,
        "unbalanced": 0.50,
        "shared_storage": 0.65,
        "local_corner": 0.60,     # local storage on the first nodes only
        "standby_nodes": 0.45,    # offline and tagged so, mostly empty
        "split_drbd": 0.03,
        "no_cluster_policy": 0.03,
        "no_policy_section": 0.02,
        "unknown_nodes": 0.03,
        "zero_memory": 0.01,
        "zero_cpus": 0.01,
        "late_master": 0.30,
        "no_master": 0.05,
        "several_masters": 0.05,
        "unsafe_names": 0.02,
    },
}

# Not scaled with the wildness: what decides about size and kind of the case.
UNSCALED = frozenset({"simulated", "large", "instances", "many_instances",
                      "unbalanced", "roomy", "replicated", "shared_storage",
                      "ample", "narrow", "one_escape", "dedicated",
                      "even_groups", "local_corner", "standby_nodes",
                      "two_sides"})

# Features whose clusters are only run when named with --only.
ON_REQUEST = frozenset({"large"})


def cluster_features(tool):
    """The features of a tool's clusters with their probabilities."""
    return CLUSTER_FEATURES | TOOL_FEATURES[tool]


def draw(rng, tool):
    """Return the features of one cluster."""
    wildness = rng.choice((0.25, 0.6, 1.0, 1.0, 1.8))
    chosen = set()
    for name, probability in cluster_features(tool).items():
        scale = 1.0 if name in UNSCALED else wildness
        if rng.random() < min(0.95, probability * scale):
            chosen.add(name)
    return frozenset(chosen)


class Dice:
    """The random generator together with the features it drew."""

    def __init__(self, rng, features):
        self.rng = rng
        self.features = features

    def has(self, feature, probability=1.0):
        """True if the cluster has the feature and the dice agree."""
        return feature in self.features and self.rng.random() < probability
