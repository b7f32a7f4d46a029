#include "orrery/cli/request/grammar.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/text/utf8.h"

namespace orrery::cli {
namespace {

// The names of the subcommands.
std::vector<std::string> CommandsOf(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* part : app.get_subcommands({})) {
    names.push_back(part->get_name());
  }
  return names;
}

std::vector<std::string> OptionsOf(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

// Returns why `word` is wrong on the command line of `part`, called `name`.
std::string ExplainWord(const CLI::App& part,
                        const std::string& name,
                        const std::string& word) {
  if (!word.starts_with('-')) {
    return fmt::format(
        "cannot take '{}': {} has all that it takes", word, name);
  }
  const std::string near =
      Nearest(word.substr(0, word.find('=')), OptionsOf(part));
  return fmt::format("cannot take '{}': {} has no such option{}",
                     word,
                     name,
                     near.empty() ? "" : "; did you mean '" + near + "'?");
}

// Throws the error of CLI11 with a remedy.
[[noreturn]] void RefuseCommandLine(const CLI::App& app,
                                    const CLI::ParseError& error) {
  std::string name = app.get_name();
  const CLI::App* last = &app;
  for (const CLI::App* part : app.get_subcommands()) {
    name += " " + part->get_name();
    last = part;
  }
  std::string why = error.what();
  if (const std::vector<std::string> words = app.remaining(true);
      error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError) &&
      !words.empty()) {
    why = ExplainWord(*last, name, words.front());
  } else if (last->get_require_subcommand_min() > 0 &&
             last->get_subcommands().empty()) {
    why = last == &app ? "no command is given"
                       : fmt::format("no command of {} is given", name);
  } else if (error.get_exit_code() ==
             static_cast<int>(CLI::ExitCodes::ArgumentMismatch)) {
    const std::string option = why.substr(0, why.find(':'));
    why = why.find("At Most") == std::string::npos
              ? fmt::format("cannot take {}: nothing follows it", option)
              : fmt::format("cannot take {} twice", option);
  }
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("{}; see {} --help", why, name));
}

// `name` is the way to call the app.
std::string SuggestCommand(const CLI::App& app,
                           const std::string& name,
                           std::string_view word) {
  const std::string hint = Suggest(word, CommandsOf(app));
  return hint.empty() ? "see " + name + " --help" : hint;
}

// Also checks names of files: stored and printed text is UTF-8.
void RequireUtf8(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    if (!IsUtf8(argv[i])) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("cannot take the argument '{}': it is no UTF-8; "
                              "write it as that, and rename a file of this "
                              "name",
                              ToUtf8(argv[i])));
    }
  }
}

// Checks the commands before anything else: `orrery frob`, `orrery fmu frob`.
void RequireCommands(const CLI::App& app, std::span<const char* const> words) {
  const CLI::App* group = &app;
  std::string name = app.get_name();
  for (const std::string word : words) {
    if (group->get_require_subcommand_min() == 0 || word.starts_with('-')) {
      return;
    }
    const auto parts = group->get_subcommands({});
    // Also with alternative spellings.
    const auto found = std::ranges::find_if(
        parts, [&](const CLI::App* part) { return part->check_name(word); });
    if (found == parts.end()) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("cannot do '{}': {} such command; {}",
                              word,
                              group == &app ? "there is no" : name + " has no",
                              SuggestCommand(*group, name, word)));
    }
    group = *found;
    name += " " + group->get_name();
  }
}

}  // namespace

int ReadCommandLine(CLI::App& app,
                    int argc,
                    const char* const* argv,
                    const int& status) {
  RequireUtf8(argc, argv);
  if (argc > 1) {
    RequireCommands(app,
                    std::span(argv, static_cast<std::size_t>(argc)).subspan(1));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    RefuseCommandLine(app, error);
  }
  return status;
}

void PrintHelp(const CLI::App& app, const std::string& name) {
  const CLI::App* about = name.empty() ? &app : nullptr;
  for (const CLI::App* part : app.get_subcommands({})) {
    about = part->get_name() == name ? part : about;
  }
  if (about == nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot tell about '" + name + "': there is no such command; " +
                    SuggestCommand(app, app.get_name(), name));
  }
  // App::help() would describe the subcommand in use.
  const std::string full = app.get_name() + (name.empty() ? "" : " " + name);
  fmt::print(
      "{}",
      app.get_formatter()->make_help(about, full, CLI::AppFormatMode::Normal));
}

void AddHelp(CLI::App& app, std::string& about) {
  CLI::App* help = app.add_subcommand(
      "help", fmt::format("Say how {} is used", app.get_name()));
  help->add_option("COMMAND", about, "Tell about this one")->type_name("");
  help->callback([&] { PrintHelp(app, about); });
}

}  // namespace orrery::cli
