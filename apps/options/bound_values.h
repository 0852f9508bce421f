// The values of options, as Boost.Program_options reads, stores and delivers them. Each value is bound to the variable
// that receives it. An option that is not given leaves its variable as it is, so the defaults are the initial values of
// the variables, and are written only once.
//
// Boost's own values are not used, because they refuse a repeated option and word their errors differently. A parser
// throws InputError with the text for the user, which passes through Boost unchanged.
#pragma once

#include <boost/any.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace htools {

struct OptionFacts;

enum class ArgumentKind : std::uint8_t { None, Required, Optional };

namespace detail {

// The type that a parser returns for a variable: the type of the variable or, if that is a std::optional, of its value.
template <class Variable>
struct Parsed {
  using Type = Variable;
};
template <class Held>
struct Parsed<std::optional<Held>> {
  using Type = Held;
};

// The base of all values, whatever their types. It tells Boost how many arguments the option takes.
class Value : public boost::program_options::value_semantic {
 public:
  explicit Value(ArgumentKind kind) : kind_(kind) {}

  // Sets the option whose value this is: the help text shows the name of its argument, and errors name it. The facts
  // must outlive the value.
  void belong_to(const OptionFacts& facts) { facts_ = &facts; }

  std::string name() const override;
  // Reads the argument, as Boost calls it. An error of the parser gets the name of the option, and advice.
  void parse(boost::any& stored, const std::vector<std::string>& words, bool utf8) const final;
  unsigned min_tokens() const override { return kind_ == ArgumentKind::Required ? 1 : 0; }
  unsigned max_tokens() const override { return kind_ == ArgumentKind::None ? 0 : 1; }
  bool is_composing() const override { return false; }
  bool is_required() const override { return false; }
  bool apply_default(boost::any& /*stored*/) const override { return false; }

 private:
  virtual void read(boost::any& stored, const std::vector<std::string>& words) const = 0;

  ArgumentKind kind_;
  const OptionFacts* facts_ = nullptr;
};

// A value that is bound to the variable that receives it.
template <ArgumentKind kArgument, class Variable>
class BoundValue : public Value {
 public:
  static constexpr ArgumentKind kKind = kArgument;
  using Type = typename Parsed<Variable>::Type;

  explicit BoundValue(Variable& variable) : Value(kKind), variable_(variable) {}

  void notify(const boost::any& stored) const override { variable_ = boost::any_cast<const Type&>(stored); }

 private:
  Variable& variable_;
};

// The classes of values. The functions below, which make these values, describe their behaviour.
template <class Variable>
class RequiredValue final : public BoundValue<ArgumentKind::Required, Variable> {
 public:
  using Type = typename Parsed<Variable>::Type;
  using Parser = Type (*)(std::string_view);

  RequiredValue(Variable& variable, Parser parser)
      : BoundValue<ArgumentKind::Required, Variable>(variable), parser_(parser) {}

  void read(boost::any& stored, const std::vector<std::string>& words) const override {
    stored = parser_(words.front());
  }

 private:
  Parser parser_;
};

template <class Variable>
class OptionalValue final : public BoundValue<ArgumentKind::Optional, Variable> {
 public:
  using Type = typename Parsed<Variable>::Type;
  using Parser = Type (*)(std::optional<std::string_view>);

  OptionalValue(Variable& variable, Parser parser)
      : BoundValue<ArgumentKind::Optional, Variable>(variable), parser_(parser) {}

  void read(boost::any& stored, const std::vector<std::string>& words) const override {
    stored = parser_(words.empty() ? std::nullopt : std::optional<std::string_view>(words.front()));
  }

 private:
  Parser parser_;
};

class RepeatedValue final : public BoundValue<ArgumentKind::Required, std::vector<std::string>> {
 public:
  explicit RepeatedValue(std::vector<std::string>& variable) : BoundValue(variable) {}

  bool is_composing() const override { return true; }

  void read(boost::any& stored, const std::vector<std::string>& words) const override {
    if (stored.empty()) stored = std::vector<std::string>();
    boost::any_cast<std::vector<std::string>&>(stored).push_back(words.front());
  }
};

// Adds "NAME=VALUE" to a list that several options share, in command-line order.
class SequencedValue final : public Value {
 public:
  SequencedValue(std::vector<std::string>& list, std::string_view name) : Value(kKind), list_(list), name_(name) {}
  static constexpr ArgumentKind kKind = ArgumentKind::Required;

  bool is_composing() const override { return true; }

  // Boost parses the values in command-line order, but hands them out by the names of the options.
  void read(boost::any& stored, const std::vector<std::string>& words) const override {
    list_.push_back(std::string(name_) + "=" + words.front());
    stored = true;
  }
  void notify(const boost::any& /*stored*/) const override {}

 private:
  std::vector<std::string>& list_;
  std::string_view name_;
};

class FlagValue final : public BoundValue<ArgumentKind::None, bool> {
 public:
  FlagValue(bool& variable, bool meaning) : BoundValue(variable), meaning_(meaning) {}

  void read(boost::any& stored, const std::vector<std::string>& /*words*/) const override { stored = meaning_; }

 private:
  bool meaning_;
};

class CountValue final : public BoundValue<ArgumentKind::None, int> {
 public:
  CountValue(int& variable, int step) : BoundValue(variable), variable_(variable), step_(step) {}

  void read(boost::any& stored, const std::vector<std::string>& /*words*/) const override {
    stored = step_ + (stored.empty() ? 0 : boost::any_cast<int>(stored));
  }
  void notify(const boost::any& stored) const override { variable_ += boost::any_cast<int>(stored); }

 private:
  int& variable_;
  int step_;
};

}  // namespace detail

// The value of an option, of any type. Boost.Program_options takes ownership of it.
using OptionValue = std::unique_ptr<detail::Value>;

// Makes a value with a required argument, which `parser` converts. If the option is repeated, the last value counts.
template <class Variable>
auto required(Variable& variable, typename detail::RequiredValue<Variable>::Parser parser) {
  return std::make_unique<detail::RequiredValue<Variable>>(variable, parser);
}

// Makes a value with a required argument, which is taken literally.
template <class Variable>
auto required(Variable& variable) {
  return required(variable, [](std::string_view text) { return std::string(text); });
}

// Makes a value whose argument may be left out; then `parser` gets no text and decides the value. If the option is
// repeated, the last value counts.
template <class Variable>
auto optional(Variable& variable, typename detail::OptionalValue<Variable>::Parser parser) {
  return std::make_unique<detail::OptionalValue<Variable>>(variable, parser);
}

// Makes a value with a required argument. The arguments of a repeated option are collected in command-line order.
inline auto repeated(std::vector<std::string>& variable) { return std::make_unique<detail::RepeatedValue>(variable); }

// Makes a value with a required argument. Each occurrence adds "NAME=ARGUMENT" to the list, which several options
// share; the list is in command-line order.
inline auto sequenced(std::vector<std::string>& list, std::string_view name) {
  return std::make_unique<detail::SequencedValue>(list, name);
}

// Makes a value without an argument: the option sets the variable to `meaning`.
inline auto flag(bool& variable, bool meaning = true) { return std::make_unique<detail::FlagValue>(variable, meaning); }

// Makes a value without an argument: each occurrence of the option adds `step` to the variable.
inline auto count(int& variable, int step) { return std::make_unique<detail::CountValue>(variable, step); }

}  // namespace htools
