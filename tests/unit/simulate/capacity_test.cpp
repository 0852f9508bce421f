#include "simulate/capacity.h"

#include <doctest/doctest.h>

#include <string>

#include "cluster/prepare.h"
#include "formats/text_reader.h"

namespace htools::capacity_test {

TEST_CASE("instances that fit are counted as hspace counts; errors count as none") {
  const SimulatedSize size{.memory = 1024, .disk = 1024, .vcpus = 1};
  const auto count = [&](const char* offline) {
    Cluster cluster = read_text_cluster(std::string("g|u|preferred||\n\nn1|8192|0|8192|102400|102400|8|") + offline +
                                            "|u|1\nn2|8192|0|8192|102400|102400|8|" + offline + "|u|1\n\n\n\n",
                                        "test");
    prepare(cluster, {});
    return count_fitting(cluster, size, DiskTemplate::Drbd);
  };
  CHECK(count("N") == 7);
  CHECK(count("Y") == 0);
}

}  // namespace htools::capacity_test
