// One option of a tool: what Boost.Program_options declares of it (names, argument, value, description), and what the
// help text and shell completion need besides.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/shared_ptr.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace htools {

enum class ArgumentKind : std::uint8_t { None, Required, Optional };

// Headings of the help text, in its order.
enum class OptionTopic : std::uint8_t {
  ClusterData,
  Utilisation,
  WhatToPlace,
  WhatToMove,
  WhatToReboot,
  Limits,
  Checks,
  Output,
  Jobs,
  General
};

// Copies share the declaration.
class Option {
 public:
  // `names` is "LONG,S", or "LONG" for an option without a short name. `value` says which argument the option takes,
  // how it is read, and where it goes (bound_values.h). `completion` is what shells complete the argument with, in a
  // fixed vocabulary; the string must outlive the option.
  Option(OptionTopic topic, const char* names, std::unique_ptr<boost::program_options::value_semantic> value,
         std::string_view completion, const char* description);

  OptionTopic topic() const { return topic_; }
  std::string_view completion() const { return completion_; }
  const std::string& long_name() const { return declaration_->long_name(); }
  // "-t", or empty if there is none.
  std::string short_form() const;
  const std::string& description() const { return declaration_->description(); }
  ArgumentKind kind() const;
  // The argument's name in the help text; empty if there is none.
  std::string argument() const { return declaration_->semantic()->name(); }

  const boost::shared_ptr<boost::program_options::option_description>& declaration() const { return declaration_; }

 private:
  OptionTopic topic_;
  std::string_view completion_;
  boost::shared_ptr<boost::program_options::option_description> declaration_;
};

}  // namespace htools
