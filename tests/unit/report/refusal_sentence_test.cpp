#include "report/refusal_sentence.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "cluster/cluster.h"

namespace htools::refusal_sentence_test {

// Returns the reason, as people read it and exactly, for a shortage of these amounts.
struct Reason {
  AdmissionLimit limit;
  std::optional<double> needed, available;

  Refusal refusal() const {
    return {{NodeIndex(0), NodeIndex::none()}, Shortage{FailMode::Memory, limit, needed, available}};
  }
  std::string rounded() const { return reason_sentence(cluster(), "web", refusal()); }
  std::string exact() const {
    const std::string text = to_text(cluster(), "web", refusal());
    return text.substr(text.rfind(": ") + 2);
  }
  static Cluster cluster() {
    Cluster cluster;
    cluster.nodes.emplace_back();
    return cluster;
  }
};

TEST_CASE("amounts of memory and disk are rounded for people, and exact as the reference of our face says") {
  const Reason reason{AdmissionLimit::Memory, 40960.0, 36864.0};
  CHECK(reason.rounded() == "needs 40.0 GiB of memory, 36.0 GiB are free");
  CHECK(reason.exact() == "needs 40960 MiB of memory, 36864 MiB are free");
}

TEST_CASE("amounts that would look the same are exact for people, too") {
  const Reason reason{AdmissionLimit::Disk, 40960.0, 40959.0};
  CHECK(reason.rounded() == "needs 40960 MiB of disk, 40959 MiB are free");
  const Reason equal{AdmissionLimit::Disk, 40960.0, 40960.0};
  CHECK(equal.rounded() == "needs 40.0 GiB of disk, 40.0 GiB are free, but some must stay free");
}

TEST_CASE("less than nothing is said in words to people") {
  CHECK(Reason{AdmissionLimit::Memory, 1024.0, -20480.0}.rounded() ==
        "needs 1.0 GiB of memory, the node is 20.0 GiB short already");
  CHECK(Reason{AdmissionLimit::KeptDisk, 1024.0, -512.0}.rounded() ==
        "needs 1.0 GiB of disk, the node is 512 MiB short of what must stay free already");
  CHECK(Reason{AdmissionLimit::Reservation, 1024.0, -2048.0}.rounded() ==
        "needs 1.0 GiB of memory, the node is 2.0 GiB short of what is reserved for failovers already");
  CHECK(Reason{AdmissionLimit::VcpuRatio, 2.0, -3.0}.rounded() ==
        "needs 2 virtual cpus, the cpu ratio of  is exceeded by 3 already");
  CHECK(Reason{AdmissionLimit::Memory, 1024.0, -20480.0}.exact() == "needs 1024 MiB of memory, -20480 MiB are free");
}

TEST_CASE("an unknown amount is not taken for less than nothing") {
  CHECK(Reason{AdmissionLimit::Memory, 1024.0, std::nullopt}.rounded() ==
        "needs 1024 MiB of memory, an unknown number of MiB are free");
  CHECK(Reason{AdmissionLimit::MaxDisk, std::nullopt, 2048.0}.rounded() ==
        "the instance has a disk of an unknown number of MiB,  allows 2048 MiB");
}

}  // namespace htools::refusal_sentence_test
