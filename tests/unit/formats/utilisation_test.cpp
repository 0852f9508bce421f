#include "formats/utilisation.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <limits>
#include <string>

#include "base/decimal.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "htools/errors.h"

namespace htools::utilisation_test {

namespace {

using htools::Load;

// Returns the loads as "NAME: CPU MEMORY DISK NETWORK; ...".
std::string shown(const std::string& text) {
  std::string all;
  for (const auto& [name, load] : htools::read_utilisation(text)) {
    all += fmt::format("{}: {} {} {} {}; ", name, load.cpu, load.memory, load.disk, load.network);
  }
  return all;
}

std::string failure_of(const std::string& text) {
  try {
    htools::read_utilisation(text);
  } catch (const htools::InputError& error) {
    return fmt::format("{} ({})", error.what(), error.where());
  }
  return "(no error)";
}

}  // namespace

TEST_CASE("a line of a utilisation file is a name and four loads") {
  CHECK(shown("").empty());
  CHECK(shown("i1 1 2.5 3e2 4\n") == "i1: 1 2.5 300 4; ");
  CHECK(shown("i1 1 2 3 4") == "i1: 1 2 3 4; ");
  CHECK(shown("i1 -1 -0.5 0 007\ni2 1 1 1 1\ni1 9 9 9 9\n") == "i1: -1 -0.5 0 7; i2: 1 1 1 1; i1: 9 9 9 9; ");
  CHECK(shown("i1 Infinity -Infinity 1e400 1e-400\n") == "i1: inf -inf inf 0; ");
  CHECK(shown("i1 NaN 1 1 1\n") == "i1: nan 1 1 1; ");
  CHECK(shown("i1 \t5 2 3 4\n") == "i1: 5 2 3 4; ");
  CHECK(shown(" 1 2 3 4\n") == ": 1 2 3 4; ");
  CHECK(shown("\u00e9 1 2 3 4\n") == "\u00e9: 1 2 3 4; ");
}

TEST_CASE("a line of a utilisation file has five fields") {
  for (const std::string line : {"", " ", "i1", "i1 1 2 3", "i1 1 2 3 4 5", "i1 1 2 3 4 ", " i1 1 2 3 4", "i1  1 2 3 4",
                                 "i1\t1\t2\t3\t4", "# c", "i1 1 2 3  "}) {
    CAPTURE(line);
    CHECK(failure_of(line + "\n") == "Cannot parse line " + line + " (line 1)");
    CHECK(failure_of("i0 1 1 1 1\n" + line + "\ni2 x 1 1 1\n") == "Cannot parse line " + line + " (line 2)");
  }
  CHECK(failure_of("i1 1 2 3 4\n\n") == "Cannot parse line  (line 2)");
}

TEST_CASE("the numbers of a utilisation file are read strictly, the first bad one is told") {
  CHECK(failure_of("i1 1 2 x y\n") == "i1: cannot parse string 'x' (line 1)");
  CHECK(failure_of("i0 1 2 3 4\ni1 1 2 3 4x\n") == "i1: leftover characters when parsing '4x': 'x' (line 2)");
  CHECK(failure_of("i1 1 2 3 4\r\n") == "i1: leftover characters when parsing '4\r': '\r' (line 1)");
  CHECK(failure_of("i1 1 2 3 \r\n") == "i1: cannot parse string '\r' (line 1)");
  CHECK(failure_of("i1 .5 2 3 4\n") == "i1: cannot parse string '.5' (line 1)");
  CHECK(failure_of("i1 5. 2 3 4\n") == "i1: leftover characters when parsing '5.': '.' (line 1)");
  CHECK(failure_of("i1 +5 2 3 4\n") == "i1: cannot parse string '+5' (line 1)");
  CHECK(failure_of("i1 (1) 2 3 4\n") == "i1: cannot parse string '(1)' (line 1)");
  CHECK(failure_of("i1 0x10 2 3 4\n") == "i1: leftover characters when parsing '0x10': 'x10' (line 1)");
  CHECK(failure_of("i1 1 2 3 \xff\n") == "invalid byte sequence: not UTF-8 (line 1)");
}

TEST_CASE("of several lines for an instance the last one counts, unknown names do not") {
  htools::Cluster cluster = htools::read_text_cluster(
      "g|u|preferred|\n\n"
      "n1|65536|0|60000|102400|90000|8|N|u\n"
      "n2|65536|0|60000|102400|90000|8|N|u\n"
      "n3|65536|0|60000|102400|90000|8|N|u\n"
      "n4|65536|0|60000|102400|90000|8|N|u\n\n"
      "i1|128|1024|1|running|Y|n1||plain|\n"
      "i2|128|1024|1|running|Y|n2||plain|\n"
      "i3|128|1024|1|running|Y|n3||plain|\n"
      "i4|128|1024|1|running|Y|n4||plain|\n\n\n",
      "u.data");
  htools::PrepareOptions options;
  options.utilisation = htools::read_utilisation(
      "i1 0.0005 0 0 0\ni2 0.0025 0 0 0\ni3 9.9995 0 0 0\ni4 4.2445 0 0 0\nzz 1 1 1 1\ni4 4.2445 16 0 0\n");
  prepare(cluster, options);
  std::string loads;
  for (const htools::Node& node : cluster.nodes) {
    loads += fmt::format("{} {}; ", htools::format_fixed(node.books.load.cpu, 3),
                         htools::format_fixed(node.books.load.memory, 3));
  }
  CHECK(loads == "0.000 0.000; 0.002 0.000; 10.000 0.000; 4.244 16.000; ");
}

}  // namespace htools::utilisation_test
