#include "jobs/opcodes.h"

#include <doctest/doctest.h>

namespace htools::opcodes_test {

TEST_CASE("an opcode is written with what all of a run share") {
  const OpcodeContext context{-10, "rebalancing", "hbal", "be\"cause", 1700000000123456000};
  CHECK(opcode_text(replace_secondary("i1", "n2"), context).text() ==
        R"({"priority":-10,"depends":null,"comment":"rebalancing","reason":[["hbal","be\"cause",1700000000123456000]],)"
        R"("OP_ID":"OP_INSTANCE_REPLACE_DISKS","instance_name":"i1","early_release":false,"ignore_ipolicy":false,)"
        R"("mode":"replace_new_secondary","disks":[],"remote_node":"n2"})");
  CHECK(opcode_text(recreate_disks("i1", {"n2", "n3"}), context)
            .text()
            .ends_with(R"("OP_ID":"OP_INSTANCE_RECREATE_DISKS","instance_name":"i1","disks":[],"nodes":["n2","n3"]})"));
  CHECK(job_text({}, context).text() == "[]");
}

TEST_CASE("a target is written if there is one") {
  const auto has_target = [](const Opcode& opcode) {
    return opcode_text(opcode, {}).text().find("target_node") != std::string::npos;
  };
  CHECK_FALSE(has_target(migrate_instance("i1", {})));
  CHECK(has_target(migrate_instance("i1", "n2")));
  CHECK_FALSE(has_target(fail_over_instance("i1", {})));
  CHECK(has_target(fail_over_instance("i1", "n2")));
}

TEST_CASE("records show parameters without value, too") {
  CHECK(migrate_instance("i\"1", {}).record.find(R"(opInstanceName = "i\"1", opInstanceUuid = Nothing)") !=
        std::string::npos);
  CHECK(migrate_instance("i1", "n2").record.find(R"(opTargetNode = Just (NonEmpty {fromNonEmpty = "n2"}))") !=
        std::string::npos);
  CHECK(tag_node("n1", "t").record ==
        R"(OpTagsSet {opKind = TagKindNode, opTagsList = ["t"], opTagsGetName = Just "n1"})");
}

}  // namespace htools::opcodes_test
