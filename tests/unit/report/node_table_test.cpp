#include "report/node_table.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/strings.h"
#include "cluster/prepare.h"
#include "htools/score.h"

namespace htools::node_table_test {

namespace {

Node node(std::string name, std::int64_t free_memory) {
  Node n;
  n.facts.edit().name = std::move(name);
  n.facts.edit().group = GroupIndex(0);
  n.facts.edit().total_memory = 4096;
  n.facts.edit().node_memory = 1024;
  n.facts.edit().free_memory = free_memory;
  n.facts.edit().total_disk = 102400;
  n.facts.edit().free_disk = 51200;
  n.facts.edit().total_cpus = 4;
  return n;
}

Instance instance(std::string name, NodeIndex primary, NodeIndex secondary, std::string tag) {
  Instance i;
  i.facts.edit().name = std::move(name);
  i.facts.edit().memory = 512;
  i.facts.edit().disk = 1024;
  i.facts.edit().disks = {Disk{1024, std::nullopt}};
  i.facts.edit().vcpus = 1;
  i.primary = primary;
  i.secondary = secondary;
  i.facts.edit().disk_template = secondary.is_none() ? DiskTemplate::Plain : DiskTemplate::Drbd;
  i.facts.edit().tags = {std::move(tag)};
  return i;
}

// Returns three nodes, of which the last is offline, and four instances with exclusion tags.
Cluster small_cluster() {
  Cluster c;
  c.groups.push_back(Group{});
  c.groups[0].name = "default";
  c.tags = {"htools:iextags:foo"};
  const NodeIndex n1(0), n2(1);
  c.nodes = {node("n1.x.org", 3072), node("n2.x.org", 2048), node("n3.x.org", 2000)};
  c.nodes[2].offline = true;
  c.instances = {instance("i1.x.org", n1, n2, "foo:a"), instance("i2.x.org", n2, n1, "foo:a"),
                 instance("i3.x.org", n1, n2, "foo:b"), instance("i4.x.org", n1, NodeIndex::none(), "foo:b")};
  prepare(c, {});
  return c;
}

std::vector<std::string> all_field_names() {
  std::vector<std::string> names;
  for (const NodeField& field : kNodeFields) names.emplace_back(field.name);
  return names;
}

}  // namespace

TEST_CASE("a list of node fields replaces the default one or adds to it") {
  const std::vector<std::string> usual = parse_node_fields("");
  CHECK(join(usual, " ") ==
        "status name tmem nmem imem xmem fmem umem rmem tdsk fdsk tcpu ucpu pcnt scnt pfmem pfdsk rcpu cload mload "
        "dload nload");
  CHECK(parse_node_fields("name,idx,name") == std::vector<std::string>{"name", "idx", "name"});
  CHECK(parse_node_fields("name,") == std::vector<std::string>{"name", ""});
  CHECK(parse_node_fields("+") == usual);
  std::vector<std::string> more = usual;
  more.insert(more.end(), {"idx", "peermap"});
  CHECK(parse_node_fields("+idx,peermap") == more);
}

TEST_CASE("names of node fields are unique, and the default ones exist") {
  std::vector<std::string> names = all_field_names();
  for (const std::string& name : parse_node_fields("")) {
    CHECK(std::find(names.begin(), names.end(), name) != names.end());
  }
  std::sort(names.begin(), names.end());
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
}

TEST_CASE("all fields of the node table") {
  const Cluster c = small_cluster();
  CHECK(format_node_table(c, parse_node_fields("idx,name,fqdn,status,tmem,nmem,imem,xmem,fmem,umem,rmem,amem")) ==
        " Index Name Name     F t_mem n_mem i_mem x_mem f_mem u_mem r_mem a_mem\n"
        "     0 n1   n1.x.org    4096  1024  1536 -1536  3072  1536   512  1024\n"
        "     1 n2   n2.x.org    4096  1024   512   512  2048  2048  1024  1024\n"
        "     2 n3   n3.x.org -  4096  1024     0  1072  2000  2000     0  2000\n");
  CHECK(format_node_table(c, parse_node_fields("tdsk,fdsk,tcpu,ucpu,pcnt,scnt,plist,slist,pfmem,pfdsk,rcpu,cload")) ==
        " t_dsk f_dsk pcpu vcpu pcnt scnt primaries secondaries p_fmem p_fdsk r_cpu  lCpu\n"
        "   100    50    4    4    3    1   [3,2,0]         [1] 0.3750 0.5000  1.00 3.000\n"
        "   100    50    4    2    1    2       [1]       [2,0] 0.5000 0.5000  0.50 1.000\n"
        "   100    50    4    1    0    0        []          [] 0.4883 0.5000  0.25 0.000\n");
  CHECK(format_node_table(
            c, parse_node_fields("mload,dload,nload,ptags,peermap,spindle_count,hi_spindles,inst_spindles")) ==
        "  lMem  lDsk  lNet PrimaryTags     PeerMap    NodeSpindles MaxSpindles InstSpindles\n"
        " 3.000 4.000 3.000 foo:a=1,foo:b=2 [(1,512)]             1        32.0          4.0\n"
        " 1.000 3.000 1.000 foo:a=1         [(0,1024)]            1        32.0          3.0\n"
        " 0.000 0.000 0.000                 []                    1        32.0          0.0\n");
}

TEST_CASE("unknown fields are columns that say so") {
  Cluster c = small_cluster();
  c.nodes.resize(1);
  CHECK(format_node_table(c, {"idx", "bogus", "", " name"}) ==
        " Index <unknown field> <unknown field> <unknown field>\n"
        "     0 <unknown field> <unknown field> <unknown field>\n");
}

TEST_CASE("fields with nearly the name of one are told, a few of them") {
  CHECK(misspelt_fields_text({"nmae", "name", "xyz", "TMEM"}) ==
        "Unknown node field 'nmae'. Did you mean name?\nUnknown node field 'TMEM'. Did you mean tmem?\n");
  CHECK(misspelt_fields_text({"name", "status", ""}).empty());
  CHECK(split(misspelt_fields_text(std::vector<std::string>(100000, "nmae")), '\n').size() == 4);
}

TEST_CASE("a node that fails N+1 has a star, unless it is offline") {
  Cluster c = small_cluster();
  for (Node& n : c.nodes) n.books.n1_failed = true;
  CHECK(format_node_table(c, {"status"}) == " F\n *\n *\n -\n");
}

TEST_CASE("nodes of a simulated cluster count from 1, in their own column and in others'") {
  Cluster c = small_cluster();
  c.first_number = 1;
  CHECK(format_node_table(c, {"idx", "plist", "peermap"}) ==
        " Index primaries PeerMap   \n"
        "     1   [3,2,0] [(2,512)] \n"
        "     2       [1] [(1,1024)]\n"
        "     3        [] []        \n");
}

TEST_CASE("a table of some nodes keeps the cluster's indices") {
  const Cluster c = small_cluster();
  const std::vector<NodeIndex> nodes{NodeIndex(2), NodeIndex(1)};
  CHECK(format_node_table(c, nodes, {"idx", "name", "peermap"}) ==
        " Index Name PeerMap   \n"
        "     2 n3   []        \n"
        "     1 n2   [(0,1024)]\n");
}

TEST_CASE("disk is rounded down to GiB") {
  Cluster c = small_cluster();
  c.nodes.resize(1);
  c.nodes[0].books.real.free_disk = -1;
  CHECK(format_node_table(c, {"fdsk"}) == " f_dsk\n    -1\n");
}

TEST_CASE("an empty cluster has a table of one line") {
  CHECK(format_node_table(Cluster{}, {"idx", "name"}) == " Index Name\n");
}

TEST_CASE("the table of coefficients") {
  const Cluster c = small_cluster();
  const std::vector<std::string> lines = split(to_text(score_of(c)), '\n');
  REQUIRE(lines.size() == kComponentCount + 2);
  CHECK(lines[0] == "   Field                         Value Weight");
  CHECK(lines[1] == "   free_mem_cv              0.06250000  x0.50");
  CHECK(lines[6] == "   offline_pri_cnt          0.00000000 x16.00");
  CHECK(lines[12] == "   pri_tags_score           1.00000000  x2.00");
  CHECK(lines[20] == "   reserved_mem_rtotal      0.37500000  x0.25");
  CHECK(lines[21] == "");
}

}  // namespace htools::node_table_test
