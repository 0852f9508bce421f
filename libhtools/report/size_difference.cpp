#include "report/size_difference.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <unordered_map>

#include "base/strings.h"

namespace htools {
namespace {

constexpr std::size_t kMostNamed = 3;  // of each kind

// Exact, so that a small difference shows.
std::string size_text(double mib) { return fmt::format("{} MiB", std::llround(mib)); }
std::string count_text(double count) { return fmt::format("{:g}", count); }

// What may differ: its name, and its value as people read it.
template <class Element>
struct Measure {
  std::string_view label;
  std::string (*text)(const Element& element);
};
constexpr std::array<Measure<NodeSize>, 4> kNodeMeasures{
    {{"memory", [](const NodeSize& n) { return size_text(n.memory); }},
     {"disk", [](const NodeSize& n) { return size_text(n.disk); }},
     {"cpus", [](const NodeSize& n) { return count_text(n.cpus); }},
     {"node group", [](const NodeSize& n) { return n.group; }}}};
constexpr std::array<Measure<InstanceSize>, 4> kInstanceMeasures{
    {{"memory", [](const InstanceSize& i) { return size_text(i.memory); }},
     {"disk", [](const InstanceSize& i) { return size_text(i.disk); }},
     {"vcpus", [](const InstanceSize& i) { return count_text(i.vcpus); }},
     {"disk template", [](const InstanceSize& i) { return i.disk_template; }}}};

// Adds a sentence that names the first of these, if there are any.
void add_sentence(std::string_view what, const std::vector<std::string>& names, std::vector<std::string>& sentences) {
  if (!names.empty()) sentences.push_back(fmt::format("{}: {}.", what, join_first(names, kMostNamed)));
}

template <class Element, std::size_t Count>
void add_differences(std::string_view kind, const std::array<Measure<Element>, Count>& measures,
                     const std::vector<Element>& before, const std::vector<Element>& now,
                     std::vector<std::string>& sentences) {
  std::unordered_map<std::string_view, const Element*> gone;
  for (const Element& element : before) gone.emplace(element.name, &element);
  std::vector<std::string> added, removed, changed;
  for (const Element& element : now) {
    const auto known = gone.find(element.name);
    if (known == gone.end()) {
      added.push_back(quoted_word(element.name));
      continue;
    }
    std::vector<std::string> changes;
    for (const Measure<Element>& measure : measures) {
      const std::string old_text = measure.text(*known->second), new_text = measure.text(element);
      if (old_text != new_text) changes.push_back(fmt::format("{} {} -> {}", measure.label, old_text, new_text));
    }
    if (!changes.empty()) changed.push_back(fmt::format("{} ({})", quoted_word(element.name), join(changes, ", ")));
    gone.erase(known);
  }
  for (const Element& element : before) {
    if (gone.contains(element.name)) removed.push_back(quoted_word(element.name));
  }
  add_sentence(fmt::format("{} that are new", kind), added, sentences);
  add_sentence(fmt::format("{} that are gone", kind), removed, sentences);
  add_sentence(fmt::format("{} of another size", kind), changed, sentences);
}

}  // namespace

std::vector<std::string> size_differences(const ClusterSizes& before, const ClusterSizes& now) {
  std::vector<std::string> sentences;
  add_differences("Nodes", kNodeMeasures, before.nodes, now.nodes, sentences);
  add_differences("Instances", kInstanceMeasures, before.instances, now.instances, sentences);
  return sentences;
}

}  // namespace htools
