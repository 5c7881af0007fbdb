// SPDX-License-Identifier: MIT
#include "loom/options.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace loom::app {
namespace {

Check check_of(const CLI::Validator& validator) {
  return {[validator](std::string& word) { return validator(word); }, validator.get_description()};
}

}  // namespace

template <typename Number>
Check between(Number low, Number high) {
  return check_of(CLI::Range(low, high));
}

// In words of our own: CLI11's name the largest number there is, with all its digits.
Check positive() {
  return {[](std::string& word) {
            double value = 0;
            if (CLI::detail::lexical_cast(word, value) && value > 0) return std::string();
            return fmt::format("{} is no number above 0", word);
          },
          CLI::PositiveNumber.get_description()};
}

Check not_negative() {
  return {[](std::string& word) {
            double value = 0;
            if (CLI::detail::lexical_cast(word, value) && value >= 0) return std::string();
            return fmt::format("{} is no number from 0 on", word);
          },
          CLI::NonNegativeNumber.get_description()};
}

Check not_empty() {
  return {[](std::string& word) { return word.empty() ? std::string("there is nothing in it") : std::string(); }, ""};
}

Option Option::required() { return Option(option_->required()); }

Option Option::check(const Check& check) {
  return Option(option_->check(CLI::Validator(check.fault, check.description)));
}

Option Option::type_name(const std::string& name) { return Option(option_->type_name(name)); }

Option Option::capture_default_str() { return Option(option_->capture_default_str()); }

Option Option::needs(const Option& other) { return Option(option_->needs(other.option_)); }

Option Option::excludes(const Option& other) { return Option(option_->excludes(other.option_)); }

Option Option::delimiter(char between) { return Option(option_->delimiter(between)); }

Option Option::expected(int values) { return Option(option_->expected(values)); }

Option Option::allow_extra_args(bool allowed) { return Option(option_->allow_extra_args(allowed)); }

Option Option::one_of(const std::vector<std::string>& words) {
  const std::string told = fmt::format("{}", fmt::join(words, "|"));
  const auto take = [words, told](std::string& given) -> std::string {
    const std::string small = CLI::detail::to_lower(given);
    const auto found = std::find(words.begin(), words.end(), small);
    if (found == words.end()) return fmt::format("'{}' is not one of {}", given, told);
    given = *found;
    return {};
  };
  return Option(option_->type_name(told)->transform(CLI::Validator(take, "")));
}

template <typename Value>
Option Options::add_option(const std::string& names, Value& value, const std::string& what) {
  return Option(app_.add_option(names, value, what));
}

Option Options::add_flag(const std::string& names, bool& value, const std::string& what) {
  return Option(app_.add_flag(names, value, what));
}

template <typename Value>
Option Options::add_option_function(const std::string& names, const std::function<void(const Value&)>& take,
                                    const std::string& what) {
  return Option(app_.add_option_function<Value>(names, take, what));
}

Option Options::add_callback(const std::string& names, const std::function<void()>& act, const std::string& what) {
  return Option(app_.add_flag_callback(names, act, what));
}

std::size_t Options::count(const std::string& name) const {
  const CLI::Option* option = app_.get_option_no_throw(name);
  return option == nullptr ? 0 : option->count();
}

template Check between(int, int);
template Check between(std::size_t, std::size_t);
template Check between(double, double);

template Option Options::add_option_function(const std::string&, const std::function<void(const std::string&)>&,
                                             const std::string&);
template Option Options::add_option_function(const std::string&, const std::function<void(const double&)>&,
                                             const std::string&);

template Option Options::add_option(const std::string&, std::string&, const std::string&);
template Option Options::add_option(const std::string&, std::vector<std::string>&, const std::string&);
template Option Options::add_option(const std::string&, std::vector<double>&, const std::string&);
template Option Options::add_option(const std::string&, double&, const std::string&);
template Option Options::add_option(const std::string&, float&, const std::string&);
template Option Options::add_option(const std::string&, int&, const std::string&);
template Option Options::add_option(const std::string&, std::size_t&, const std::string&);
template Option Options::add_option(const std::string&, std::uint16_t&, const std::string&);
template Option Options::add_option(const std::string&, std::optional<double>&, const std::string&);
template Option Options::add_option(const std::string&, std::optional<float>&, const std::string&);
template Option Options::add_option(const std::string&, std::optional<std::size_t>&, const std::string&);
template Option Options::add_option(const std::string&, std::optional<std::string>&, const std::string&);

}  // namespace loom::app
