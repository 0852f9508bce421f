#include "report/refusal_sentence.h"

#include "answer/refusal_text.h"
#include "base/amounts.h"

namespace htools {

std::string refusal_sentence(const Cluster& cluster, std::string_view instance, const Refusal& refusal) {
  return to_text(cluster, instance, refusal, AmountForm::Rounded);
}

std::string reason_sentence(const Cluster& cluster, std::string_view instance, const Refusal& refusal) {
  return reason_text(cluster, instance, refusal, AmountForm::Rounded);
}

}  // namespace htools
