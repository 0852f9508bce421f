// A study: clusters, changes and questions, whose product is a list of scenarios.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/scenario.h"

namespace htools {

// A cluster of a study.
struct StudyCluster {
  std::string name;
  std::optional<std::string> file;
  std::vector<std::string> simulated;
  std::int64_t size = 1;  // of the file or of the simulated nodes, to estimate costs
};

// A study, with all patterns resolved.
struct Study {
  std::vector<StudyCluster> clusters;
  // Lists of alternatives, each of which is a chain of changes. A scenario has one alternative of each list.
  std::vector<std::vector<std::vector<std::string>>> changes;
  std::vector<std::vector<std::string>> questions;  // a tool and its options
  std::vector<std::int64_t> seeds;
};

// What else can be checked of a study. The functions throw InputError.
struct StudyChecks {
  // The words are a tool that answers questions of studies, and options that it takes.
  std::function<void(const std::vector<std::string>& words)> question;
  // The cluster can be loaded. Is not called if it is empty.
  std::function<void(const StudyCluster& cluster)> cluster = {};
};

// Throws InputError if the question has options that make no sense in a study: those about sources, output and jobs.
void require_options_of_studies(const std::vector<std::string>& question);

// Reads a document of the kind htools.study/1. Files, patterns and directories are relative to the working directory.
// Throws InputError that names the field if something is not there or cannot be used. Names of nodes and instances are
// not looked up, because changes may make them.
Study read_study(std::string_view text, const std::string& source, const StudyChecks& checks);

// Returns how many scenarios the study has.
std::int64_t scenario_count(const Study& study);

// Calls `use` for each scenario, in order: clusters, changes, questions, seeds, the last one changing fastest.
void for_each_scenario(const Study& study, const std::function<void(const Scenario&)>& use);

}  // namespace htools
