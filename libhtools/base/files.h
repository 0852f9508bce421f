// Whole files as bytes, in and out.
//
// Errors (InputError) name the file and say why, where() is the path:
//   PATH: openFile: does not exist (No such file or directory)
//   PATH: openFile: inappropriate type (is a directory)
//   PATH: openFile: permission denied (Permission denied)
//   PATH: openFile: REASON           the system's words, for reasons without a class such as the ones above
// A file that opens and then cannot be read or written has `readFile` or `writeFile` in the place of `openFile`.
#pragma once

#include <string>
#include <string_view>

namespace htools {

// Reads to the end, at most 2 GiB; pipes and devices are fine.
std::string read_file(const std::string& path);

// Replaces the content of a file, or creates it: readers see the old or the new content, never a part. A failure leaves
// the old content and no other file behind.
//  - A symbolic link is followed; the file that it leads to (perhaps not yet existing) is replaced.
//  - What is no regular file (a pipe, a device) is written to, directly. So is what is open already (/dev/stdout,
//    /dev/fd/N).
//  - A file in a directory that does not admit new files is written in place, once there is room for the new content.
//  - The file keeps its permissions (but not set-user-ID and the like) and, where that is allowed, its owner and group;
//    a new one gets those of the process, and the permissions that its umask leaves.
//  - SIGINT and the like wait meanwhile, but not for the other end of a pipe.
void write_file_atomically(const std::string& path, std::string_view content);

}  // namespace htools
