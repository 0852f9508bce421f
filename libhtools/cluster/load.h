// Defines the dynamic utilisation of the four resources, in abstract units: 1 is the load of an average instance.
#pragma once

namespace htools {

// The load of an instance, or the sum over the instances of a node. An instance has 1 for each resource unless
// something else is known.
struct Load {
  double cpu = 0.0;
  double memory = 0.0;
  double disk = 0.0;
  double network = 0.0;

  // Returns the load of an instance of which nothing is known.
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
