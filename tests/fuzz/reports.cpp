#include "fuzz/reports.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "cluster/fingerprint.h"
#include "cluster/prepare.h"
#include "examine/tag_spread.h"
#include "explain/diagnosis.h"
#include "formats/capacity_reader.h"
#include "formats/plan_reader.h"
#include "formats/text_reader.h"
#include "fuzz/promise.h"
#include "page/page.h"
#include "plan/proposal.h"
#include "plan/timeline.h"
#include "trial/trial.h"

namespace htools::testing {
namespace {

// The cluster of man/examples/racks.data, which the plans of the golden cases are about.
constexpr std::string_view kCluster =
    "default|uuid-1|preferred||\n"
    "\n"
    "node1.example.com|65536|1024|56320|1048576|966656|16|M|uuid-1|1|rack:1\n"
    "node2.example.com|65536|1024|52224|1048576|946176|16|N|uuid-1|1|rack:1\n"
    "node3.example.com|65536|1024|48128|1048576|946176|16|N|uuid-1|1|rack:2\n"
    "node4.example.com|65536|1024|60416|1048576|1007616|16|N|uuid-1|1|rack:2\n"
    "\n"
    "db1.example.com|8192|20480|2|running|Y|node3.example.com|node1.example.com|drbd|\n"
    "dns1.example.com|4096|20480|2|running|Y|node1.example.com|node3.example.com|drbd|service:dns\n"
    "dns2.example.com|4096|20480|2|running|Y|node2.example.com|node1.example.com|drbd|service:dns\n"
    "mail.example.com|8192|20480|2|running|Y|node3.example.com|node4.example.com|drbd|\n"
    "test.example.com|4096|20480|2|running|Y|node2.example.com|node3.example.com|drbd|\n"
    "web1.example.com|4096|20480|2|running|Y|node1.example.com|node2.example.com|drbd|\n"
    "web2.example.com|4096|20480|2|running|Y|node2.example.com|node3.example.com|drbd|\n"
    "wiki.example.com|4096|20480|2|running|Y|node4.example.com|node2.example.com|drbd|\n"
    "\n"
    "htools:nlocation:rack\n";

const std::vector<GroupIndex>& groups() {
  static const std::vector<GroupIndex> kGroups{GroupIndex(0)};
  return kGroups;
}

const Cluster& cluster() {
  static const Cluster kPrepared = [] {
    Cluster read = read_text_cluster(kCluster, "cluster");
    prepare(read, {});
    return read;
  }();
  return kPrepared;
}

PageContent content() {
  static const Diagnosis kDiagnosis = diagnose(cluster(), groups(), {.cures = false});
  PageContent content{.source = "cluster",
                      .program = "fuzzer",
                      .cluster = cluster(),
                      .fingerprints = fingerprints_of(cluster()),
                      .groups = {},
                      .diagnosis = kDiagnosis,
                      .tags = tag_spread(cluster(), groups())};
  content.groups.push_back({.examination = examine(cluster(), groups().front())});
  return content;
}

std::size_t count_of(std::string_view word, std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; at += word.size()) ++count;
  return count;
}

void check_page(const PageContent& shown, std::string_view input) {
  constexpr std::size_t kPageBytes = 200'000, kBytesPerByte = 100;
  const std::string page = page_html(shown);
  promise(count_of("<script", page) == 1 && count_of("<style", page) == 1 && count_of("<h1", page) == 1,
          "nothing of the input becomes an element");
  promise(page.find("=\"nan") == std::string::npos && page.find("=\"inf") == std::string::npos,
          "coordinates are numbers");
  promise(page.size() <= kPageBytes + kBytesPerByte * input.size(), "a page is not much larger than what it shows");
}

}  // namespace

void show_plan(std::string_view input) {
  const Proposal proposal = read_plan(input, "input");
  Trial trial(cluster());
  const Judgement judgement = judge(trial, resolve(cluster(), proposal), {});
  PageContent shown = content();
  shown.plan.emplace(PagePlan{.source = "input",
                              .after = trial.cluster(),
                              .plan = describe_plan(cluster(), cluster(), trial.cluster(), judgement.steps, groups()),
                              .emptied = emptied_nodes(cluster(), proposal),
                              .timeline = {},
                              .choices = proposal.choices,
                              .is_of_this_state = proposal.fingerprint.value_or("").empty()});
  add_verdicts(shown.plan->plan, judgement);
  shown.plan->timeline = timeline_of(cluster(), shown.plan->plan, {});
  check_page(shown, input);
}

void show_capacity(std::string_view input) {
  PageContent shown = content();
  shown.capacity.push_back({.source = "input", .facts = read_capacity(input, "input")});
  check_page(shown, input);
}

}  // namespace htools::testing
