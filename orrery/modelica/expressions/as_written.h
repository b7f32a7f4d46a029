#pragma once

#include <utility>

#include "orrery/modelica/session/session.h"

namespace orrery::modelica::internal {

/// The unit of a constant that is a Real; empty if it has none. Throws
/// Abandoned.
const std::string& UnitOf(Session& session, const Component& constant);

/// A constant that is a Real as a symbol, which the flat model then lists for
/// the check of units. Throws Abandoned.
Value AsSymbol(Session& session, const Component& constant);

/// Sets a switch for as long as this lives.
class Switched {
 public:
  Switched(bool& is_on, bool turned)
      : is_on_(is_on), was_on_(std::exchange(is_on, turned)) {}

  Switched(const Switched&) = delete;
  Switched& operator=(const Switched&) = delete;

  ~Switched() { is_on_ = was_on_; }

 private:
  bool& is_on_;
  bool was_on_;
};

/// True if a second lowering makes nothing but the formula: the expression has
/// names, numbers, operators and functions of numbers only. Calls of others may
/// have memory, events or checks.
[[nodiscard]] bool MayLowerAgain(const ast::Expression& expression);

}  // namespace orrery::modelica::internal
