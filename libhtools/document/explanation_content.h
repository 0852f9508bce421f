// The content of documents of the kind htools.explanation/1: answers to the questions why, why not and what if.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "explain/drill.h"
#include "explain/instance_explanation.h"
#include "explain/node_explanation.h"
#include "explain/place_explanation.h"
#include "explain/rule_explanation.h"
#include "explain/score_explanation.h"

namespace htools {

// What was asked.
enum class ExplainedQuestion : std::uint8_t { Place, Instance, Move, Node, Lose, Score, Rules };
inline constexpr std::array<std::string_view, 7> kExplainedQuestions{"place", "instance", "move", "node",
                                                                     "lose",  "score",    "rules"};

// An answer. The member that belongs to the question is set; of Lose, one of two.
struct ExplanationContent {
  ExplainedQuestion question = ExplainedQuestion::Place;
  bool yes = true;  // false if the answer is no, or something would be lost
  std::optional<PlaceExplanation> place = {};
  std::optional<InstanceExplanation> instance = {};
  std::optional<MoveExplanation> move = {};
  std::optional<NodeExplanation> node = {};
  std::optional<Drill> loss = {};
  std::optional<DrillTable> losses = {};
  std::optional<std::vector<ScoreExplanation>> scores = {};
  std::optional<RuleExplanation> rules = {};
};

}  // namespace htools
