#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "orrery/fmi/exchange/exchange_layout.h"
#include "orrery/model/flat_model.h"

namespace orrery::fmi {

/// Adds the variables of an FMU to `flat`, in the order of its description.
/// @returns their symbols, by variable; empty for one that is no number, or has
///     the name that the derivative of a state has anyway.
[[nodiscard]] std::vector<Expr> DeclareVariables(const Description& description,
                                                 const ExchangeLayout& layout,
                                                 FlatModel& flat);

/// What FMI 3.0 tells of an event indicator; empty if that is nothing.
[[nodiscard]] std::string MeaningOfIndicator(const Description& its,
                                             std::size_t indicator);

}  // namespace orrery::fmi
