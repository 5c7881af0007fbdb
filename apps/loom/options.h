// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace loom::app {

/// What a word given to an option must be: says what is wrong with it, nothing where it is good. Its description stands
/// in the help.
struct Check {
  std::function<std::string(std::string&)> fault;
  std::string description;
};

/// A number from `low` to `high`, both included.
template <typename Number>
Check between(Number low, Number high);
Check positive();      ///< a number above 0
Check not_negative();  ///< a number from 0 on
Check not_empty();     ///< a word of one letter at least

/// An option of a command, to be said more of: `options.add_option(...)->required()->check(positive())`.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option* operator->() { return this; }

  Option required();
  Option check(const Check& check);
  /// What stands for the value in the help.
  Option type_name(const std::string& name);
  /// Shows the value that stands there now as the one it has when it is not given.
  Option capture_default_str();
  Option needs(const Option& other);
  Option excludes(const Option& other);
  /// One word with several values, between which `between` stands.
  Option delimiter(char between);
  Option expected(int values);
  /// Whether one flag may be followed by several words.
  Option allow_extra_args(bool allowed);
  /// Takes one of a few words, in large or small letters.
  Option one_of(const std::vector<std::string>& words);

  [[nodiscard]] CLI::Option* get() const { return option_; }

 private:
  CLI::Option* option_;
};

/// The options of a command: CLI11 behind a few words, since its header takes seconds to compile and each command would
/// have to read it.
class Options {
 public:
  explicit Options(CLI::App& app) : app_(app) {}

  /// Adds an option whose value goes to `value`, which must live as long as the command. Which types there are stands
  /// at the end of options.cc.
  template <typename Value>
  Option add_option(const std::string& names, Value& value, const std::string& what);
  Option add_flag(const std::string& names, bool& value, const std::string& what);
  /// The same with something to do in place of a variable.
  template <typename Value>
  Option add_option_function(const std::string& names, const std::function<void(const Value&)>& take,
                             const std::string& what);
  Option add_callback(const std::string& names, const std::function<void()>& act, const std::string& what);

  /// How often an option was given; 0 for one that the command does not have.
  [[nodiscard]] std::size_t count(const std::string& name) const;

  [[nodiscard]] CLI::App& app() const { return app_; }

 private:
  CLI::App& app_;
};

}  // namespace loom::app
