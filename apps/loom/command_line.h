// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

namespace loom::app {

/// Makes every option of `app` and of all its subcommands refuse what CLI11 lets pass: a number below 0 where none may
/// be, which it wraps around to a huge one, and "nan" and "inf" where a number is wanted. Ranges stand in the help as
/// "1..1000".
void refuse_odd_numbers(CLI::App& app);

/// Tells what is wrong with the words of the command line, or prints the help they ask for; returns the exit status.
int tell(const CLI::App& app, const CLI::ParseError& error, int argc, const char* const* argv);

/// Runs `body` and returns its exit status. As a last resort catches whatever it throws, and tells; and tells where
/// standard output did not take what was written to it, a full disk for example. Neither ends in 0.
int guard(const std::function<int()>& body);

}  // namespace loom::app
