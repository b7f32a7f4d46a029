#include "orrery/cli/internal/analysis_options.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/cli/internal/option_values.h"

namespace orrery::cli {
namespace {

// NAME and what follows the first `=` outside of it.
std::pair<std::string, std::string> Split(const std::string& option,
                                          const std::string& text,
                                          const char* form) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    Refuse(option, text, form);
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

QuantityRange FixedOf(const std::string& option, const std::string& text) {
  constexpr const char* kForm = "NAME=VALUE, as in --fix tank.h=5";
  const auto [name, value] = Split(option, text, kForm);
  const auto number = ParseNumber(value);
  if (!number || !std::isfinite(*number)) {
    Refuse(option, text, kForm);
  }
  return {.name = name, .lower = *number, .upper = *number};
}

// NAME=[low,high], where either may be left out.
QuantityRange RangeOf(const std::string& option, const std::string& text) {
  constexpr const char* kForm =
      "NAME=[LOW,HIGH], as in --bound valve.u=[0,1] or --bound h=[0,]";
  const auto [name, range] = Split(option, text, kForm);
  const std::size_t comma = range.find(',');
  if (range.size() < 3 || range.front() != '[' || range.back() != ']' ||
      comma == std::string::npos) {
    Refuse(option, text, kForm);
  }
  const std::string low = range.substr(1, comma - 1);
  const std::string high = range.substr(comma + 1, range.size() - comma - 2);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto lower = low.empty() ? -kInfinity : ParseNumber(low);
  const auto upper = high.empty() ? kInfinity : ParseNumber(high);
  if (!lower || !upper) {
    Refuse(option, text, kForm);
  }
  return {.name = name, .lower = *lower, .upper = *upper};
}

std::vector<double> FrequenciesOf(const std::string& option,
                                  const std::string& text) {
  std::vector<double> numbers;
  constexpr const char* kForm =
      "rad/s as in 0.1,1,10, or logspace(-1,2,200) for 200 from 0.1 to 100";
  constexpr std::string_view kSpace = "logspace(";
  const bool is_space = text.starts_with(kSpace) && text.ends_with(')');
  const std::string list =
      is_space ? text.substr(kSpace.size(), text.size() - kSpace.size() - 1)
               : text;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const auto number = ParseNumber(list.substr(begin, end - begin));
    if (!number || !std::isfinite(*number)) {
      Refuse(option, text, kForm);
    }
    numbers.push_back(*number);
    begin = end + 1;
  }
  if (!is_space) {
    std::ranges::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
  }
  constexpr double kMost = 1e6;
  if (numbers.size() != 3 || !(numbers[0] < numbers[1]) ||
      !(numbers[2] >= 2 && numbers[2] <= kMost)) {
    Refuse(option, text, kForm);
  }
  std::vector<double> frequencies;
  const auto count = static_cast<int>(numbers[2]);
  frequencies.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    frequencies.push_back(
        std::pow(10, numbers[0] + (numbers[1] - numbers[0]) * i / (count - 1)));
  }
  return frequencies;
}

std::vector<std::string> NamesOf(const std::string& text) {
  std::vector<std::string> names;
  int depth = 0;
  std::string name;
  for (const char c : text) {
    depth += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
    if (c == ',' && depth == 0) {
      names.push_back(std::exchange(name, {}));
    } else {
      name += c;
    }
  }
  names.push_back(name);
  return names;
}

void AddNames(CLI::App& app,
              const std::string& name,
              const std::string& help,
              std::vector<std::string>& target) {
  app.add_option_function<std::vector<std::string>>(
         name,
         [&target](const std::vector<std::string>& texts) {
           for (const std::string& text : texts) {
             for (std::string& part : NamesOf(text)) {
               target.push_back(std::move(part));
             }
           }
         },
         help)
      ->type_name("NAMES")
      ->allow_extra_args(false);
}

template <typename Take>
void AddMany(CLI::App& app,
             const std::string& name,
             const char* form,
             const std::string& help,
             Take take) {
  app.add_option_function<std::vector<std::string>>(
         name,
         [name, take](const std::vector<std::string>& texts) {
           for (const std::string& text : texts) {
             take(name, text);
           }
         },
         help)
      ->type_name(form)
      ->allow_extra_args(false);
}

