#include "orrery/cli/request/option_values.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/text/parse.h"
#include "orrery/base/units.h"
#include "orrery/cli/request/library_path.h"
#include "orrery/cli/request/trust.h"
#include "orrery/sdk/model/setting_text.h"

namespace orrery::cli {

void Refuse(std::string_view option,
            std::string_view text,
            std::string_view wanted) {
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("cannot take {} {}: give {}", option, text, wanted));
}

double NumberOf(const std::string& option, const std::string& text) {
  const auto value = ParseNumber(text);
  if (!value || !std::isfinite(*value)) {
    Refuse(option, text, "a finite number");
  }
  return *value;
}

int CountOf(const std::string& option, const std::string& text) {
  const auto value = ParseNumber(text);
  if (!value || !(*value >= 1 && *value <= std::numeric_limits<int>::max()) ||
      *value != std::floor(*value)) {
    Refuse(option, text, "a whole number from 1 to 2147483647");
  }
  return static_cast<int>(*value);
}

int JobsOf(const std::string& option, const std::string& text) {
  const auto count = ParseWhole(text, 1024);
  if (!count || *count == 0) {
    Refuse(option, text, "a whole number from 1 to 1024");
  }
  return static_cast<int>(*count);
}

int DescriptorOf(const std::string& option, const std::string& text) {
  constexpr std::uint64_t kMost = 1'000'000;
  const auto number = ParseWhole(text, kMost);
  const int descriptor = number ? static_cast<int>(*number) : -1;
  if (descriptor <= STDERR_FILENO ||
      fcntl(descriptor, F_SETFD, FD_CLOEXEC) != 0) {
    Refuse(option,
           text,
           "a file descriptor from 3 on that is open, as in 3>progress.jsonl");
  }
  return descriptor;
}

double TimeOf(const std::string& option, const std::string& text) {
  const auto seconds = ParseSeconds(text);
  if (!seconds) {
    Refuse(option, text, "seconds, or a time with its unit as in 24h or 10ms");
  }
  return *seconds;
}

std::vector<double> TimesOf(const std::string& option,
                            const std::string& text) {
  std::vector<double> times;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    times.push_back(TimeOf(option, text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return times;
}

std::vector<Setting> SettingsOf(const std::vector<std::string>& texts,
                                const std::string& file,
                                const std::string& class_name,
                                const FileSet& files) {
  std::vector<ParameterText> values;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 ||
        equals + 1 == text.size()) {
      Refuse("--set", text, "NAME=VALUE, as in --set pump.speed=3.5");
    }
    values.push_back(
        {.name = text.substr(0, equals), .value = text.substr(equals + 1)});
  }
  return orrery::SettingsOf(values, file, class_name, files);
}

namespace {

// Refuses settings that give one name two values.
void RefuseTwoValues(const std::vector<std::string>& settings) {
  std::map<std::string, std::string> value_of;
  for (const std::string& text : settings) {
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::string value = text.substr(std::min(equals + 1, text.size()));
    const auto [known, is_new] =
        value_of.emplace(text.substr(0, equals), value);
    if (!is_new && known->second != value) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot set '" + known->first + "' to both '" +
                      known->second + "' and '" + value + "'; leave one");
    }
  }
}

}  // namespace

void AddSettingTexts(CLI::App& app,
                     std::vector<std::string>& texts,
                     const std::string& what) {
  app.add_option_function<std::vector<std::string>>(
         "--set",
         [&texts](const std::vector<std::string>& given) {
           RefuseTwoValues(given);
           texts = given;
         },
         "Give " + what + " this value")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

CLI::Option* AddJobs(CLI::App& app, int& jobs) {
  return AddOption(app,
                   "--jobs",
                   "Threads (default: one a processor); the results are the "
                   "same for any number",
                   JobsOf,
                   [&](int count) { jobs = count; })
      ->type_name("COUNT");
}

void AddTexts(CLI::App& app,
              const char* name,
              const char* type,
              const char* help,
              std::vector<std::string>& texts) {
  app.add_option(name, texts, help)->type_name(type)->allow_extra_args(false);
}

void AddModel(CLI::App& app, std::string& file, std::string& class_name) {
  app.add_option(
         "FILE",
         file,
         "The model: .mo, .cbd, .so (a class), .fmu or .ssp; or the dotted "
         "name of a class of a library")
      ->required()
      ->type_name("");
  app.add_option("CLASS",
                 class_name,
                 "Its dotted class name, if the file has several models")
      ->type_name("");
  AddLibraries(app);
  AddExternal(app);
  app.parse_complete_callback(
      [&file, &class_name] { FindClassOf(file, class_name); });
}

}  // namespace orrery::cli
