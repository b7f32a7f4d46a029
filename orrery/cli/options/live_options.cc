#include "orrery/cli/options/live_options.h"

#include <cmath>
#include <string>
#include <vector>

#include "orrery/base/duration.h"
#include "orrery/base/text/parse.h"
#include "orrery/cli/request/option_values.h"

namespace orrery::cli {
namespace {

double FactorOf(const std::string& option, const std::string& text) {
  const auto factor = ParseNumber(text);
  if (!factor || !(*factor > 0) || !std::isfinite(*factor)) {
    Refuse(option,
           text,
           "a number above 0: how many seconds a second of the model takes");
  }
  return *factor;
}

Seconds ExchangePeriodOf(const std::string& option, const std::string& text) {
  const double period = TimeOf(option, text);
  if (!(period > 0) || !std::isfinite(period)) {
    Refuse(option, text, "a time above 0, as in 10ms");
  }
  return period;
}

Seconds LargestLagOf(const std::string& option, const std::string& text) {
  const double lag = TimeOf(option, text);
  if (!(lag >= 0) || !NearestDuration(lag)) {
    Refuse(option, text, "how late it may be, as in 10ms");
  }
  return lag;
}

}  // namespace

void AddLiveOptions(CLI::App& app, RunCommand& command) {
  LiveChoices& choices = command.live_choices;
  AddOption(app,
            "--real-time",
            "Keep pace with the clock: seconds that a second of the model "
            "takes",
            FactorOf,
            [&](double factor) { command.real_time = factor; })
      ->type_name("FACTOR");
  AddOption(app,
            "--strict",
            "With --real-time: end the run where it is later than this",
            LargestLagOf,
            [&](Seconds lag) { choices.strict = lag; })
      ->type_name("TIME");
  app.add_option("--connect",
                 choices.connection,
                 "Take new values while it runs (parameters and inputs of "
                 "equations, messages to inputs of DEVS models), and publish "
                 "what it shows: jsonl (standard input and output), terminal "
                 "(typed) or mqtt://HOST/PREFIX (a broker)")
      ->type_name("WHERE");
  AddOption(app,
            "--period",
            "Time of the model between two exchanges (default 10 ms of the "
            "clock; without --real-time that between rows; DEVS: when "
            "something happens)",
            ExchangePeriodOf,
            [&](Seconds period) { choices.period = period; })
      ->type_name("TIME");
  app.add_option("--publish",
                 choices.published,
                 "Publish what has a name that fits, as 'tank.*' (default: the "
                 "outputs, else the states)")
      ->type_name("PATTERN")
      ->allow_extra_args(false);
}

}  // namespace orrery::cli
