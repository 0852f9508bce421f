#include "formats/monitoring.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/decimal.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "htools/errors.h"

namespace htools::monitoring_test {

namespace {

using htools::Cluster;
using htools::Collector;
using htools::Monitoring;
using htools::NodeReports;
using htools::PrepareOptions;
using htools::PrepareReport;

constexpr std::string_view kCpu = "cpu-avg-load";
constexpr std::string_view kXen = "xen-cpu-avg-load";

// Returns a report with its keys in the usual order. The member `key` has the given value; it is left out if the value
// is empty.
std::string report(std::string_view name, std::string_view data, std::string_view key = "",
                   std::string_view value = "") {
  const std::vector<std::pair<std::string_view, std::string>> members = {{"name", fmt::format("\"{}\"", name)},
                                                                         {"version", "\"B\""},
                                                                         {"format_version", "1"},
                                                                         {"timestamp", "1700000000000000000"},
                                                                         {"category", "null"},
                                                                         {"kind", "0"},
                                                                         {"data", std::string(data)}};
  std::string text;
  for (const auto& [k, v] : members) {
    if (k == key && value.empty()) continue;
    text += fmt::format("{}\"{}\":{}", text.empty() ? "" : ",", k, k == key ? value : std::string_view(v));
  }
  return "{" + text + "}";
}

std::string cpu_data(std::string_view total) {
  return fmt::format(R"({{"cpu_number":1,"cpus":[],"cpu_total":{}}})", total);
}
std::string cpu(std::string_view total) { return report(kCpu, cpu_data(total)); }
std::string xen(std::string_view loads) { return report(kXen, fmt::format("{{{}}}", loads)); }

std::string entry(std::string_view node, std::string_view reports) {
  return fmt::format(R"({{"node":"{}","reports":[{}]}})", node, reports);
}
std::string file(const std::vector<std::string>& entries) { return fmt::format("[{}]", fmt::join(entries, ",")); }

NodeReports reports_of(const std::string& reports) {
  return htools::read_monitoring(file({entry("n1", reports)})).at("n1");
}

template <class Action>
std::string problem_of(Action action) {
  try {
    action();
  } catch (const htools::InputError& error) {
    return error.what();
  }
  return "(no error)";
}

std::string failure_of(const std::string& text) {
  return problem_of([&] { htools::read_monitoring(text); });
}

// Returns the error for a report of which one key has another value.
std::string report_failure(std::string_view key, std::string_view value) {
  const std::string text = failure_of(file({entry("n1", report("x", "0", key, value))}));
  constexpr std::string_view kPrefix = "Parsing node's reports: key 'reports': ";
  return text.starts_with(kPrefix) ? text.substr(kPrefix.size()) : text;
}

struct Loaded {
  Cluster cluster;
  PrepareReport report;
};

Loaded load(const std::string& text, Collector collector, const std::string& monitoring, PrepareOptions options = {}) {
  Loaded result{htools::read_text_cluster(text, "x.data"), {}};
  options.monitoring = Monitoring{collector, htools::read_monitoring(monitoring)};
  result.report = htools::prepare(result.cluster, options);
  return result;
}

// Returns the cpu loads of the nodes and of the instances.
std::string cpu_loads(const Cluster& cluster) {
  std::string text;
  const auto add = [&](double load) { text += htools::format_fixed(load, 3) + " "; };
  for (const htools::Node& node : cluster.nodes) add(node.books.load.cpu);
  text += "/ ";
  for (const htools::Instance& instance : cluster.instances) add(instance.facts->utilisation.cpu);
  text.pop_back();
  return text;
}

std::string node(std::string_view name, int node_cpus = 1, char role = 'N') {
  return fmt::format("{}|65536|0|50000|102400|80000|8|{}|u|1||N|0|{}|1.0\n", name, role, node_cpus);
}
std::string cluster_text(const std::string& nodes, const std::string& instances) {
  return "g|u|preferred|\n\n" + nodes + "\n" + instances + "\n\n";
}

const std::string kCluster = cluster_text(node("na") + node("nb", 3) + node("nc", 1, 'Y'),
                                          "i1|1024|1024|2|running|Y|na|nb|drbd|\n"
                                          "i2|1024|1024|1|running|Y|na|nb|drbd|\n"
                                          "i3|1024|1024|4|running|Y|nb|na|drbd|\n"
                                          "i4|1024|1024|4|running|Y|nb||rbd||1|-|Y\n");
constexpr std::string_view kUnmeasured = "2.000 1.000 0.000 / 1.000 1.000 1.000 1.000";

std::string no_answer(std::string_view collector) {
  return fmt::format("Didn't receive an answer by all MonDs, {}'s data will be ignored.", collector);
}

}  // namespace

TEST_CASE("of a node's entries the last one counts, of a collector's reports in it the first one") {
  const auto data =
      htools::read_monitoring(file({entry("n1", cpu("1") + "," + xen("")), entry("n2", ""), entry("n1", cpu("2"))}));
  REQUIRE(data.size() == 2);
  CHECK(data.at("n1").cpu_load == 2.0);
  CHECK(!data.at("n1").instance_cpu_loads);
  CHECK(!data.at("n2").cpu_load);

  CHECK(reports_of(cpu("3") + "," + cpu("4")).cpu_load == 3.0);
  CHECK(!reports_of(report(kCpu, "{}") + "," + cpu("4")).cpu_load);
  CHECK(reports_of(report("other", "[1,{}]") + "," + cpu("4")).cpu_load == 4.0);
  CHECK(htools::read_monitoring("[]").empty());
  CHECK(htools::read_monitoring(R"([{"x":1,"reports":[],"node":["n","1"],"node":5}])").contains("n1"));
}

TEST_CASE("data of a collector that has another form is as good as none") {
  for (const std::string data :
       {"null", "1", "[]", "{}", R"({"cpu_number":1,"cpus":[]})", R"({"cpus":[],"cpu_total":2})",
        R"({"cpu_number":1,"cpu_total":2})", R"({"cpu_number":"1","cpus":[],"cpu_total":2})",
        R"({"cpu_number":1,"cpus":null,"cpu_total":2})", R"({"cpu_number":1,"cpus":["a"],"cpu_total":2})",
        R"({"cpu_number":1,"cpus":[],"cpu_total":null})", R"({"cpu_number":1,"cpus":[],"cpu_total":2,"x":1})"}) {
    CAPTURE(data);
    CHECK(!reports_of(report(kCpu, data)).cpu_load);
  }
  CHECK(reports_of(report(kCpu, R"({"cpu_total":-2.5,"cpus":[1,2.5],"cpu_number":1.5,"cpu_total":"x"})")).cpu_load ==
        -2.5);

  for (const std::string data : {"null", "[]", "1", R"({"i1":"1"})", R"({"i1":null})", R"({"i1":null,"i1":4})"}) {
    CAPTURE(data);
    CHECK(!reports_of(report(kXen, data)).instance_cpu_loads);
  }
  const auto loads = reports_of(xen(R"("i1":3,"i2":0.5,"i1":4)")).instance_cpu_loads;
  REQUIRE(loads);
  CHECK(loads->size() == 2);
  CHECK(loads->at("i1") == 4.0);
  CHECK(loads->at("i2") == 0.5);
  CHECK(reports_of(xen("")).instance_cpu_loads->empty());
}

TEST_CASE("a daemon answers with one report, whatever its name") {
  using htools::read_monitoring_report;
  for (const std::string_view name : {kCpu, kXen, std::string_view("x")}) {
    const NodeReports cpu_reports = read_monitoring_report(report(name, cpu_data("2.5")), Collector::CpuAverage);
    CHECK(cpu_reports.cpu_load == 2.5);
    CHECK(!cpu_reports.instance_cpu_loads);
    const NodeReports xen_reports = read_monitoring_report(report(name, R"({"i1":0.5})"), Collector::XenCpuAverage);
    CHECK(!xen_reports.cpu_load);
    REQUIRE(xen_reports.instance_cpu_loads);
    CHECK(xen_reports.instance_cpu_loads->at("i1") == 0.5);
  }
  for (const std::string& text : {std::string(), std::string("["), "[" + cpu("1") + "]", report(kCpu, "{}"),
                                  report(kCpu, cpu_data("1"), "kind", "2"), report(kCpu, cpu_data("1"), "version")}) {
    CAPTURE(text);
    CHECK(!read_monitoring_report(text, Collector::CpuAverage).cpu_load);
  }
}

TEST_CASE("a monitoring file is a list of nodes and their reports") {
  CHECK(failure_of("{}") == "Parsing MonD's answer: Unable to read list");
  CHECK(failure_of("[[]]") == "Parsing MonD's answer: Unable to read JSObject");
  CHECK(failure_of(R"([{"node":7},5])") == "Parsing MonD's answer: Unable to read JSObject");
  CHECK(failure_of("") == "Parsing MonD's answer: Invalid JSON: a document begins with { or [");
  CHECK(failure_of("[{}]") == "Parsing node's name: key 'node' not found, object contains only []");
  CHECK(failure_of(R"([{"node":1}])") == "Parsing node's name: key 'node': Unable to read String");
  CHECK(failure_of(R"([{"node":["n","12"],"reports":[]}])") == "Parsing node's name: key 'node': Unable to read Char");
  CHECK(failure_of(R"([{"node":"n1"}])") ==
        R"(Parsing node's reports: key 'reports' not found, object contains only ["node"])");
  CHECK(failure_of(R"([{"node":"n1","reports":null}])") ==
        "Parsing node's reports: key 'reports': Unable to read list");
  CHECK(failure_of(R"([{"node":"n1","reports":[1]}])") ==
        "Parsing node's reports: key 'reports': Unable to read JSObject");
  CHECK(failure_of(R"([{"node":"n1","reports":[{},1]},{"node":5}])") ==
        "Parsing node's reports: key 'reports': key 'name' not found, object contains only []");
}

TEST_CASE("a report has its keys and no others, whoever wrote it") {
  const auto missing = [](std::string_view key, std::string_view others) {
    return fmt::format("key '{}' not found, object contains only [{}]", key, others);
  };
  CHECK(report_failure("name", "") ==
        missing("name", R"("version","format_version","timestamp","category","kind","data")"));
  CHECK(report_failure("data", "") ==
        missing("data", R"("name","version","format_version","timestamp","category","kind")"));
  CHECK(report_failure("category", "") == "(no error)");

  struct Case {
    std::string key, value, problem;
  };
  const std::vector<Case> cases = {
      {"name", "1", "Unable to read String"},
      {"name", "[1]", "Unable to read Char"},
      {"version", "1", "Invalid JSON value 1 for type DCVersion"},
      {"version", R"(["B"])", R"(Invalid JSON value ["B"] for type DCVersion)"},
      {"format_version", "\"1\"", "Unable to read Int"},
      {"format_version", "1e30", "number out of the 64-bit range: '1e30'"},
      {"timestamp", "null", "Unable to read Integer"},
      {"category", "\"Storage\"", "Invalid category name Storage for type DCCategory"},
      {"category", "5", "Invalid JSON value 5 for type DCCategory"},
      {"kind", "2", "Invalid JSON value 2 for type DCKind"},
      {"kind", "0.5", "Invalid JSON value 0.5 for type DCKind"},
      {"kind", "1.00000000000000000001", "Invalid JSON value 1.0 for type DCKind"},
      {"kind", "\"0\"", "Invalid JSON value \"0\" for type DCKind"},
      {"kind", "null", "Invalid JSON value null for type DCKind"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.key);
    CAPTURE(c.value);
    CHECK(report_failure(c.key, c.value) == fmt::format("Can't parse value for '{}': {}", c.key, c.problem));
  }
  const std::vector<std::pair<std::string_view, std::string_view>> accepted = {{"name", R"(["c","p","u"])"},
                                                                               {"format_version", "1.5"},
                                                                               {"timestamp", "1e30"},
                                                                               {"timestamp", "-0.5"},
                                                                               {"category", "\"daemon\""},
                                                                               {"kind", "1.0"},
                                                                               {"kind", "10e-1"},
                                                                               {"kind", "-0"},
                                                                               {"data", "null"},
                                                                               {"kind", "1,\"kind\":7"},
                                                                               {"category", "\"hypervisor\""}};
  for (const auto& entry : accepted) {
    const auto& key = entry.first;
    const auto& value = entry.second;
    CAPTURE(key);
    CAPTURE(value);
    CHECK(report_failure(key, value) == "(no error)");
  }
  const std::string superfluous =
      R"(Superfluous dictionary keys: ["aa","zz\233"], but only )"
      R"(["category","data","format_version","kind","name","timestamp","version"] allowed.)";
  CHECK(report_failure("data", R"(1,"zz\u00e9":1,"aa":2,"name":4)") == superfluous);
  CHECK(report_failure("kind", R"(7,"zz":1)") == "Can't parse value for 'kind': Invalid JSON value 7 for type DCKind");
}

TEST_CASE("a node's cpu load is shared out by vcpus") {
  const std::string monitoring = file({entry("nc", cpu("0.25")), entry("na", cpu("4")), entry("ghost", cpu("9")),
                                       entry("nb", cpu("2.5") + "," + cpu("7"))});
  const Loaded loaded = load(kCluster, Collector::CpuAverage, monitoring);
  CHECK(!loaded.report.missing_monitoring_data);
  CHECK(cpu_loads(loaded.cluster) == "4.000 2.500 0.250 / 2.000 1.000 1.429 1.429");
  CHECK(loaded.cluster.nodes[0].books.load.memory == 2.0);
  CHECK(loaded.cluster.nodes[0].books.load.disk == 3.0);
  CHECK(loaded.cluster.instances[0].facts->utilisation.network == 1.0);

  PrepareOptions options;
  options.utilisation = {{"i1", {5, 6, 7, 8}}};
  const Loaded with_file = load(kCluster, Collector::CpuAverage, monitoring, options);
  CHECK(cpu_loads(with_file.cluster) == cpu_loads(loaded.cluster));
  CHECK(with_file.cluster.nodes[0].books.load.memory == 7.0);
}

TEST_CASE("instances that do not count on their primary get a share of its cpu load") {
  const std::string text = cluster_text(node("na") + node("nb", 0),
                                        "i1|1024|1024|3|running|Y|na|nb|drbd|\n"
                                        "i2|1024|1024|2|ADMIN_offline|Y|na||plain|\n"
                                        "i3|1024|1024|2|running|Y|nb|nb|plain|\n"
                                        "i4|1024|1024|0|running|Y|nb||plain|\n");
  const Loaded loaded = load(text, Collector::CpuAverage, file({entry("na", cpu("2")), entry("nb", cpu("1"))}));
  CHECK(cpu_loads(loaded.cluster) == "2.000 1.000 / 1.500 1.000 Infinity NaN");
}

TEST_CASE("measured loads of instances add up on their primaries, newest first") {
  const std::string text = cluster_text(node("na") + node("nb"),
                                        "i1|1024|1024|1|running|Y|na||plain|\n"
                                        "i2|1024|1024|1|running|Y|na||plain|\n"
                                        "i3|1024|1024|1|running|Y|na||plain|\n"
                                        "i4|1024|1024|1|running|Y|nb|nb|plain|\n"
                                        "i5|1024|1024|1|running|Y|nb||plain||1|-|Y\n");
  // Adding 1 to 1e16 has no effect, so the sum shows the order of the additions.
  const std::string of_a = xen(R"("i1":1,"i2":-1e16,"i3":1e16)"), of_b = xen(R"("i1":5,"i4":0.25,"i5":3)");
  const Loaded loaded = load(text, Collector::XenCpuAverage, file({entry("nb", of_b), entry("na", of_a)}));
  CHECK(!loaded.report.missing_monitoring_data);
  CHECK(cpu_loads(loaded.cluster) == "1.000 0.000 / 1.000 -10000000000000000.000 10000000000000000.000 0.250 3.000");
  const Loaded reversed = load(text, Collector::XenCpuAverage,
                               file({entry("na", xen(R"("i1":1e16,"i2":-1e16,"i3":1)")), entry("nb", of_b)}));
  CHECK(reversed.cluster.nodes[0].books.load.cpu == 0.0);
}

TEST_CASE("incomplete measurements change nothing and are told") {
  const std::string cpu_of_two = file({entry("na", cpu("4")), entry("nb", cpu("2.5"))});
  const std::string bad_third = file({entry("na", cpu("4")), entry("nb", cpu("2.5")), entry("nc", report(kCpu, "0"))});
  for (const std::string& monitoring : {std::string("[]"), cpu_of_two, bad_third}) {
    CAPTURE(monitoring);
    const Loaded loaded = load(kCluster, Collector::CpuAverage, monitoring);
    CHECK(loaded.report.missing_monitoring_data == no_answer(kCpu));
    CHECK(cpu_loads(loaded.cluster) == kUnmeasured);
  }
  const Loaded other_collector = load(kCluster, Collector::XenCpuAverage,
                                      file({entry("na", cpu("4")), entry("nb", cpu("4")), entry("nc", cpu("4"))}));
  CHECK(other_collector.report.missing_monitoring_data == no_answer(kXen));

  const Loaded two_instances =
      load(kCluster, Collector::XenCpuAverage,
           file({entry("na", xen(R"("i3":4,"ghost":1)")), entry("nb", xen(R"("i1":1)")), entry("nc", xen(""))}));
  CHECK(two_instances.report.missing_monitoring_data == R"(No CPU information available for ["i2","i4"])");
  CHECK(cpu_loads(two_instances.cluster) == kUnmeasured);
}

TEST_CASE("measured loads are not asked for when loads are ignored") {
  PrepareOptions options;
  options.ignore_utilisation = true;
  const Loaded loaded = load(kCluster, Collector::CpuAverage, "[]", options);
  CHECK(!loaded.report.missing_monitoring_data);
  CHECK(cpu_loads(loaded.cluster) == "0.000 0.000 0.000 / 0.000 0.000 0.000 0.000");
}

TEST_CASE("a cluster without nodes lacks no measurements") {
  CHECK(!load("g|u|preferred|\n\n\n\n\n", Collector::CpuAverage, "[]").report.missing_monitoring_data);
}

}  // namespace htools::monitoring_test
