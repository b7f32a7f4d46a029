#include "orrery/model/flat_model.h"

namespace orrery {

const HomotopySymbols& HomotopyIn(FlatModel& model) {
  if (!model.homotopy) {
    ExprGraph& graph = *model.graph;
    model.homotopy = {
        .is_actual = graph.Symbol(
            {.name = "is actual", .type = ValueType::kBoolean, .shape = {}}),
        .is_simplified = graph.Symbol({.name = "is simplified",
                                       .type = ValueType::kBoolean,
                                       .shape = {}}),
        .part = graph.Symbol({.name = "part of the actual formulas",
                              .type = ValueType::kReal,
                              .shape = {}})};
  }
  return *model.homotopy;
}

std::string ElementName(const std::string& name,
                        const std::vector<std::int64_t>& at) {
  if (at.empty()) {
    return name;
  }
  std::string text = name;
  char separator = '[';
  for (const std::int64_t subscript : at) {
    text += separator + std::to_string(subscript);
    separator = ',';
  }
  return text + "]";
}

}  // namespace orrery
