// Makes identifiers that are unique for all practical purposes.
#pragma once

#include <string>

namespace htools {

// Returns a random UUID (version 4), such as "08a4514a-9d1b-40e4-b0fc-08f265d4c80d".
std::string random_id();

}  // namespace htools
