#include "cluster/mobility.h"

#include <optional>

#include "cluster/guest_kind.h"

namespace htools {

Mobility mobility_of(const InstanceFacts& instance, bool is_source_down) {
  if (!instance.is_running() || instance.forthcoming) return Mobility::Off;
  if (is_source_down || !instance.live) return Mobility::Restarts;
  const std::optional<GuestKind> kind = guest_kind(instance.tags);
  const bool is_live = kind ? facts(*kind).live : !instance.moves_with_disks();
  return is_live ? Mobility::Live : Mobility::Restarts;
}

}  // namespace htools
