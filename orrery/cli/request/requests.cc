#include "orrery/cli/request/requests.h"

#include <cstddef>

#include "orrery/cli/request/option_values.h"

namespace orrery::cli {

std::vector<ParameterText> ParameterTexts(
    const std::vector<std::string>& settings) {
  std::vector<ParameterText> texts;
  for (const std::string& text : settings) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      Refuse("--set", text, "NAME=VALUE, as in --set servers=3");
    }
    texts.push_back(
        {.name = text.substr(0, equals), .value = text.substr(equals + 1)});
  }
  return texts;
}

RunDocument DocumentOf(const RunCommand& command) {
  return {.file = command.file,
          .class_name = command.class_name,
          .settings = ParameterTexts(command.settings),
          .options = command.options,
          .until = command.until,
          .input = command.input,
          .input_columns = command.input_columns,
          .kind = command.fmu.kind,
          .communication = command.fmu.communication,
          .variant = command.fmu.variant,
          .is_program = command.model.has_value(),
          .plan = command.tasks.plan,
          .without = command.tasks.without,
          .priority = command.devs.priority,
          .seed = command.devs.seed,
          .formalism = command.devs.formalism,
          .max_microsteps = command.devs.max_microsteps,
          .replications = command.devs.replications,
          .live = command.live,
          .files = command.files};
}

}  // namespace orrery::cli
