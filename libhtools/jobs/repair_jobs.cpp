#include "jobs/repair_jobs.h"

#include <optional>
#include <string_view>
#include <utility>

namespace htools {
namespace {

Opcode plain_opcode(std::string_view id, JsonMembers parameters) { return {id, std::move(parameters), {}}; }

JsonText none() { return JsonText::array({}); }

std::pair<std::string_view, JsonText> name_of(const Instance& instance) {
  return {"instance_name", JsonText::string(instance.facts->name)};
}

constexpr std::string_view kAllocator = "hail";

Opcode wait_first(double delay) {
  return plain_opcode("OP_TEST_DELAY", {{"duration", JsonText::real(delay)},
                                        {"on_master", JsonText::boolean(true)},
                                        {"on_nodes", none()},
                                        {"repeat", JsonText::number(0)},
                                        {"interruptible", JsonText::boolean(false)},
                                        {"no_locks", JsonText::boolean(false)}});
}

Opcode replace_secondary(const Instance& instance) {
  return plain_opcode("OP_INSTANCE_REPLACE_DISKS", {name_of(instance),
                                                    {"early_release", JsonText::boolean(false)},
                                                    {"ignore_ipolicy", JsonText::boolean(false)},
                                                    {"mode", JsonText::string("replace_new_secondary")},
                                                    {"disks", none()},
                                                    {"iallocator", JsonText::string(kAllocator)}});
}

Opcode recreate_disks(const Instance& instance) {
  return plain_opcode(
      "OP_INSTANCE_RECREATE_DISKS",
      {name_of(instance), {"disks", none()}, {"nodes", none()}, {"iallocator", JsonText::string(kAllocator)}});
}

Opcode reinstall(const Instance& instance) {
  return plain_opcode("OP_INSTANCE_REINSTALL", {name_of(instance), {"force_variant", JsonText::boolean(false)}});
}

Job opcodes_of(const Instance& instance, RepairMethod method) {
  switch (method) {
    case RepairMethod::ReplaceSecondary:
      return {replace_secondary(instance)};
    case RepairMethod::FailOver:
      return {fail_over_instance(instance.facts->name, std::nullopt)};
    case RepairMethod::RecreateDisks:
      break;
  }
  return {recreate_disks(instance), reinstall(instance)};
}

Job tags_job(std::string_view id, const Instance& instance, const std::vector<std::string>& tags) {
  std::vector<JsonText> texts;
  for (const std::string& tag : tags) texts.push_back(JsonText::string(tag));
  return {plain_opcode(id, {{"kind", JsonText::string("instance")},
                            {"tags", JsonText::array(texts)},
                            {"name", JsonText::string(instance.facts->name)}})};
}

}  // namespace

Job repair_job(const Instance& instance, RepairMethod method, double delay) {
  Job job = opcodes_of(instance, method);
  if (delay > 0) job.insert(job.begin(), wait_first(delay));
  return job;
}

Job add_tags_job(const Instance& instance, const std::vector<std::string>& tags) {
  return tags_job("OP_TAGS_SET", instance, tags);
}

Job remove_tags_job(const Instance& instance, const std::vector<std::string>& tags) {
  return tags_job("OP_TAGS_DEL", instance, tags);
}

JsonText plain_job_text(const Job& job) {
  std::vector<JsonText> opcodes;
  for (const Opcode& opcode : job) {
    JsonMembers members{{"OP_ID", JsonText::string(opcode.id)}};
    members.insert(members.end(), opcode.parameters.begin(), opcode.parameters.end());
    opcodes.push_back(JsonText::object(members));
  }
  return JsonText::array(opcodes);
}

}  // namespace htools
