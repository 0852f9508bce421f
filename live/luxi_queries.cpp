#include "live/luxi_queries.h"

#include <string_view>
#include <vector>

namespace htools {
namespace {

// Asks for the fields of all rows of the table `what`; there is no filter.
template <class Fields>
std::string query(LuxiClient& daemon, std::string_view what, const Fields& fields) {
  std::vector<JsonText> names;
  names.reserve(fields.size());
  for (const LuxiField& field : fields) names.push_back(JsonText::string(field.name));
  return daemon.call("Query", JsonText::array({JsonText::string(what), JsonText::array(names), JsonText::null()}));
}

}  // namespace

LuxiAnswers ask_about_cluster(LuxiClient& daemon) {
  LuxiAnswers answers;
  answers.nodes = query(daemon, "node", kLuxiNodeFields);
  answers.instances = query(daemon, "instance", kLuxiInstanceFields);
  answers.cluster_info = daemon.call("QueryClusterInfo", JsonText::array({}));
  answers.groups = query(daemon, "group", kLuxiGroupFields);
  return answers;
}

}  // namespace htools
