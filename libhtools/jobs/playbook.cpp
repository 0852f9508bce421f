#include "jobs/playbook.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "base/strings.h"
#include "htools/errors.h"

namespace htools {
namespace {

constexpr std::string_view kPlaybookStart =
    R"yaml(# Carries out a plan. Run it with ansible-playbook; it can be run again after a failure, and skips what is done.
#
# -e htools_host=HOST    the host on which the commands of the platform work (localhost)
# -e by_hand=done        what the moves ask you to do by hand is done
- name: Carry out a plan
  hosts: "{{ htools_host | default('localhost') }}"
  gather_facts: false
  tasks:
    - name: Make a file for the script
      ansible.builtin.tempfile:
        suffix: .sh
      register: script
      changed_when: false
    - name: Copy the script that makes moves
      ansible.builtin.copy:
        dest: "{{ script.path }}"
        mode: "0700"
        content: !unsafe |
)yaml";

// The tasks of a wave, before and after the list of its moves. A week is long enough for a move.
constexpr std::string_view kStartMoves = R"yaml(    - name: Start wave WAVE
      ansible.builtin.command:
        argv: [sh, "{{ script.path }}", "{{ item.number }}"]
      environment:
        BY_HAND: "{{ by_hand | default('') }}"
      async: 604800
      poll: 0
      register: started
      loop_control:
        label: "{{ item.move }}"
      loop:
)yaml";
constexpr std::string_view kAwaitMoves = R"yaml(    - name: Wait for wave WAVE
      ansible.builtin.async_status:
        jid: "{{ item.ansible_job_id }}"
      register: ended
      until: ended.finished
      retries: 302400
      delay: 2
      changed_when: "'done already' not in ended.stdout"
      loop_control:
        label: "{{ item.item.move }}"
      loop: "{{ started.results }}"
)yaml";
constexpr std::string_view kPlaybookEnd = R"yaml(    - name: Remove the script
      ansible.builtin.file:
        path: "{{ script.path }}"
        state: absent
      changed_when: false
)yaml";

// Returns the text, for people, in single quotes.
std::string quoted_text(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return quoted + "'";
}

std::string with_wave(std::string_view tasks, const std::string& wave) {
  std::string text(tasks);
  constexpr std::string_view kWave = "WAVE";
  return text.replace(text.find(kWave), kWave.size(), wave);
}

}  // namespace

std::string playbook(const Cluster& cluster, const std::vector<ScriptWave>& waves, InstanceName name,
                     std::string_view comments) {
  const CommandPlatform platform = commanded_platform(cluster, CommandPlatform::Ansible);
  const std::string script = wave_script(cluster, waves, name, platform, comments);
  const auto is_control = [](unsigned char c) { return (c < 0x20 && c != '\n') || c == 0x7f; };
  if (std::ranges::any_of(script, is_control)) {
    throw InputError(ErrorCode::NotSaved, "a name with a control character cannot stand in a playbook", {},
                     "Write a script instead: leave --commands=ansible out.");
  }
  std::string text(kPlaybookStart);
  std::size_t begin = 0;
  while (begin < script.size()) {
    const std::size_t end = script.find('\n', begin);
    const std::string line = script.substr(begin, end - begin);
    text += line.empty() ? "\n" : "          " + line + "\n";
    begin = end + 1;
  }
  std::size_t number = 0, wave = 0;
  for (const auto& steps : wave_commands(cluster, waves, name, platform)) {
    const std::string title = fmt::format("{} of {} ({})", wave + 1, waves.size(), wave_text(waves[wave]));
    ++wave;
    text += with_wave(kStartMoves, title);
    for (const StepCommands& step : steps) {
      const std::string move = fmt::format("{} from {} to {}", step.instance, step.before, step.after());
      text += fmt::format("        - {{number: {}, move: !unsafe {}}}\n", ++number, quoted_text(move));
    }
    text += with_wave(kAwaitMoves, title);
  }
  return text + std::string(kPlaybookEnd);
}

}  // namespace htools
