#include "answer/allocator_response.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "answer/allocation_text.h"
#include "answer/evacuation_text.h"
#include "base/strings.h"
#include "json/json_writer.h"

namespace htools {
namespace {

JsonText text(std::string_view value) { return JsonText::string(value); }

JsonText texts(const std::vector<std::string>& values) {
  std::vector<JsonText> elements;
  for (const std::string& value : values) elements.push_back(text(value));
  return JsonText::array(elements);
}

std::string response(bool success, const std::string& info, const JsonText& result) {
  const std::string start = success ? "Request successful: " : "Request failed: ";
  return JsonText::object({{"success", JsonText::boolean(success)}, {"info", text(start + info)}, {"result", result}})
      .text();
}

std::string failed(const std::string& info) { return response(false, info, JsonText::array({})); }
std::string successful(const std::string& info, const JsonText& result) { return response(true, info, result); }

Applicant applicant_of(const AllocationRequest& request) { return {request.instance.facts->name, request.group}; }

// Formats the response. Each overload takes a request and a result of the same kind.
class Response {
 public:
  explicit Response(const Cluster& cluster) : cluster_(cluster) {}

  std::string operator()(const AllocationRequest& request, const AllocationAnswer& answer) const {
    const std::string info = describe(cluster_, answer, applicant_of(request));
    const AllocationChoice* choice = answer.choice();
    return choice != nullptr ? successful(info, texts(node_names(cluster_, choice->placement))) : failed(info);
  }

  std::string operator()(const MultiAllocationRequest& request, const MultiAllocationResult& result) const {
    if (result.failure) {
      return failed(describe(cluster_, *result.failure, applicant_of(request.allocations[result.items.size()])));
    }
    std::vector<JsonText> placed, left;
    for (std::size_t i = 0; i < result.items.size(); ++i) {
      const AllocationRequest& asked = request.allocations[i];
      if (const auto* place = std::get_if<Placement>(&result.items[i].outcome)) {
        placed.push_back(JsonText::array({text(asked.instance.facts->name), texts(node_names(cluster_, *place))}));
      } else {
        const auto& answer = std::get<AllocationAnswer>(result.items[i].outcome);
        left.push_back(JsonText::array({text(asked.instance.facts->name), text(refusal(answer, asked, result))}));
      }
    }
    return successful(
        fmt::format("{} instances failed to allocate and {} were allocated successfully", left.size(), placed.size()),
        JsonText::array({JsonText::array(placed), JsonText::array(left)}));
  }

  std::string operator()(const SecondaryRequest&, const SecondaryResult& result) const {
    if (result.has_secondary) return failed("Instance already has a secondary");
    const std::string info = describe(cluster_, result.allocation);
    if (!result.allocation.choice) return failed(info);
    return successful(info, text(cluster_.node(result.allocation.choice->placement.secondary).facts->name));
  }

  std::string operator()(const RelocationRequest& request, const RelocationResult& result) const {
    if (const auto* node = std::get_if<NodeIndex>(&result.outcome)) {
      return successful("success", texts({cluster_.node(*node).facts->name}));
    }
    if (const auto* failure = std::get_if<EvacuationFailure>(&result.outcome)) {
      return failed(describe(cluster_, request.instance, *failure));
    }
    switch (std::get<RelocationProblem>(result.outcome)) {
      case RelocationProblem::NodeCount:
        return failed(fmt::format("Exchange {} nodes mode is not implemented", request.required_nodes));
      case RelocationProblem::NotMirrored:
        return failed("Can't relocate non-mirrored instances");
      case RelocationProblem::NotOnTheseNodes:
        break;
    }
    std::vector<std::string> from;
    for (NodeIndex node : request.from) from.push_back(number(node));
    return failed(fmt::format("Unsupported request: excluded nodes not equal to instance's {}({} versus [{}])",
                              cluster_.instance(request.instance).facts->has_secondary() ? "secondary" : "primary",
                              number(result.expected), join(from, ",")));
  }

  std::string operator()(const EvacuationRequest&, const std::vector<InstanceOutcome>& outcomes) const {
    return evacuation(outcomes);
  }
  std::string operator()(const GroupChangeRequest&, const std::vector<InstanceOutcome>& outcomes) const {
    return evacuation(outcomes);
  }

 private:
  // Returns why one of several instances has no place in the group that the request names. With exclusive storage, the
  // text does not repeat the name of the group.
  std::string refusal(const AllocationAnswer& answer, const AllocationRequest& request,
                      const MultiAllocationResult& result) const {
    return result.lost_allocations ? describe(cluster_, std::get<Allocation>(answer.trials.front().outcome))
                                   : describe(cluster_, answer, applicant_of(request));
  }

  std::string number(NodeIndex node) const { return node.is_none() ? "-1" : fmt::to_string(cluster_.number(node)); }

  std::string evacuation(const std::vector<InstanceOutcome>& outcomes) const {
    std::vector<JsonText> moved, left, jobs;
    for (const auto& [index, outcome] : outcomes) {
      const Instance& instance = cluster_.instance(index);
      if (const auto* failure = std::get_if<EvacuationFailure>(&outcome)) {
        left.push_back(JsonText::array({text(instance.facts->name), text(describe(cluster_, index, *failure))}));
        continue;
      }
      const auto& evacuated = std::get<Evacuated>(outcome);
      Placement nodes = evacuated.after;
      if (!instance.facts->has_secondary())
        nodes.secondary = NodeIndex::none();  // the input may name a secondary for templates that have none
      const GroupIndex group = cluster_.node(nodes.primary).facts->group;
      moved.push_back(JsonText::array(
          {text(instance.facts->name), text(cluster_.group(group).name), texts(node_names(cluster_, nodes))}));
      jobs.push_back(job_opcodes(cluster_, index, evacuated));
    }
    return successful(
        fmt::format("{} instances failed to move and {} were moved successfully", left.size(), moved.size()),
        JsonText::array({JsonText::array(moved), JsonText::array(left), JsonText::array(jobs)}));
  }

  const Cluster& cluster_;
};

}  // namespace

std::string format_response(const Cluster& cluster, const AllocatorRequest& request, const AllocatorResult& result) {
  return std::visit(
      [response = Response(cluster)](const auto& asked, const auto& answered) -> std::string {
        if constexpr (requires { response(asked, answered); }) {
          return response(asked, answered);
        } else {
          throw std::bad_variant_access();  // the result is of a different kind than the request
        }
      },
      request, result);
}

}  // namespace htools
