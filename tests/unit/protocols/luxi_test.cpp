#include "protocols/luxi.h"

#include <doctest/doctest.h>

#include <string>

#include "cluster/prepare.h"
#include "formats/text_writer.h"
#include "htools/errors.h"
#include "protocols/luxi_reply.h"

namespace htools::luxi_test {

namespace {

using htools::Cluster;
using htools::InputError;
using htools::JsonKind;
using htools::LuxiAnswers;
using htools::LuxiReply;
using htools::PrepareOptions;

// Returns a row with these values, all of which are known.
std::string cells(const std::string& values) {
  std::string row = "[";
  std::string value;
  int depth = 0;
  for (const char c : values + ",") {
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (c == ',' && depth == 0) {
      row += (row.size() > 1 ? ",[0," : "[0,") + value + "]";
      value.clear();
    } else {
      value += c;
    }
  }
  return row + "]";
}

std::string succeeded(const std::string& result) { return R"({"success":true,"result":)" + result + "}"; }

std::string table(const std::string& rows) { return succeeded(R"({"fields":[],"data":[)" + rows + "]}"); }

constexpr const char* kPolicy =
    R"({"std":{"memory-size":1,"cpu-count":1,"disk-size":1,"disk-count":1,"nic-count":1,"spindle-use":1},)"
    R"("minmax":[],"disk-templates":["ext"],"vcpu-ratio":1.5,"spindle-ratio":1})";

const std::string kNode1 =
    R"([[0,"n1"],[0,65536],[0,1024],[0,60000],[2,null],[2,null],[0,8],[0,1],[0,false],[0,false],[0,true],[0,3],)"
    R"([0,"ug1"],[0,["nt"]],[0,false],[0,7],[0,2],[0,1.5]])";
// An offline node, for which no measured values are known.
const std::string kNode2 =
    R"([[0,"n2"],[4,null],[4,null],[4,null],[4,null],[4,null],[4,null],[4,null],[0,true],[0,false],[0,true],[0,3],)"
    R"([0,"ug1"],[0,[]],[0,true],[4,null],[4,null],[0,1]])";

struct Texts {
  LuxiAnswers answers{
      table(cells(std::string(R"("ug1","A","last_resort",)") + kPolicy + ",[]")), table(kNode1 + "," + kNode2),
      table(cells(R"(["i","a"],100,12,1,"running","n1",["n2","zz"],[],false,"drbd",2,[10,20],[1,2,9],false)") + "," +
            cells(R"("ib",200,640,1,"USER_down","n2",[],["t"],true,"diskless",1,[10,20],[1,null],true)")),
      succeeded(std::string(R"({"name":"c","master":"n1","tags":["c1"],"default_hypervisor":"kvm","ipolicy":)") +
                kPolicy + "}")};
};

std::string saved(const LuxiAnswers& answers, std::int64_t static_memory) {
  Cluster cluster = htools::read_luxi_cluster(answers);
  PrepareOptions options;
  options.static_kvm_node_memory = static_memory;
  htools::prepare(cluster, options);
  return htools::write_text_cluster(cluster);
}

std::string failure_of(const LuxiAnswers& answers) {
  try {
    htools::read_luxi_cluster(answers);
  } catch (const InputError& error) {
    return error.what();
  }
  return "(no error)";
}

std::string reply_failure(const std::string& text) {
  try {
    const LuxiReply reply(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "(no error)";
}

// Returns the text with the first `from` replaced. Requires that there is one.
std::string with(std::string text, const std::string& from, const std::string& to) {
  REQUIRE(text.find(from) != std::string::npos);
  return text.replace(text.find(from), from.size(), to);
}

std::string node_failure(const std::string& from, const std::string& to) {
  Texts texts;
  texts.answers.nodes = with(texts.answers.nodes, from, to);
  return failure_of(texts.answers);
}

std::string instance_failure(const std::string& from, const std::string& to) {
  Texts texts;
  texts.answers.instances = with(texts.answers.instances, from, to);
  return failure_of(texts.answers);
}

}  // namespace

TEST_CASE("the daemon may name the version of the cluster") {
  Texts texts;
  CHECK(htools::read_luxi_cluster(texts.answers).ganeti_version.empty());
  texts.answers.cluster_info = with(texts.answers.cluster_info, R"("name":"c")", R"("software_version":"3.0.2")");
  CHECK(htools::read_luxi_cluster(texts.answers).ganeti_version == "3.0.2");
}

TEST_CASE("the answers of the query daemon yield a cluster") {
  const std::string expected =
      "A|ug1|last_resort||\n"
      "\n"
      "n1|65536|1024|60000|0|0|8|M|ug1|3|nt|N|2|1|1.5\n"
      "n2|0|0|0|0|0|0|Y|ug1|0||Y|0|0|1.0\n"
      "\n"
      "ia|12|100|1|running|N|n1|n2|drbd||2|3|N\n"
      "ib|640|200|1|USER_down|Y|n2||diskless|t|1|-|Y\n"
      "\n"
      "c1\n"
      "\n"
      "|1,1,1,1,1,1||ext|1.5|1.0\n"
      "A|1,1,1,1,1,1||ext|1.5|1.0\n";
  CHECK(saved(Texts().answers, 0) == expected);
  CHECK(saved(Texts().answers, 4096) ==
        with(with(expected, "n1|65536|1024|", "n1|65536|4096|"), "n2|0|0|", "n2|0|4096|"));
  Texts xen;
  xen.answers.cluster_info = with(xen.answers.cluster_info, "\"kvm\"", "\"xen-pvm\"");
  CHECK(saved(xen.answers, 4096) == expected);
}

TEST_CASE("what a daemon cannot tell of a node") {
  const std::string owner = "Node 'n1', error while reading attribute ";
  CHECK(node_failure("[0,65536]", "[2,null]") == owner + "'mtotal': No data for a field");
  CHECK(node_failure("[0,1024]", "[1,null]") == owner + "'mnode': Unknown field");
  CHECK(node_failure("[0,60000]", "[3,null]") == owner + "'mfree': Ganeti reports unavailable data");
  CHECK(node_failure("[0,8]", "[4,null]") == owner + "'ctotal': Ganeti reports resource as offline");
  CHECK(node_failure("[0,8]", "[5,8]") ==
        owner + "'ctotal': Cannot convert value '5', error: Invalid string value for type ResultStatus: 5");
  CHECK(node_failure("[0,8]", "[-1,8]") ==
        owner + "'ctotal': Cannot convert value '-1', error: Invalid string value for type ResultStatus: -1");
  CHECK(node_failure("[0,8]", "[null,8]") ==
        owner +
            "'ctotal': Cannot convert value 'null', error: Can't parse value for 'ResultStatus': Unable to read Int");
  CHECK(node_failure("[0,\"n1\"]", "[2,null]") == "Parsing new node: No data for a field");
  CHECK(node_failure("[0,2]", "[5,2]") == "(no error)");  // free spindles are not needed
  CHECK(node_failure("[0,false],[0,7]", "[0,true],[2,7]") == owner + "'sptotal': No data for a field");
}

TEST_CASE("values of another type") {
  const std::string node = "Node 'n1', error while reading attribute ";
  CHECK(node_failure("[0,65536]", "[0,\"x\"]") ==
        node + "'mtotal': Cannot convert value '\"x\"', error: Unable to read Double");
  CHECK(node_failure("[0,3]", "[0,null]") ==
        node + "'spindles': Cannot convert value 'null', error: Unable to read Int");
  CHECK(node_failure("[0,1.5]", "[0,null]") ==
        node + "'cpu_speed': Cannot convert value 'null', error: Unable to read Double");
  CHECK(node_failure("[0,\"ug1\"]", "[0,\"A\"]") == "Unknown group 'A' for node n1");
  const std::string instance = "Instance 'ia', error while reading attribute ";
  CHECK(instance_failure("[0,12]", "[0,1e30]") ==
        instance +
            "'be/memory': Cannot convert value '1000000000000000000000000000000', error: number out of the 64-bit "
            "range: '1e30'");
  CHECK(instance_failure("[1,2,9]", "[1,\"x\"]") ==
        instance + "'disk.spindles': Cannot convert value '\"x\"', error: Unable to read Int");
  CHECK(instance_failure("[1,2,9]", "5") == instance + "'disk.spindles': Expecting array, got '5'");
  CHECK(instance_failure("[0,[1,2,9]]", "[2,[1,2,9]]") == "No data for a field");
  CHECK(instance_failure("[0,\"n1\"]", "[0,\"zz\"]") == "Unknown node 'zz' for instance ia");
}

TEST_CASE("tables of another form") {
  CHECK(node_failure("[0,8]", "[0,8,1]") == "Invalid query field, expected (status, value) but got [0, 8, 1]");
  CHECK(node_failure("[0,8],", "") == "Invalid node query result: 17 fields where 18 were asked for");
  CHECK(node_failure(kNode1, "{}") == "Invalid query row result, expected array but got {}");
  Texts texts;
  texts.answers.instances = succeeded("{\"data\":5}");
  CHECK(failure_of(texts.answers) == "Invalid query result, expected array but got 5");
  texts.answers.instances = succeeded("{}");
  CHECK(failure_of(texts.answers) == "key 'data' not found, object contains only []");
  texts.answers.groups = succeeded("[]");
  CHECK(failure_of(texts.answers) == "Invalid input, expected dict entry but got []");
}

TEST_CASE("the cluster's information") {
  Texts texts;
  texts.answers.cluster_info = with(texts.answers.cluster_info, "\"n1\"", "\"zz\"");
  CHECK(failure_of(texts.answers) == "Master node zz unknown");
  texts.answers.cluster_info = with(texts.answers.cluster_info, "\"tags\"", "\"no tags\"");
  CHECK(failure_of(texts.answers).starts_with("Parsing cluster info: key 'tags' not found, object contains only ["));
  texts.answers.cluster_info = succeeded("[]");
  CHECK(failure_of(texts.answers) == "Cannot parse cluster info, not a JSON record");
}

TEST_CASE("answers count in a fixed order") {
  const auto failed = [](const std::string& what) {
    return R"({"success":false,"result":["LuxiError",[")" + what + "\"]]}";
  };
  LuxiAnswers answers = Texts().answers;
  answers.cluster_info = failed("info");
  CHECK(failure_of(answers) == "Unhandled exception: LuxiError \"info\"");
  answers.instances = failed("instances");
  CHECK(failure_of(answers) == "Unhandled exception: LuxiError \"instances\"");
  answers.nodes = failed("nodes");
  CHECK(failure_of(answers) == "Unhandled exception: LuxiError \"nodes\"");
  answers.groups = failed("groups");
  CHECK(failure_of(answers) == "Unhandled exception: LuxiError \"groups\"");
}

TEST_CASE("a reply has a result") {
  const LuxiReply reply(R"({"version":5,"result":[1],"success":true})");
  CHECK(reply.result().kind() == JsonKind::Array);
}

TEST_CASE("replies of another form") {
  const std::string unhandled = "Unhandled Ganeti error: ";
  CHECK(reply_failure("") == unhandled + "Parsing LUXI response: Invalid JSON: a document begins with { or [");
  CHECK(reply_failure("[]") == unhandled + "Parsing LUXI response: Unable to read JSObject");
  CHECK(reply_failure("{}") == unhandled + "key 'success' not found, object contains only []");
  CHECK(reply_failure(R"({"success":false})") ==
        unhandled + "key 'result' not found, object contains only [\"success\"]");
  CHECK(reply_failure(R"({"success":0,"result":0})") == unhandled + "key 'success': Unable to read Bool");
  const std::string undecodable = unhandled + "Failed to decode UTF-8, detected replacement char after decoding";
  CHECK(reply_failure("{\"success\":true,\"result\":\"\xFF\"}") == undecodable);
  CHECK(reply_failure("{\"success\":true,\"result\":\"\xEF\xBF\xBD\"}") == undecodable);
}

TEST_CASE("exceptions of the daemon") {
  const auto told = [](const std::string& exception) {
    return reply_failure(R"({"success":false,"result":)" + exception + "}");
  };
  CHECK(told(R"(["GenericError",["foo bar"]])") == "Unhandled Ganeti error: foo bar");
  CHECK(told(R"(["OpPrereqError",["m","wrong_state"]])") ==
        "Failure: prerequisites not met for this operation:\nerror type: ECodeState, error details:\nm");
  CHECK(told(R"(["OpExecError",["m"]])") == "Failure: command execution error:\nm");
  CHECK(told(R"(["ConfigurationError",["m"]])") == "Corrupt configuration file: m\nAborting.");
  CHECK(told(R"(["JobLost",["m"]])") == "Error checking job status: m");
  CHECK(told(R"(["HooksAbort",[[["n","s",""]]]])") ==
        "Failure: hooks execution failed:\n  node: n, script: s (no output)\n");
  CHECK(told(R"(["ConfigVersionMismatch",[2,-1]])") == "Unhandled exception: ConfigVersionMismatch 2 (-1)");
  CHECK(told(R"(["StorageError",["m"]])") == "Unhandled exception: StorageError \"m\"");
  const std::string unhandled = "Unhandled Ganeti error: Cannot convert value '";
  CHECK(told(R"(["Zz",["m"]])") == unhandled + "[\"Zz\", [\"m\"]]', error: Unknown exception 'Zz'");
  CHECK(told(R"(["LockError",[5]])") == unhandled + "[\"LockError\", [5]]', error: Unable to read String");
  CHECK(told(R"(["LockError",[]])") == unhandled + "[\"LockError\", []]', error: expected one argument, got 0");
  CHECK(told(R"(["LockError"])") ==
        unhandled + "[\"LockError\"]', error: Invalid exception: expected '(string, [args])'");
}

}  // namespace htools::luxi_test