void AddWishes(CLI::App& app, SteadyWishes& wishes) {
  SteadyStateOptions& options = wishes.options;
  AddMany(app,
          "--fix",
          "NAME=VALUE",
          "Let a state, an input, der(x) or any quantity have this value",
          [&options](const std::string& option, const std::string& text) {
            options.ranges.push_back(FixedOf(option, text));
          });
  AddMany(app,
          "--bound",
          "NAME=[LOW,HIGH]",
          "Let it lie in this range; either end may be left out",
          [&options](const std::string& option, const std::string& text) {
            options.ranges.push_back(RangeOf(option, text));
          });
  AddMany(app,
          "--free",
          "NAME[=GUESS]",
          "Find this input although it is set; begin at a first guess of an "
          "input or a state",
          [&wishes](const std::string& option, const std::string& text) {
            if (text.find('=') == std::string::npos) {
              wishes.free.push_back(text);
              return;
            }
            const QuantityRange guess = FixedOf(option, text);
            wishes.free.push_back(guess.name);
            wishes.options.guesses.push_back(
                {.name = guess.name, .value = guess.lower});
          });
  AddNames(app,
           "--moving",
           "States whose derivatives need not be 0",
           options.moving);
  app.add_option("--minimize",
                 options.minimize,
                 "Make this quantity as small as all that allows")
      ->type_name("NAME");
  app.add_option("--maximize", options.maximize, "Or as large")
      ->type_name("NAME");
}

}  // namespace

void AddSteady(CLI::App& app, SteadyCommand& command, int& status) {
  CLI::App* steady = app.add_subcommand(
      "steady", "Find states and inputs at which a model stands still");
  AddModel(*steady, command.model.file, command.model.class_name);
  AddSettings(*steady, command.model.settings);
  AddWishes(*steady, command.wishes);
  AddOption(*steady,
            "--time",
            "Time at which it stands still (default: the model's start)",
            TimeOf,
            [&command](double value) { command.time = value; })
      ->type_name("TIME");
  steady->add_flag(
      "--json", command.json, "Print one JSON object, whatever happens");
  steady->callback([&] { status = Steady(command); });
}

void AddLinearize(CLI::App& app, LinearizeCommand& command, int& status) {
  CLI::App* linearize = app.add_subcommand(
      "linearize", "Print a model's matrices, modes and frequency response");
  AddModel(*linearize, command.model.file, command.model.class_name);
  AddSettings(*linearize, command.model.settings);
  linearize
      ->add_option_function<std::string>(
          "--at",
          [&command](const std::string& text) {
            command.at_steady_state = text == "steady";
            if (text != "steady" && text != "start") {
              command.time = TimeOf("--at", text);
            }
          },
          "Where: start (default), steady, or the time a run is taken to")
      ->type_name("start|steady|TIME");
  AddWishes(*linearize, command.wishes);
  AddNames(*linearize,
           "--inputs",
           "Inputs of the linear system (default: all)",
           command.options.inputs);
  AddNames(*linearize,
           "--outputs",
           "Its outputs: any Real quantities (default: the model's outputs)",
           command.options.outputs);
  linearize
      ->add_option("--bode",
                   command.channels,
                   "The frequency response of an input and an output, u:y")
      ->type_name("INPUT:OUTPUT")
      ->allow_extra_args(false);
  AddOption(*linearize,
            "--frequencies",
            "rad/s: 0.1,1,10 or logspace(-1,2,200) (default: around the poles)",
            FrequenciesOf,
            [&command](std::vector<double> frequencies) {
              command.frequencies = std::move(frequencies);
            })
      ->type_name("LIST");
  linearize
      ->add_option(
          "--output", command.output, "Write the frequency responses: .csv")
      ->type_name("FILE");
  linearize->add_flag(
      "--plot", command.plot, "Plot the frequency responses on the terminal");
  linearize->add_flag(
      "--json", command.json, "Print one JSON object, whatever happens");
  linearize->callback([&] { status = LinearizeModel(command); });
}

}  // namespace orrery::cli
