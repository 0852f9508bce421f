// Reads documents of the kind htools.capacity/1, as hspace and hgrow print them, as far as a report shows them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/growth_facts.h"
#include "htools/capacity.h"

namespace htools {

// A reason or rule why nodes refuse a further instance, and how many of them, as the document names it.
struct RefusalCount {
  std::string reason;
  std::int64_t count = 0;
};

// How many instances of one size fit, or of smaller and smaller ones.
struct CapacityAnswer {
  std::string name;  // "standard" or "tiered"
  SimulatedSize size;
  std::int64_t fits = 0;
  std::optional<std::int64_t> bound;
  bool refused = false;
  std::vector<PlacedSize> placed;
  std::vector<RefusalCount> failures;
  std::optional<std::vector<RefusalCount>> rules;  // the failures by rule; none if the document does not have them
};

// What the document says.
struct CapacityFacts {
  std::string program;
  std::string fingerprint;        // of the state that it is about
  std::string facts_fingerprint;  // of its names and sizes
  std::string disk_template;      // of simulated instances; empty if there are none
  std::vector<CapacityAnswer> answers;
  std::vector<GrowthFacts> growth;        // by group; the last one is about all of them
  std::vector<InflationFacts> inflation;  // likewise
};

// Reads a document. Throws InputError, with `source` as the file, if it is none or is not of this kind.
CapacityFacts read_capacity(std::string_view text, std::string_view source);

}  // namespace htools
