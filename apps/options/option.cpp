#include "apps/options/option.h"

#include <boost/smart_ptr/make_shared.hpp>
#include <new>

#include "apps/options/value_advice.h"
#include "htools/errors.h"

namespace htools {

namespace po = boost::program_options;

namespace detail {

std::string Value::name() const { return facts_ == nullptr ? "" : facts_->argument; }

void Value::parse(boost::any& stored, const std::vector<std::string>& words, bool /*utf8*/) const {
  try {
    read(stored, words);
  } catch (const InputError& error) {
    if (facts_ == nullptr) throw;
    throw about_option(*facts_, error);
  }
}

}  // namespace detail

boost::shared_ptr<po::option_description> Option::declaration() const {
  OptionValue bound = value();
  bound->belong_to(*facts);
  auto declared = boost::make_shared<po::option_description>(facts->names, bound.release(), facts->description);
  // The stream from which Boost reads the names catches the exception if there is no memory for a name.
  if (declared->long_name().empty()) throw std::bad_alloc();
  return declared;
}

}  // namespace htools
