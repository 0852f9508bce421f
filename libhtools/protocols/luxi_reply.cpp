#include "protocols/luxi_reply.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "cluster/names.h"
#include "htools/errors.h"
#include "protocols/facts_json.h"

namespace htools {
namespace {

// The beginning of errors that have no form of their own.
constexpr std::string_view kUnhandled = "Unhandled Ganeti error: ";

// Returns the argument of an exception that must have exactly one. Exceptions have an array of none, one or several
// arguments.
JsonValue only_argument(JsonArray arguments) {
  if (arguments.size() != 1)
    throw InputError(ErrorCode::Unreachable, fmt::format("expected one argument, got {}", arguments.size()));
  return *arguments.begin();
}
std::string text_argument(JsonArray arguments) { return json_text(only_argument(arguments)); }

// Returns the elements of an array that must have `size` of them. `name` is the type that errors name.
std::vector<JsonValue> tuple(JsonArray values, std::size_t size, std::string_view name) {
  if (values.size() != size) throw InputError(ErrorCode::Unreachable, fmt::format("Unable to read {}", name));
  std::vector<JsonValue> elements;
  for (const JsonValue value : values) elements.push_back(value);
  return elements;
}
std::vector<JsonValue> pair(JsonArray values) { return tuple(values, 2, "Pair"); }
std::vector<JsonValue> triple(JsonArray values) { return tuple(values, 3, "Triple"); }

std::string show_negative_in_parentheses(std::int64_t number) {
  return number < 0 ? fmt::format("({})", number) : fmt::to_string(number);
}

// The classes of prerequisites that are not met. The tables below have their names in replies and in messages.
enum class CallerError : std::uint8_t {};
constexpr std::array<std::string_view, 10> kCallerErrors{
    "resolver_error", "insufficient_resources", "temp_insufficient_resources", "wrong_input",    "wrong_state",
    "unknown_entity", "already_exists",         "resource_not_unique",         "internal_error", "environment_error"};
constexpr std::array<std::string_view, kCallerErrors.size()> kShownCallerErrors{
    "ECodeResolver", "ECodeNoRes",  "ECodeTempNoRes", "ECodeInval", "ECodeState",
    "ECodeNoEnt",    "ECodeExists", "ECodeNotUnique", "ECodeFault", "ECodeEnviron"};

std::string unmet_prerequisites(JsonArray arguments) {
  const std::vector<JsonValue> values = pair(arguments);
  const std::string message = json_text(values[0]);
  const auto code = parse_name<CallerError>(json_name(values[1], "ErrorCode"), kCallerErrors, "ErrorCode");
  return fmt::format("Failure: prerequisites not met for this operation:\nerror type: {}, error details:\n{}",
                     kShownCallerErrors[static_cast<std::size_t>(code)], message);
}

std::string unknown_host(JsonArray arguments) {
  const std::vector<JsonValue> values = triple(arguments);
  const std::string host = json_text(values[0]);
  json_int(values[1]);
  json_text(values[2]);
  return fmt::format("Failure: can't resolve hostname {}", host);
}

std::string failed_hooks(JsonArray arguments) {
  std::string text = "Failure: hooks execution failed:\n";
  for (const JsonValue hook : json_array(only_argument(arguments))) {
    if (hook.kind() != JsonKind::Array) throw InputError(ErrorCode::Unreachable, "Unable to read Triple");
    const std::vector<JsonValue> values = triple(JsonArray(hook));
    const std::string node = json_text(values[0]);
    const std::string script = json_text(values[1]);
    const std::string output = json_text(values[2]);
    text += fmt::format("  node: {}, script: {}{}{}\n", node, script,
                        output.empty() ? " (no output)" : ", output: ", output);
  }
  return text;
}

std::string full_queue(JsonArray arguments) {
  if (!arguments.empty()) throw InputError(ErrorCode::Unreachable, "Unable to read ()");
  return "Failure: the job queue is full and doesn't accept new job submissions until old jobs are archived";
}

std::string drained_queue(JsonArray arguments) {
  text_argument(arguments);
  return "Failure: the job queue is marked for drain and doesn't accept new requests";
}

std::string other_version(JsonArray arguments) {
  const std::vector<JsonValue> values = pair(arguments);
  const std::int64_t expected = json_int(values[0]);
  return fmt::format("Unhandled exception: ConfigVersionMismatch {} {}", show_negative_in_parentheses(expected),
                     show_negative_in_parentheses(json_int(values[1])));
}

std::string bad_certificate(JsonArray arguments) {
  const std::vector<JsonValue> values = pair(arguments);
  const std::string file = json_text(values[0]);
  return fmt::format("Unhandled exception: X509CertError {} {}", quote(file), quote(json_text(values[1])));
}

// An exception whose arguments are not just one text, or whose text is not shown.
struct ShapedError {
  std::string_view name;
  std::string (*describe)(JsonArray arguments);
};
constexpr std::array<ShapedError, 7> kShapedErrors{{
    {"OpPrereqError", unmet_prerequisites},
    {"ResolverError", unknown_host},
    {"HooksAbort", failed_hooks},
    {"JobQueueFull", full_queue},
    {"JobQueueDrainError", drained_queue},
    {"ConfigVersionMismatch", other_version},
    {"X509CertError", bad_certificate},
}};

// An exception whose argument is one text, and the words around it in the message.
struct TextError {
  std::string_view name;
  std::string_view before;
  std::string_view after;
};
constexpr std::array<TextError, 9> kTextErrors{{
    {"GenericError", kUnhandled, ""},
    {"OpExecError", "Failure: command execution error:\n", ""},
    {"ConfigurationError", "Corrupt configuration file: ", "\nAborting."},
    {"ParameterError", "Failure: unknown/wrong parameter name '", "'"},
    {"TypeEnforcementError", "Parameter Error: ", ""},
    {"TagError", "Failure: invalid tag(s) given:\n", ""},
    {"HooksFailure", "Failure: hooks general failure: ", ""},
    {"JobLost", "Error checking job status: ", ""},
    {"QueryFilterParseError", "Error while parsing query filter: ", ""},
}};

// The exceptions whose argument is one text and whose message includes their name.
constexpr std::array<std::string_view, 26> kNamedErrors{
    "LockError",           "PidFileLockError", "HypervisorError", "ProgrammerError", "BlockDeviceError",
    "ReservationError",    "RemoteError",      "SignatureError",  "OpResultError",   "ResultValidationError",
    "OpCodeUnknown",       "JobFileCorrupted", "UnitParseError",  "ParseError",      "CommandError",
    "StorageError",        "InotifyError",     "JobQueueError",   "ConfdMagicError", "ConfdClientError",
    "UdpDataSizeError",    "NoCtypesError",    "IPAddressError",  "LuxiError",       "RapiTestResult",
    "FileStoragePathError"};

// Returns the message for an exception with the arguments `value`.
std::string describe(std::string_view name, JsonValue value) {
  const auto is_named = [&](const auto& error) { return error.name == name; };
  const auto* shaped = std::find_if(kShapedErrors.begin(), kShapedErrors.end(), is_named);
  if (shaped != kShapedErrors.end()) return shaped->describe(json_array(value));
  const auto* text = std::find_if(kTextErrors.begin(), kTextErrors.end(), is_named);
  if (text != kTextErrors.end())
    return fmt::format("{}{}{}", text->before, text_argument(json_array(value)), text->after);
  if (std::find(kNamedErrors.begin(), kNamedErrors.end(), name) == kNamedErrors.end()) {
    throw InputError(ErrorCode::Unreachable, fmt::format("Unknown exception '{}'", name));
  }
  return fmt::format("Unhandled exception: {} {}", name, quote(text_argument(json_array(value))));
}

// Returns the message for the exception of a daemon: [NAME, [ARGUMENT, ...]].
std::string describe_failure(JsonValue exception) {
  const bool is_pair = exception.kind() == JsonKind::Array && JsonArray(exception).size() == 2;
  const std::vector<JsonValue> parts = is_pair ? pair(JsonArray(exception)) : std::vector<JsonValue>();
  if (!is_pair || parts[0].kind() != JsonKind::String) {
    throw InputError(ErrorCode::Unreachable, "Invalid exception: expected '(string, [args])'");
  }
  return describe(parts[0].text(), parts[1]);
}

JsonDocument parse(std::string text) {
  // The daemons refuse the replacement character as well.
  if (!is_utf8(text) || text.find("\xEF\xBF\xBD") != std::string::npos) {
    throw InputError(ErrorCode::Unreachable, "Failed to decode UTF-8, detected replacement char after decoding");
  }
  try {
    return JsonDocument(std::move(text));
  } catch (const InputError& error) {
    throw error.annotated("Parsing LUXI response: ");
  }
}

// Returns the outermost object of a reply.
JsonObject envelope(const JsonDocument& document) try {
  return json_object(document.root());
} catch (const InputError& error) {
  throw error.annotated("Parsing LUXI response: ");
}

// Returns the result of `read`. Its errors are about the reply itself, and begin with kUnhandled.
template <class Read>
auto read_reply(Read read) {
  try {
    return read();
  } catch (const InputError& error) {
    throw error.annotated(std::string(kUnhandled));
  }
}

// The outcome of a call: its result, or the exception that the daemon reports.
struct CallOutcome {
  bool success;
  JsonValue result;
};

CallOutcome read_outcome(const JsonDocument& document) {
  const JsonObject reply = envelope(document);
  const bool success = reply.get("success", json_bool);
  return {success, reply.get("result", as_it_is)};
}

// Returns the result of a call that succeeded. Throws InputError otherwise.
JsonValue successful_result(const JsonDocument& document) {
  const CallOutcome outcome = read_reply([&] { return read_outcome(document); });
  if (outcome.success) return outcome.result;
  throw InputError(ErrorCode::Unreachable,
                   read_reply([&] { return json_converted(outcome.result, describe_failure); }));
}

}  // namespace

LuxiReply::LuxiReply(std::string text)
    : document_(read_reply([&] { return parse(std::move(text)); })), result_(successful_result(document_)) {}

}  // namespace htools
