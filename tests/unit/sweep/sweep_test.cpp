#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "htools/errors.h"
#include "sweep/records.h"
#include "sweep/scenario.h"
#include "sweep/study.h"
#include "sweep/table.h"
#include "tests/support/random.h"

namespace htools::sweep_test {

namespace {

void check_question(const std::vector<std::string>& words) {
  if (words.front() != "hcheck" && words.front() != "hplan") throw InputError(ErrorCode::UnknownName, "no such tool");
}

Study study_of(const std::string& members) {
  return read_study(
      R"({"schema":"htools.study/1","clusters":[{"simulate":"p,2,1g,1g,1"},{"simulate":["p,3,1g,1g,1"]}],)" + members +
          "}",
      "study.json", {check_question});
}

std::string message_of(const std::string& members) {
  try {
    study_of(members);
  } catch (const InputError& error) {
    return error.message();
  }
  return "no error";
}

std::string record(int number, const std::string& cluster, const std::string& question, int score) {
  return fmt::format(
      R"({{"schema":"htools.record/1","number":{},"count":4,"cluster":"{}","question":["{}"],"result":{{"score":{}}}}})",
      number, cluster, question, score);
}

}  // namespace

TEST_CASE("a study is the product of its lists, and its scenarios can be read back") {
  const Study study =
      study_of(R"("changes":[["","grow=20%"],["set-offline=n1","set-offline=n2 tag-node=n1:x",["grow=1%"]]],)"
               R"("questions":["hcheck",["hplan","-l","3"]],"seeds":[7,8])");
  CHECK_EQ(scenario_count(study), 2 * 2 * 3 * (1 + 2));
  std::vector<std::string> ids;
  std::int64_t number = 0;
  for_each_scenario(study, [&](const Scenario& s) {
    CHECK_EQ(s.number, ++number);
    std::string line = scenario_line(s);
    CHECK_EQ(line.back(), '\n');
    line.pop_back();
    CHECK_EQ(scenario_line(read_scenario(line)), line + "\n");
    CHECK_EQ(s.seed.has_value(), s.question.front() == "hplan");
    ids.push_back(s.id);
  });
  CHECK_EQ(number, scenario_count(study));
  std::sort(ids.begin(), ids.end());
  CHECK(std::adjacent_find(ids.begin(), ids.end()) == ids.end());
}

TEST_CASE("errors of a study name the field") {
  CHECK_EQ(message_of(R"("questions":["hbal"])"), "questions[0]: no such tool");
  CHECK_EQ(message_of(R"("questions":["hcheck -t x"])"), "questions[0]: the option -t is not for studies");
  CHECK_EQ(message_of(R"("questions":["hcheck"],"changes":[["grow=1%"],["explode=1"]])"),
           "changes[1]: there is no change 'explode'");
  CHECK_EQ(message_of(R"("questions":["hcheck"],"colours":[])"), "colours: there is no such field");
  CHECK_EQ(message_of(R"("seeds":[])"), "questions: the study has no questions");
  CHECK_THROWS_AS(read_study(R"({"schema":"htools.study/1","clusters":["/no/such"],"questions":["hcheck"]})", "s",
                             {check_question}),
                  InputError);
  CHECK_THROWS_AS(read_study("{", "s", {check_question}), InputError);
}

TEST_CASE("shards even out the costs") {
  htools::testing::Random random(5);
  for (const std::size_t count : {1UL, 2UL, 7UL}) {
    Shards shards(count);
    std::vector<std::int64_t> costs(count + 1);
    std::int64_t largest = 0;
    for (int i = 0; i < 1000; ++i) {
      const std::int64_t cost = random.between(1, 100);
      largest = std::max(largest, cost);
      costs[shards.next(cost)] += cost;
    }
    CHECK_EQ(costs[0], 0);
    CHECK_LE(*std::max_element(costs.begin() + 1, costs.end()) - *std::min_element(costs.begin() + 1, costs.end()),
             largest);
  }
}

TEST_CASE("a table has a cell for each row and column") {
  SweepTable table({{"cluster"}, "question", "result.score"});
  table.add(record(1, "a,b", "x", 3));
  table.add(record(2, "a,b", "y", 4));
  table.add(record(3, "c", "x", 5));
  CHECK_EQ(table.csv(), "cluster,x,y\n\"a,b\",3,4\nc,5,\n");
  CHECK_EQ(table.text(), " cluster x y\n a,b     3 4\n c       5 -\n");
  for (int score = 1; score <= 100; ++score) table.add(record(4, "many", "x", score));
  CHECK(table.csv().ends_with("many,5..50..95,\n"));
  const std::string json = table.json(4, {});
  CHECK(json.find(R"({"column":"y","records":1,"value":4})") != std::string::npos);
  CHECK(json.find(R"("value":{"p5":5,"p50":50,"p95":95})") != std::string::npos);
}

TEST_CASE("records are brought together, whatever the files") {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("htools-sweep-test-{}", ::getpid());
  std::filesystem::create_directory(folder);
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  };
  const std::string a = write("a", record(3, "c", "x", 1) + "\n" + record(1, "c", "x", 2) + "\n");
  const std::string b = write("b", record(1, "c", "x", 2) + "\n" + record(4, "c", "x", 2) + "\n{\"torn");
  const std::string other = write("other", record(3, "c", "x", 9) + "\n");
  Records records({a, b});
  CHECK_EQ(records.scenarios(), 4);
  CHECK_EQ(records.missing(), std::vector<std::int64_t>{2});
  std::vector<std::string> seen;
  records.for_each([&](std::string_view line) { seen.emplace_back(line); });
  CHECK_EQ(seen, std::vector<std::string>{record(1, "c", "x", 2), record(3, "c", "x", 1), record(4, "c", "x", 2)});
  CHECK_THROWS_WITH_AS(Records({a, other}),
                       fmt::format("the records of scenario 3 differ: {}, line 1 and {}, line 1", a, other).c_str(),
                       InputError);
  std::filesystem::remove_all(folder);
}

}  // namespace htools::sweep_test
