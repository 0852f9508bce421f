#include "apps/options/option.h"

#include <boost/smart_ptr/make_shared.hpp>
#include <new>

namespace htools {

namespace po = boost::program_options;

boost::shared_ptr<po::option_description> Option::declaration() const {
  OptionValue bound = value();
  bound->name_argument(facts->argument);
  auto declared = boost::make_shared<po::option_description>(facts->names, bound.release(), facts->description);
  // The stream from which Boost reads the names catches the exception if there is no memory for a name.
  if (declared->long_name().empty()) throw std::bad_alloc();
  return declared;
}

}  // namespace htools
