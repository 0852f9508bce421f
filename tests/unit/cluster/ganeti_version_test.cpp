#include "cluster/ganeti_version.h"

#include <doctest/doctest.h>

#include <string>

namespace htools::ganeti_version_test {

TEST_CASE("versions before 3.1.0, and its candidates, follow the rules of 3.0") {
  for (const std::string version : {"2.16.2", "3.0.0", "3.0.2", "3.0.2-3", "3.1.0~rc1", "3.1.0~rc2"}) {
    CAPTURE(version);
    CHECK(rules_of_version(version) == GanetiRelease::V30);
  }
}

TEST_CASE("versions from 3.1.0 on follow the rules of 3.1") {
  for (const std::string version : {"3.1.0", "3.1.1", "3.1.1~rc1", "3.2.0~beta1", "3.10.0", "4.0.0"}) {
    CAPTURE(version);
    CHECK(rules_of_version(version) == GanetiRelease::V31);
  }
}

TEST_CASE("what is not a version follows no rules") {
  for (const std::string version :
       {"", "3", "3.1", "3.x.1", "-3.1.0", "3.1.", "v3.1.1", "3.1.1\x1b[2J", "3.1.1 yes", "99999999999.0.0"}) {
    CAPTURE(version);
    CHECK(!rules_of_version(version));
  }
}

}  // namespace htools::ganeti_version_test
