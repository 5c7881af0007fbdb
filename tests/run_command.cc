// SPDX-License-Identifier: MIT
#include "tests/run_command.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/temporary_folder.h"

namespace loom::testing {
namespace {

void redirect(int descriptor, const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(file, descriptor);
}

/// In the child: becomes the program, or ends with 127.
[[noreturn]] void become_program(std::vector<char*>& words, const std::string& out, const std::string& err,
                                 long file_bytes) {
  redirect(STDOUT_FILENO, out);
  redirect(STDERR_FILENO, err);
  if (file_bytes >= 0) {
    const auto bytes = static_cast<rlim_t>(file_bytes);
    const rlimit limit{bytes, bytes};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, SIG_IGN);  // so that writing fails instead, as it does on a full disk
  }
  ::execv(words[0], words.data());
  std::_Exit(127);
}

/// Waits until the process catches SIGINT, or has ended.
void wait_until_it_listens(pid_t process) {
  const std::string status = "/proc/" + std::to_string(process) + "/status";
  for (;;) {
    std::ifstream file(status);
    std::string word;
    unsigned long caught = 0;
    bool ended = true;
    while (file >> word) {
      if (word == "State:") ended = file >> word && word == "Z";
      if (word == "SigCgt:") file >> std::hex >> caught;
    }
    if (ended || (caught >> (SIGINT - 1) & 1) != 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The names under "Subcommands:" of a help.
std::vector<std::string> subcommands_in(const std::string& help) {
  std::vector<std::string> names;
  std::istringstream lines(help);
  bool listing = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("Subcommands:")) {
      listing = true;
    } else if (listing && line.size() > 2 && line.starts_with("  ") && line[2] != ' ') {
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
    } else if (!line.starts_with(' ')) {
      listing = false;
    }
  }
  return names;
}

/// Adds what is below `words` to `all`; true where something is.
bool collect_below(std::vector<std::string> words, bool groups, std::vector<std::vector<std::string>>& all) {
  words.emplace_back("--help");
  const std::vector<std::string> below = subcommands_in(run_loom(words).out);
  for (const std::string& name : below) {
    words.back() = name;
    const std::size_t at = all.size();
    all.push_back(words);
    if (collect_below(words, groups, all) && !groups) all.erase(all.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return !below.empty();
}

/// Whether `child` has; it is still to be waited for.
bool has_ended(pid_t child) {
  siginfo_t ended{};
  return ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid != 0;
}

/// Kills `child` after this time, unless it has ended by then; either way it is still to be waited for.
void kill_later(pid_t child, std::chrono::microseconds time) {
  constexpr std::chrono::microseconds kLook = std::chrono::milliseconds(5);
  for (std::chrono::microseconds left = time; left.count() > 0; left -= kLook) {
    std::this_thread::sleep_for(std::min(left, kLook));
    if (has_ended(child)) return;
  }
  ::kill(child, SIGKILL);
}

}  // namespace

std::vector<std::vector<std::string>> commands_and_groups() {
  std::vector<std::vector<std::string>> all;
  collect_below({}, true, all);
  return all;
}

std::vector<std::vector<std::string>> all_commands() {
  std::vector<std::vector<std::string>> all;
  collect_below({}, false, all);
  return all;
}

CommandRun run_loom(const std::vector<std::string>& arguments, const CommandLimits& limits) {
  return run_program(LOOM_COMMAND, arguments, limits);
}

CommandRun run_program(const std::string& path, const std::vector<std::string>& arguments,
                       const CommandLimits& limits) {
  const TemporaryFolder folder;
  const std::string out = folder.file("out"), err = folder.file("err");
  std::vector<std::string> copies = {path};
  copies.insert(copies.end(), arguments.begin(), arguments.end());
  std::vector<char*> words;
  for (std::string& word : copies) words.push_back(word.data());
  words.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) become_program(words, out, err, limits.file_bytes);
  if (limits.kill_after_microseconds >= 0) kill_later(child, std::chrono::microseconds(limits.kill_after_microseconds));
  if (limits.interrupt) {
    wait_until_it_listens(child);
    ::kill(child, SIGINT);
  }
  if (!limits.interrupt_when.empty()) {
    while (!has_ended(child) && content_of(err).find(limits.interrupt_when) == std::string::npos) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    ::kill(child, SIGINT);  // one that has ended is still to be waited for, and heeds nothing
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(out), content_of(err)};
}

}  // namespace loom::testing
