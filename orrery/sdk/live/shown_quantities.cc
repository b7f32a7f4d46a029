#include "orrery/sdk/live/shown_quantities.h"

namespace orrery::sdk::internal {
namespace {

bool MovesInRun(const ProgramVariable& variable) {
  return variable.kind != VariableKind::kConstant &&
         variable.kind != VariableKind::kParameter && !variable.is_protected;
}

bool IsOutermostOutput(const ProgramVariable& variable) {
  return variable.is_output && variable.name.find('.') == std::string::npos;
}

// Returns the names of all scalars of the variables that `is_wanted` accepts.
template <typename IsWanted>
std::vector<std::string> ScalarNames(const Program& program,
                                     IsWanted is_wanted) {
  std::vector<std::string> names;
  for (std::size_t v = 0; v < program.variables.size(); ++v) {
    if (!is_wanted(program.variables[v])) {
      continue;
    }
    const auto count =
        static_cast<std::size_t>(NumElements(program.variables[v].shape));
    for (std::size_t i = 0; i < count; ++i) {
      names.push_back(NameOf(program, {.variable = v, .element = i}));
    }
  }
  return names;
}

}  // namespace

std::vector<std::string> AllQuantities(const Program& program) {
  return ScalarNames(program,
                     [](const ProgramVariable& /*variable*/) { return true; });
}

std::vector<std::string> ShownQuantities(const Program& program) {
  std::vector<std::string> names = ScalarNames(program, IsOutermostOutput);
  if (names.empty()) {
    names = StateNames(program);
  }
  return names.empty() ? ScalarNames(program, MovesInRun) : names;
}

}  // namespace orrery::sdk::internal
