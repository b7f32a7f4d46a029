#pragma once

#include <cstdint>
#include <unordered_map>

#include "orrery/symbolic/emit/formula_info.h"
#include "orrery/symbolic/emit/scoped_code.h"
#include "orrery/symbolic/emit/tape_context.h"
#include "orrery/symbolic/emit/tape_parts.h"

namespace orrery::symbolic::internal {

/// Chooses the functions that the calls of a unit run: variants that read long
/// arguments where they are.
class Callees {
 public:
  /// @param variables addresses of symbols and outer iterators of a function;
  ///     null for formulas over the context's slots.
  Callees(TapeContext& context,
          const TapeUnit& unit,
          const FormulaInfo& info,
          const ScopedCode& code,
          const std::unordered_map<std::uint32_t, Address>* variables)
      : context_(context),
        unit_(unit),
        info_(info),
        code_(code),
        variables_(variables) {}

  /// The function to run for a call, by its number.
  [[nodiscard]] std::uint32_t Of(std::uint32_t call);

  /// True if the call may lead back to the function that is being compiled.
  [[nodiscard]] bool MayReturn(std::uint32_t callee) const;

 private:
  [[nodiscard]] Address SettledPlaceOf(std::uint32_t number) const;

  TapeContext& context_;
  const TapeUnit& unit_;
  const FormulaInfo& info_;
  const ScopedCode& code_;
  const std::unordered_map<std::uint32_t, Address>* variables_;
};

}  // namespace orrery::symbolic::internal
