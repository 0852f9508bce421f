// Dynamic utilisation of the four resources (abstract units; 1 = an average instance).
#pragma once

namespace htools {

// What an instance uses, or a node's instances together; 1 for each resource unless something else is known.
struct Load {
  double cpu = 0.0;
  double memory = 0.0;
  double disk = 0.0;
  double network = 0.0;

  static constexpr Load base() { return {1.0, 1.0, 1.0, 1.0}; }

  Load& operator+=(const Load& other) {
    cpu += other.cpu, memory += other.memory, disk += other.disk, network += other.network;
    return *this;
  }
  Load& operator-=(const Load& other) {
    cpu -= other.cpu, memory -= other.memory, disk -= other.disk, network -= other.network;
    return *this;
  }
};

}  // namespace htools
