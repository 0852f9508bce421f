// Reads the exports of other platforms, one function for each platform.
//
// A reader recognises from their content which file is which; the order of files and records does not matter. It
// throws InputError with the file, and the line or the record, if a file is not of the expected form.
#pragma once

#include <array>
#include <functional>
#include <string_view>
#include <vector>

#include "platforms/inventory.h"
#include "platforms/make_cluster.h"

namespace htools {

Inventory read_plain_csv(const std::vector<ExportFile>& files, const PlatformMap& map);
Inventory read_rvtools(const std::vector<ExportFile>& files, const PlatformMap& map);
Inventory read_openstack(const std::vector<ExportFile>& files, const PlatformMap& map);
Inventory read_libvirt(const std::vector<ExportFile>& files, const PlatformMap& map);
Inventory read_kubernetes(const std::vector<ExportFile>& files, const PlatformMap& map);
Inventory read_proxmox(const std::vector<ExportFile>& files, const PlatformMap& map);

// A platform whose exports can be read.
struct Platform {
  std::string_view name;
  Inventory (*read)(const std::vector<ExportFile>& files, const PlatformMap& map);
  std::string_view advice;  // how to make the most important files, as a sentence
};

inline constexpr std::array kPlatforms = std::to_array<Platform>({
    {"proxmox", read_proxmox, "Save what this prints to a file: pvesh get /cluster/resources --output-format json"},
    {"openstack", read_openstack,
     "Save what this prints to a file: openstack --os-compute-api-version 2.87 hypervisor list --long -f json"},
    {"libvirt", read_libvirt,
     "Save what this prints to a file: virsh nodeinfo; virsh domstats --raw --state --balloon --vcpu --block, in a "
     "folder per "
     "host"},
    {"kubernetes", read_kubernetes, "Save what this prints to a file: kubectl get nodes,pods -A -o json"},
    {"rvtools", read_rvtools,
     "Give the files that this makes: RVTools.exe -c ExportAll2csv (tabs vInfo, vHost, vDisk and vDatastore)"},
    {"csv", read_plain_csv, "Write hosts.csv and vms.csv, as himport(1) describes them."},
});

// Returns the platform of that name. Throws InputError if there is none.
const Platform& find_platform(std::string_view name);

// Calls the function for each file. InputErrors that it throws get the path of the file.
void for_each_file(const std::vector<ExportFile>& files, const std::function<void(const ExportFile&)>& read);

// Adds a note about a file that the reader does not know.
void note_unknown_file(Inventory& inventory, const ExportFile& file);

// Returns bytes as MiB, rounded down, and at most kMostMib.
std::int64_t mib_of_bytes(std::int64_t bytes);

}  // namespace htools
