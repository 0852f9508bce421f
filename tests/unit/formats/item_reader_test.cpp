#include "formats/item_reader.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "htools/errors.h"

namespace htools::item_reader_test {
namespace {

// Returns the message and the place of the error that reading the text as a file ends with.
std::string error_of(const std::string& text) {
  try {
    read_items(text, "items");
  } catch (const InputError& error) {
    return error.where() + " " + error.message();
  }
  return "no error";
}

TEST_CASE("an item is one instance with a name, or several with numbered names") {
  const std::vector<NewInstance> one = read_item("new1,drbd,100g,8g,2");
  REQUIRE(one.size() == 1);
  CHECK(one[0].name == "new1");
  CHECK(one[0].disk_template == DiskTemplate::Drbd);
  CHECK(one[0].disk_mib == 102400);
  CHECK(one[0].memory_mib == 8192);
  CHECK(one[0].vcpus == 2);
  CHECK(one[0].tags.empty());

  const std::vector<NewInstance> many = read_item("40*web,rbd,20g,4096,2,tag:service:web,tag:b");
  REQUIRE(many.size() == 40);
  CHECK(many[0].name == "web-1");
  CHECK(many[39].name == "web-40");
  CHECK(many[39].tags == std::vector<std::string>{"service:web", "b"});
  CHECK(read_item("1*a,diskless,0,1g,1").front().name == "a-1");
}

TEST_CASE("a number stands before the domain of a name") {
  CHECK(numbered_name("web", 2) == "web-2");
  CHECK(numbered_name("web.example.com", 12) == "web-12.example.com");
  CHECK(read_item("2*web.x,drbd,1g,1g,1")[1].name == "web-2.x");
}

TEST_CASE("a file has one item in each line") {
  const std::vector<NewInstance> items =
      read_items("# wanted\n\na,plain,1g,1g,1  # first\r\n 2*b,file,1g,1g,1", "items");
  REQUIRE(items.size() == 3);
  CHECK(items[0].name == "a");
  CHECK(items[2].name == "b-2");
}

TEST_CASE("an error says which part is wrong and in which line") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"\na,drbd,1g", "items, line 2 Invalid instance specification 'a,drbd,1g': it has 3 parts (expected 5 or more)"},
      {"0*a,drbd,1g,1g,1", "count '0' (expected an integer from 1 to 1000000)"},
      {"9999999*a,drbd,1g,1g,1", "count '9999999' (expected"},
      {"x*a,drbd,1g,1g,1", "count 'x' (expected"},
      {",drbd,1g,1g,1", "the name is empty"},
      {"a|b,drbd,1g,1g,1", "must not contain '|'"},
      {"a,drdb,1g,1g,1", "unknown disk template 'drdb' (expected one of diskless, "},
      {"a,drbd,-1,1g,1", "disk '-1' (expected a size of at least 0 MiB"},
      {"a,drbd,1x,1g,1", "disk '1x' (expected a size"},
      {"a,drbd,1g,0,1", "memory '0' (expected a size of at least 1 MiB"},
      {"a,drbd,1g,1g,1.5", "cpus '1.5' (expected an integer from 1"},
      {"a,drbd,1g,1g,1,web", "'web' after the cpus (expected tag:TAG)"},
      {"a,diskless,1g,1g,1", "a diskless instance has no disk"},
  };
  for (const auto& example : cases) {
    CAPTURE(example.first);
    const std::string error = error_of(example.first);
    CAPTURE(error);
    CHECK(error.find(example.second) != std::string::npos);
  }
}

TEST_CASE("names of instances to be must be free") {
  Cluster cluster;
  cluster.instances.resize(1);
  cluster.instances[0].facts.edit().name = "a";
  CHECK_NOTHROW(require_free_names(cluster, read_item("b,plain,1g,1g,1")));
  CHECK_THROWS_AS(require_free_names(cluster, read_item("a,plain,1g,1g,1")), InputError);
  CHECK_THROWS_AS(require_free_names(cluster, read_items("b,plain,1g,1g,1\nb,plain,1g,1g,1", "f")), InputError);
}

}  // namespace
}  // namespace htools::item_reader_test
