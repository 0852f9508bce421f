// A scenario: a question to a tool about a cluster after changes. Studies are products of clusters, changes and
// questions; a scenario stands on its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace htools {

// One scenario of a study.
struct Scenario {
  std::int64_t number = 0;             // its position in the study, from 1
  std::int64_t count = 0;              // how many scenarios the study has
  std::string id;                      // of what is asked, whatever the study: scenario_id()
  std::string cluster;                 // a name for it: the file, or the specifications
  std::optional<std::string> file;     // the text file
  std::vector<std::string> simulated;  // or the specifications of simulated groups
  std::vector<std::string> changes;    // as hwhatif takes them, without dashes
  std::vector<std::string> question;   // the tool and its options
  std::optional<std::int64_t> seed;
  std::int64_t cost = 1;  // an estimate, in no unit
};

// Returns a UUID of what the scenario asks.
std::string scenario_id(const Scenario& scenario);

// Returns the scenario as a document of the kind htools.scenario/1, in one line with a line feed.
std::string scenario_line(const Scenario& scenario);

// Returns the members that scenario and record have in common: "number":1,"count":8,... without braces.
std::string scenario_members(const Scenario& scenario);

// Returns the scenario of such a line. Throws InputError.
Scenario read_scenario(std::string_view line);

// Says which shard takes a scenario: the one with the least estimated cost so far. So the answer depends on the
// scenarios and the number of shards alone.
class Shards {
 public:
  explicit Shards(std::size_t count) : costs_(count) {}
  // Returns the number of the shard that takes the next scenario, from 1.
  std::size_t next(std::int64_t cost);

 private:
  std::vector<std::int64_t> costs_;
};

}  // namespace htools
