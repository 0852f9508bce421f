#include "records/request_text.h"

#include <doctest/doctest.h>

#include <string>

namespace htools::request_text_test {

namespace {

AllocationRequest new_instance() {
  AllocationRequest request;
  Instance& instance = request.instance;
  instance.facts.edit().name = instance.facts.edit().alias = "new";
  instance.facts.edit().memory = 1024;
  instance.facts.edit().disk = 10240;
  instance.facts.edit().disks = {{10240, std::nullopt}};
  instance.facts.edit().vcpus = 1;
  instance.facts.edit().disk_template = DiskTemplate::Drbd;
  instance.facts.edit().movable = true;
  request.required_nodes = 2;
  return request;
}

const std::string kNewInstance =
    "Instance {name = \"new\", alias = \"new\", mem = 1024, dsk = 10240, disks = [Disk {dskSize = 10240, dskSpindles = "
    "Nothing}], vcpus = 1, runSt = Running, pNode = 0, sNode = 0, idx = -1, util = DynUtil {cpuWeight = 1.0, memWeight "
    "= 1.0, dskWeight = 1.0, netWeight = 1.0}, movable = True, autoBalance = True, diskTemplate = DTDrbd8, spindleUse "
    "= 1, allTags = [], exclTags = [], dsrdLocTags = fromList [], locationScore = 0, arPolicy = ArNotEnabled, nics = "
    "[], forthcoming = False}";

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("requests about instances that exist, by positions") {
  const InstanceIndex first(0), third(2);
  CHECK(format_request(SecondaryRequest{third}) == "AllocateSecondary 2");
  CHECK(format_request(RelocationRequest{first, 1, {NodeIndex(1), NodeIndex(2)}}) == "Relocate 0 1 [1,2]");
  CHECK(format_request(RelocationRequest{first, -2, {}}) == "Relocate 0 (-2) []");
  CHECK(format_request(EvacuationRequest{{first}, EvacuationMode::All}) == "NodeEvacuate [0] ChangeAll");
  CHECK(format_request(EvacuationRequest{{third, first}, EvacuationMode::PrimaryOnly}) ==
        "NodeEvacuate [2,0] ChangePrimary");
  CHECK(format_request(EvacuationRequest{{}, EvacuationMode::SecondaryOnly}) == "NodeEvacuate [] ChangeSecondary");
  CHECK(format_request(GroupChangeRequest{{first, third}, {GroupIndex(1), GroupIndex(0)}}) ==
        "ChangeGroup [0,2] [1,0]");
}

TEST_CASE("requests for new instances, with all that was asked for") {
  AllocationRequest request = new_instance();
  CHECK(format_request(request) == "Allocate (" + kNewInstance + ") (AllocDetails 2 Nothing) Nothing");
  request.group = "A";
  request.allowed_nodes = {"n1", "n2"};
  request.required_nodes = -1;
  CHECK(format_request(request) ==
        "Allocate (" + kNewInstance + ") (AllocDetails (-1) (Just \"A\")) (Just [\"n1\",\"n2\"])");
  request.required_nodes = 1;
  CHECK(format_request(MultiAllocationRequest{{request, request}}) ==
        "MultiAllocate [(" + kNewInstance + ",AllocDetails 1 (Just \"A\")),(" + kNewInstance +
            ",AllocDetails 1 (Just \"A\"))]");
  CHECK(format_request(MultiAllocationRequest{}) == "MultiAllocate []");
}

TEST_CASE("the details of a new instance") {
  AllocationRequest request = new_instance();
  Instance& instance = request.instance;
  instance.facts.edit().memory = -5;
  instance.facts.edit().disks = {{-3, -4}, {1, 2}};
  instance.facts.edit().status = InstanceStatus::AdminDown;
  instance.facts.edit().disk_template = DiskTemplate::Plain;
  instance.facts.edit().movable = false;
  instance.facts.edit().tags = {"l:b", "l:a"};
  instance.facts.edit().set_exclusion_tags({"l:b"});
  instance.facts.edit().desired_location_tags = TagSet({"l:b", "l:a"});
  instance.facts.edit().forthcoming = true;
  instance.facts.edit().nics = {{"m", "i", NicMode::Routed, "l\n\xC3\xA9", "b", std::nullopt}, {}};
  const std::string text = format_request(request);
  CHECK(contains(text, "mem = -5, "));
  CHECK(contains(text,
                 "disks = [Disk {dskSize = -3, dskSpindles = Just (-4)},Disk {dskSize = 1, dskSpindles = Just 2}]"));
  CHECK(contains(text, "runSt = StatusDown, "));
  CHECK(contains(text, "movable = False, autoBalance = True, diskTemplate = DTPlain, "));
  CHECK(contains(text, R"(allTags = ["l:b","l:a"], exclTags = ["l:b"], dsrdLocTags = fromList ["l:a","l:b"], )"));
  CHECK(contains(text, R"(nics = [Nic {mac = Just "m", ip = Just "i", mode = Just Routed, link = Just "l\n\233", )"
                       R"(bridge = Just "b", network = Nothing},Nic {mac = Nothing, ip = Nothing, mode = Nothing, )"
                       R"(link = Nothing, bridge = Nothing, network = Nothing}], forthcoming = True})"));
  instance.facts.edit().status = InstanceStatus::AdminOffline;
  CHECK(contains(format_request(request), "runSt = StatusOffline, "));
}

}  // namespace htools::request_text_test
