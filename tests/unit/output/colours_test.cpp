#include "apps/output/colours.h"

#include <doctest/doctest.h>

namespace htools::colours_test {

namespace {

std::string without_sequences(std::string text) {
  for (std::size_t start; (start = text.find("\x1b[")) != std::string::npos;) {
    text.erase(start, text.find('m', start) + 1 - start);
  }
  return text;
}

}  // namespace

TEST_CASE("messages have their first words coloured") {
  CHECK(coloured("Error: no\n", Highlight::Messages) == "\x1b[1;31mError:\x1b[0m no\n");
  CHECK(coloured("Warning: a\n  - b\n\n", Highlight::Messages) == "\x1b[33mWarning:\x1b[0m a\n  - b\n\n");
  CHECK(coloured("\nError for c: d", Highlight::Messages) == "\n\x1b[1;31mError for \x1b[0mc: d");
  CHECK(coloured("An Error: no\n", Highlight::Messages) == "An Error: no\n");
}

TEST_CASE("tables of nodes have a bold header and coloured marks") {
  CHECK(coloured("\nTitle:\n F Name\n - n1  \n * n2  \n   n3  \n\n", Highlight::Table) ==
        "\nTitle:\n\x1b[1m F Name\x1b[0m\n \x1b[33m-\x1b[0m n1  \n \x1b[1;31m*\x1b[0m n2  \n   n3  \n\n");
  CHECK(coloured(" Name F\n *    -\n", Highlight::Table) == "\x1b[1m Name F\x1b[0m\n *    -\n");
}

TEST_CASE("a line feed in a name makes no other header") {
  CHECK(coloured(" F Name\n * a\nb 1\n * c 2\n", Highlight::Table) ==
        "\x1b[1m F Name\x1b[0m\n \x1b[1;31m*\x1b[0m a\nb 1\n \x1b[1;31m*\x1b[0m c 2\n");
}

TEST_CASE("groups that are not safe stand out, whatever their name is") {
  CHECK(coloured("Info:\n   Group N+1   Score\n   a     False  1.00\n   False True  12.00\n", Highlight::Groups) ==
        "Info:\n\x1b[1m   Group N+1   Score\x1b[0m\n   a     \x1b[31mFalse\x1b[0m  1.00\n   False True  12.00\n");
  CHECK(coloured(" \n \nx\n", Highlight::Groups) == "\x1b[1m \x1b[0m\n \nx\n");
}

TEST_CASE("counts above zero stand out") {
  CHECK(coloured("\nStatistics for group a: 3 initially\n    Nodes: 2\n    Others: 0\n    Group score: 1.50000000\n"
                 "    Cluster is not healthy: True\n",
                 Highlight::Health) ==
        "\n\x1b[1mStatistics for group a: 3 initially\x1b[0m\n    Nodes: \x1b[31m2\x1b[0m\n    Others: 0\n"
        "    Group score: 1.50000000\n    Cluster is not healthy: \x1b[31mTrue\x1b[0m\n");
}

TEST_CASE("sentences have one colour, line by line") {
  CHECK(coloured("Done\n\nall\n", Highlight::Good) == "\x1b[32mDone\x1b[0m\n\n\x1b[32mall\x1b[0m\n");
  CHECK(coloured("Hm\n", Highlight::Notice) == "\x1b[33mHm\x1b[0m\n");
  CHECK(coloured("No\n", Highlight::Bad) == "\x1b[31mNo\x1b[0m\n");
}

TEST_CASE("colours change nothing but colours") {
  for (const std::string text :
       {"", "\n", " ", "\n\n", "a", " a: ", "  \n:\n: \nError:", "Warning:\n F\n *\n - \n", "x: 1\n y: 2"}) {
    CAPTURE(text);
    for (const Highlight kind : {Highlight::None, Highlight::Messages, Highlight::Table, Highlight::Groups,
                                 Highlight::Health, Highlight::Good, Highlight::Notice, Highlight::Bad}) {
      CHECK(without_sequences(coloured(text, kind)) == text);
    }
    CHECK(coloured(text, Highlight::None) == text);
  }
}

TEST_CASE("answers of our own tools show in colour how bad something is") {
  const auto answer = [](std::string_view text) { return coloured(text, Highlight::Answer); };
  CHECK(answer("Yes, there is a place.\n") == "\x1b[32mYes\x1b[0m, there is a place.\n");
  CHECK(answer("  1. down: instance a\n") == "  1. \x1b[1;31mdown\x1b[0m: instance a\n");
  CHECK(answer("  1. group g: breach: node a\n") == "  1. group g: \x1b[33mbreach\x1b[0m: node a\n");
  CHECK(answer("# wave 3: mandatory: evacuates n\n") == "# wave 3: \x1b[33mmandatory\x1b[0m: evacuates n\n");
  CHECK(answer("line 1: a n1 => n2: refused: no\n") == "line 1: a n1 => n2: \x1b[31mrefused\x1b[0m: no\n");
  CHECK(answer("All groups (2 nodes, 1 instance): no, 1 of 2\n") ==
        "All groups (2 nodes, 1 instance): \x1b[31mno\x1b[0m, 1 of 2\n");
  CHECK(answer("Moves  3\n") == "Moves  3\n");
}

}  // namespace htools::colours_test
