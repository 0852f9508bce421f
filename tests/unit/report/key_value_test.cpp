#include "report/key_value.h"

#include <doctest/doctest.h>

namespace htools::key_value_test {

using htools::format_key_value;

TEST_CASE("values of letters, numbers and dots are bare, others are quoted") {
  CHECK(format_key_value("HTS", "ini_score", "0.25") == "HTS_INI_SCORE=0.25\n");
  CHECK(format_key_value("HTS", "Ok", "1") == "HTS_OK=1\n");
  CHECK(format_key_value("HTS", "TSPEC", "") == "HTS_TSPEC=\n");
  CHECK(format_key_value("HTS", "INI_MEM_OVERHEAD", "-808") == "HTS_INI_MEM_OVERHEAD='-808'\n");
  CHECK(format_key_value("HTS", "TSPEC", "1,2,3,4=5 6,7,8,9=1") == "HTS_TSPEC='1,2,3,4=5 6,7,8,9=1'\n");
  CHECK(format_key_value("HCHECK", "group_uuid_0", "u-1") == "HCHECK_GROUP_UUID_0='u-1'\n");
  CHECK(format_key_value("HTS", "K", "NaN") == "HTS_K=NaN\n");
  CHECK(format_key_value("HTS", "K", "a\nb$c") == "HTS_K='a\nb$c'\n");
}

TEST_CASE("letters and numbers of all scripts count") {
  for (const char* bare : {"é", "½", "ª", "Ⅰ", "٠", "中", "²", "ˆ"}) {
    CHECK(format_key_value("K", "V", bare) == "K_V=" + std::string(bare) + "\n");
  }
  for (const char* quoted : {"e\u0301", "€", "\u0903", "·", "😀", "\xff", "a\xc3"}) {
    CHECK(format_key_value("K", "V", quoted) == "K_V='" + std::string(quoted) + "'\n");
  }
}

TEST_CASE("a shell that evaluates a value gets it as it is") {
  CHECK(format_key_value("HTS", "K", "it's") == R"(HTS_K='it'\''s')"
                                                "\n");
  CHECK(format_key_value("HTS", "K", "'; x #") == R"(HTS_K=''\''; x #')"
                                                  "\n");
}

}  // namespace htools::key_value_test
