// Identifiers that nobody else has.
#pragma once

#include <string>

namespace htools {

// A random UUID (version 4): "08a4514a-9d1b-40e4-b0fc-08f265d4c80d".
std::string random_id();

}  // namespace htools
