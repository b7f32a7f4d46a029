#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "orrery/base/files/file_set.h"
#include "orrery/base/values/setting.h"

namespace orrery::cli {

/// Throws Error kInvalidArgument: `cannot take --step x: give <wanted>`.
[[noreturn]] void Refuse(std::string_view option,
                         std::string_view text,
                         std::string_view wanted);

// The values of options, as text; each throws as `Refuse` does.

[[nodiscard]] double NumberOf(const std::string& option,
                              const std::string& text);

/// A whole number from 1 on.
[[nodiscard]] int CountOf(const std::string& option, const std::string& text);

/// A number of threads.
/// @throws Error kInvalidArgument
[[nodiscard]] int JobsOf(const std::string& option, const std::string& text);

/// A file descriptor above those of the standard streams, which is open. No
/// program that is started inherits it.
[[nodiscard]] int DescriptorOf(const std::string& option,
                               const std::string& text);

/// Seconds, or with a unit: `24h`.
[[nodiscard]] double TimeOf(const std::string& option, const std::string& text);

/// `0.5,1.7,24h`
[[nodiscard]] std::vector<double> TimesOf(const std::string& option,
                                          const std::string& text);

/// `NAME=VALUE` each, for the model of equations in a file.
[[nodiscard]] std::vector<Setting> SettingsOf(
    const std::vector<std::string>& texts,
    const std::string& file,
    const std::string& class_name,
    const FileSet& files = {});

/// Adds an option. `convert` converts its value, and `take` receives it.
template <typename Convert, typename Take>
CLI::Option* AddOption(CLI::App& app,
                       const std::string& name,
                       const std::string& help,
                       Convert convert,
                       Take take) {
  return app.add_option_function<std::string>(
      name,
      [name, convert, take](const std::string& text) {
        take(convert(name, text));
      },
      help);
}

/// Adds an option that may be given several times.
/// @param type of each text, for the help.
void AddTexts(CLI::App& app,
              const char* name,
              const char* type,
              const char* help,
              std::vector<std::string>& texts);

/// Adds `--jobs`, for results that do not depend on the number of threads; 0 by
/// default.
CLI::Option* AddJobs(CLI::App& app, int& jobs);

/// Adds the arguments FILE and CLASS.
void AddModel(CLI::App& app, std::string& file, std::string& class_name);

/// Adds --set, for models of any kind.
/// @param what names the quantities that can be set.
void AddSettingTexts(CLI::App& app,
                     std::vector<std::string>& texts,
                     const std::string& what);

}  // namespace orrery::cli
