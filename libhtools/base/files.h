// Reads and writes whole files as bytes.
//
// Errors (InputError) name the file and the reason; where() is the path:
//   PATH cannot be opened: No such file or directory
//   PATH cannot be read: REASON
//   PATH cannot be written: REASON
// They also have the words of the reference: "PATH: openFile: does not exist (No such file or directory)".
#pragma once

#include <string>
#include <string_view>

namespace htools {

// Returns the content of a file. Reads pipes and devices, too. More than 2 GiB is an error.
std::string read_file(const std::string& path);

// Replaces the content of a file, or creates it. Other processes that read it see the old or the new content, never a
// part. If it fails, the old content stays and no other file is left behind.
// - A symbolic link is followed; the file that it leads to (which need not exist yet) is replaced.
// - Anything but a regular file (a pipe, a device) is written directly, and so is a file that is already open
//   (/dev/stdout, /dev/fd/N).
// - If the directory does not admit a new file, the file is written in place, once there is room for the new content.
// - The file keeps its permissions (but not set-user-ID and the like) and, if that is allowed, its owner and group. A
//   new file gets the owner and group of the process, and the permissions that its umask leaves.
// - SIGINT, SIGTERM, SIGHUP and SIGQUIT are held back meanwhile, except while a pipe waits for its other end.
void write_file_atomically(const std::string& path, std::string_view content);

}  // namespace htools
