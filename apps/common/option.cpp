#include "apps/common/option.h"

#include <boost/program_options/cmdline.hpp>
#include <boost/smart_ptr/make_shared.hpp>
#include <new>
#include <utility>

namespace htools {

namespace po = boost::program_options;

Option::Option(OptionTopic topic, const char* names, std::unique_ptr<po::value_semantic> value,
               std::string_view completion, const char* description)
    : topic_(topic),
      completion_(completion),
      declaration_(boost::make_shared<po::option_description>(names, value.release(), description)) {
  // Boost reads the names from a stream, which catches the exception and ends if there is no memory for a name.
  if (long_name().empty()) throw std::bad_alloc();
}

std::string Option::short_form() const {
  // Of an option without a short name this is the long one.
  std::string form = declaration_->canonical_display_name(po::command_line_style::allow_dash_for_short);
  return form.starts_with('-') ? form : "";
}

ArgumentKind Option::kind() const {
  const auto semantic = declaration_->semantic();
  if (semantic->max_tokens() == 0) return ArgumentKind::None;
  return semantic->min_tokens() == 0 ? ArgumentKind::Optional : ArgumentKind::Required;
}

}  // namespace htools
