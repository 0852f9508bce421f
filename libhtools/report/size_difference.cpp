#include "report/size_difference.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string_view>
#include <unordered_map>

#include "base/amounts.h"
#include "base/strings.h"

namespace htools {
namespace {

constexpr std::size_t kMostNamed = 3;  // of each kind

using Texts = std::array<std::string, 2>;

Texts size_texts(double before, double now) { return compared_amounts(std::array{before, now}); }
Texts count_texts(double before, double now) { return {fmt::format("{:g}", before), fmt::format("{:g}", now)}; }

// What may differ: its name, and its values before and now as people read them, which are equal if nothing differs.
template <class Element>
struct Measure {
  std::string_view label;
  Texts (*texts)(const Element& before, const Element& now);
};
constexpr std::array<Measure<NodeSize>, 4> kNodeMeasures{
    {{"memory", [](const NodeSize& a, const NodeSize& b) { return size_texts(a.memory, b.memory); }},
     {"disk", [](const NodeSize& a, const NodeSize& b) { return size_texts(a.disk, b.disk); }},
     {"cpus", [](const NodeSize& a, const NodeSize& b) { return count_texts(a.cpus, b.cpus); }},
     {"node group", [](const NodeSize& a, const NodeSize& b) {
        return Texts{a.group, b.group};
      }}}};
constexpr std::array<Measure<InstanceSize>, 4> kInstanceMeasures{
    {{"memory", [](const InstanceSize& a, const InstanceSize& b) { return size_texts(a.memory, b.memory); }},
     {"disk", [](const InstanceSize& a, const InstanceSize& b) { return size_texts(a.disk, b.disk); }},
     {"vcpus", [](const InstanceSize& a, const InstanceSize& b) { return count_texts(a.vcpus, b.vcpus); }},
     {"disk template", [](const InstanceSize& a, const InstanceSize& b) {
        return Texts{a.disk_template, b.disk_template};
      }}}};

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
      const auto [old_text, new_text] = measure.texts(*known->second, element);
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
