#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/symbolic/emit/formula_info.h"
#include "orrery/symbolic/emit/tape_context.h"
#include "orrery/symbolic/emit/tape_parts.h"

namespace orrery::symbolic::internal {

/// The code of a unit with its open loops and branches, and the values that are
/// known in them.
///
/// Loops and branches are scopes, each with code of its own, which is appended
/// to the code around it when the scope is closed. A value is computed in the
/// outermost possible scope: the innermost loop whose iterator it depends on,
/// or the branch that guards it. So loop-invariant code leaves the loops. Scope
/// 0 is the unit itself.
///
/// A nest is a loop for each dimension of an array, the last innermost.
class ScopedCode {
 public:
  static constexpr std::uint32_t kNoNest = 0xffffffff;
  static constexpr std::uint32_t kNoScope = 0xffffffff;

  /// A part of an index: `coefficient * counter`, known in `scope`.
  struct Term {
    std::uint32_t scope = 0;
    Address counter = 0;
    std::int64_t coefficient = 0;
  };

  /// @param info of all formulas that will be compiled.
  /// @param variables addresses of symbols and outer iterators of a function;
  ///     null for formulas over the context's slots.
  ScopedCode(TapeContext& context,
             TapeUnit& unit,
             const FormulaInfo& info,
             const std::unordered_map<std::uint32_t, Address>* variables);

  // Scopes.

  /// The scope in which a value that is needed in `scope` is computed.
  [[nodiscard]] std::uint32_t ScopeOf(std::uint32_t number,
                                      std::uint32_t scope,
                                      std::uint32_t nest) const;
  std::uint32_t OpenLoop(std::uint32_t parent, std::int64_t count);
  std::uint32_t OpenBranch(std::uint32_t parent, std::uint32_t branch);

  /// Forgets the values known in the latest scope only; returns its code.
  Code CloseScope();
  void CloseLoop(std::uint32_t node);

  /// Binds `iterator` to the loop of `scope`.
  void Bind(Expr iterator, std::uint32_t scope);

  /// Opens a loop for each dimension of `shape`, the last innermost.
  std::uint32_t OpenNest(std::uint32_t parent, const Shape& shape);
  void CloseNest(std::uint32_t node);

  [[nodiscard]] std::uint32_t Innermost(std::uint32_t nest) const {
    return nests_[nest].back();
  }

  /// The scopes of the loops of a nest, by dimension.
  [[nodiscard]] const std::vector<std::uint32_t>& LoopsOf(
      std::uint32_t nest) const {
    return nests_[nest];
  }

  /// The scope of the loop of a bound iterator.
  [[nodiscard]] std::uint32_t LoopOf(std::uint32_t iterator) const {
    return bindings_.at(iterator).scope;
  }

  [[nodiscard]] Address CounterOf(std::uint32_t loop) const {
    return scopes_[loop].counter;
  }

  // Values.

  /// Notes where the value of a node is.
  void Record(std::uint32_t number, Address address, std::uint32_t scope);

  /// True if code of `scope` can use a value that was computed.
  [[nodiscard]] bool IsKnown(std::uint32_t number, std::uint32_t scope) const;

  /// Where a value is that was recorded.
  [[nodiscard]] Address AddressOf(std::uint32_t number) const {
    return known_[number].address;
  }

  /// Lets the latest instruction of the unit, which has computed `number`,
  /// write to `target` instead, if that is possible.
  bool Rename(std::uint32_t number, Address target);

  // Code.

  void Emit(std::uint32_t scope,
            const Tape::Instruction& instruction,
            std::uint32_t node) {
    CodeIn(scope).Add(instruction, node);
  }

  void Append(std::uint32_t scope, const Code& code) {
    CodeIn(scope).Append(code);
  }

  /// Returns the result of an instruction without other effect. Emits it once
  /// in a scope.
  Address Compute(std::uint32_t scope,
                  Tape::Instruction instruction,
                  std::uint32_t node);
  void CopyArray(std::uint32_t scope, Address target, Address source, Expr of);

  // Addresses of elements.

  [[nodiscard]] Address AddressOfSymbol(Expr symbol) const;

  /// The address of an array in memory.
  [[nodiscard]] Address BaseOf(std::uint32_t number) const;

  /// Adds the last counters of the nest, one for each dimension of `shape`.
  void AddCounters(std::uint32_t nest,
                   const Shape& shape,
                   std::vector<Term>& terms) const;

  /// Returns the sum of the terms as an index; adds each term in its own loop.
  Address EmitTerms(std::vector<Term> terms, std::uint32_t node);

 private:
  // Scope, operation and operands.
  using ComputedKey = std::
      tuple<std::uint32_t, TapeOp, std::uint32_t, std::uint32_t, std::uint32_t>;

  struct Binding {
    std::uint32_t scope = kNoScope;  // Scope of the loop; kNoScope if unbound.
  };

  struct Known {
    Address address = kNoAddress;
    std::uint32_t scope = 0;
  };

  struct Scope {
    Code code;
    std::uint32_t parent = 0;
    std::uint32_t branch_scope = 0;  // The innermost branch around, or 0.
    Address counter = kNoAddress;    // Counter of a loop.
    std::int64_t count = 0;
    std::vector<std::pair<std::uint32_t, Known>> values;  // Before this scope.
    std::vector<ComputedKey> computed;
    std::vector<std::pair<std::uint32_t, Binding>> bindings;  // Before.
  };

  std::uint32_t OpenScope(std::uint32_t parent);

  Code& CodeIn(std::uint32_t scope) {
    return scope == 0 ? unit_.code : scopes_[scope].code;
  }

  TapeContext& context_;
  TapeUnit& unit_;
  const FormulaInfo& info_;
  const std::unordered_map<std::uint32_t, Address>* variables_;
  std::vector<Scope> scopes_;
  std::vector<std::vector<std::uint32_t>> nests_;        // Scopes by dimension.
  std::vector<Known> known_;                             // By node.
  std::unordered_map<std::uint32_t, Binding> bindings_;  // By iterator's id.
  std::map<ComputedKey, Address> computed_;
  std::unordered_map<std::uint32_t, std::uint32_t> branch_scopes_;
};

}  // namespace orrery::symbolic::internal
