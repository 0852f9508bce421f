// An option: its constant facts, and its declaration to Boost.Program_options.
#pragma once

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <boost/shared_ptr.hpp>
#include <cstdint>
#include <functional>
#include <string_view>
#include <type_traits>

#include "apps/options/bound_values.h"

namespace htools {

// The headings of the help text, in its order.
enum class OptionTopic : std::uint8_t {
  ClusterData,
  Utilisation,
  WhatToPlace,
  WhatToChange,
  Sweep,
  WhatToPlan,
  WhatToShow,
  WhatToMove,
  WhatToReboot,
  Limits,
  Copying,
  Checks,
  Output,
  Jobs,
  General
};

// Where an option comes from. Options of the reference (htools of Ganeti 3.0.2) win over our own if an abbreviation
// fits both.
enum class OptionOrigin : std::uint8_t { Reference, Own };

struct OptionFacts {
  OptionTopic topic;
  const char* names;            // "LONG,S", or "LONG" for an option without a short name
  ArgumentKind kind;            // the kind of argument that its value takes
  const char* argument;         // the argument's name in the help text; empty if there is no argument
  std::string_view completion;  // how shells complete the argument, as a word of a fixed vocabulary
  const char* description;
  OptionOrigin origin = OptionOrigin::Reference;

  constexpr std::string_view long_name() const {
    const std::string_view all = names;
    return all.substr(0, all.find(','));
  }
  // Returns the short name; empty if there is none.
  constexpr std::string_view short_name() const {
    const std::string_view all = names;
    return all.substr(std::min(long_name().size() + 1, all.size()));
  }
};

// An option of a tool, and the variable that receives its value. Copies refer to the same variable.
struct Option {
  const OptionFacts* facts;
  std::function<OptionValue()> value;  // makes the value, bound to the variable

  // Returns the option's declaration for Boost.Program_options. This is slow, because Boost reads the names from a
  // stream: declare only the options that are needed.
  boost::shared_ptr<boost::program_options::option_description> declaration() const;
};

// A row of the table of options: an option that fills a variable of a `Group`.
template <class Group>
class OptionOf {
 public:
  // `value(group)` returns the value (bound_values.h), which is bound to a variable of the group. It must be a lambda
  // without captures.
  template <class Value>
  constexpr OptionOf(OptionTopic topic, const char* names, const char* argument, std::string_view completion,
                     const char* description, Value /*value*/, OptionOrigin origin = OptionOrigin::Reference)
      : facts_{topic,       names, std::invoke_result_t<Value, Group&>::element_type::kKind, argument, completion,
               description, origin},
        value_([](Group& group) -> OptionValue { return Value{}(group); }) {}

  // Returns the option of the tool that has this group. The group must outlive it.
  Option into(Group& group) const {
    return {&facts_, [value = value_, &group] { return value(group); }};
  }

 private:
  OptionFacts facts_;
  OptionValue (*value_)(Group& group);
};

}  // namespace htools
