#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "orrery/symbolic/emit/formula_info.h"
#include "orrery/symbolic/emit/tape_context.h"
#include "orrery/symbolic/emit/tape_parts.h"

namespace orrery::symbolic::internal {

/// Compiles formulas to instructions, appended to a unit's code.
///
/// Open loops and branches are scopes, each with code of its own, which is
/// appended to the code around it when the scope is closed. A value is computed
/// in the outermost possible scope: the innermost loop whose iterator it
/// depends on, or the branch that guards it. So loop-invariant code leaves the
/// loops.
///
/// Formulas of any depth are walked with a stack of tasks, never by recursion.
class Emitter {
 public:
  /// @param info of all formulas that will be compiled.
  /// @param variables addresses of symbols and outer iterators of a function;
  ///     null for formulas over the context's slots.
  Emitter(TapeContext& context,
          TapeUnit& unit,
          const FormulaInfo& info,
          const std::unordered_map<std::uint32_t, Address>* variables);

  /// target[subscripts] := value, for all values of the iterators.
  struct Target {
    Expr symbol;
    std::vector<Expr> subscripts;
  };

  /// @param may_rename the target is assigned only here, so that the last
  ///     operation may write it directly.
  void Assign(const Target& target,
              Expr value,
              std::span<const Expr> iterators,
              bool may_rename);

  /// Compiles a scalar; returns where its value is.
  Address Value(Expr scalar);

 private:
  enum class Task : std::uint8_t {
    kValue,  // A scalar, or the element of an array in the loops around it.
    kStore,  // A whole array into memory of its own.
    kFill,   // A whole array into given memory.
    kCall,   // A call, all its outputs.
  };

  static constexpr std::uint32_t kNoNest = 0xffffffff;
  static constexpr std::uint32_t kNoScope = 0xffffffff;

  struct Place {
    Address base = 0;
    Address index = kNoAddress;  // None: the element is at `base` itself.
  };

  // A task and its progress, `step`. `scope` and `nest` are the surroundings of
  // the task.
  struct Frame {
    Task task = Task::kValue;
    std::uint32_t number = 0;
    std::uint32_t scope = 0;
    std::uint32_t nest = kNoNest;
    std::uint32_t step = 0;
    Place target;             // Target of kFill; else an intermediate result.
    std::uint32_t inner = 0;  // The scope that was opened, or the callee.
  };

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

  struct Term {
    std::uint32_t scope = 0;
    Address counter = 0;
    std::int64_t coefficient = 0;
  };

  // Tasks.
  void RunTasks();
  void Step();
  void StepValue();
  void StepLeaf();
  void StepElementwise();
  void EmitPower(const Frame& frame, Address base, int exponent);
  void StepSelect();
  void StepIndex();
  void StepBuild();
  void StepReduction();
  void StepStore();
  void StepFill();
  void FillParts(const Frame& frame);
  void FillInLoops(const Frame& frame);
  void StoreElement(const Place& place,
                    const Shape& shape,
                    std::uint32_t nest,
                    Address value,
                    std::uint32_t node);
  void StepCall();
  void StepArgument(const Frame& frame, std::size_t argument);
  void FinishCall(const Frame& frame);
  void FinishOpaque(const Frame& frame);
  void PrepareCall(const Frame& frame);
  [[nodiscard]] bool MayReturn(std::uint32_t callee) const;
  [[nodiscard]] std::uint32_t CalleeOf(const Frame& frame);
  [[nodiscard]] Address SettledPlaceOf(std::uint32_t number) const;

  void Pop() { stack_.pop_back(); }

  // True if `Get` can return `number`; else pushes the tasks for what is
  // missing.
  bool Demand(std::uint32_t number, std::uint32_t scope, std::uint32_t nest);
  bool DemandView(std::uint32_t number, std::uint32_t scope);
  void Push(Task task,
            std::uint32_t number,
            std::uint32_t scope,
            std::uint32_t nest);
  Address Get(std::uint32_t number, std::uint32_t scope, std::uint32_t nest);
  [[nodiscard]] bool IsLoaded(std::uint32_t number) const;
  [[nodiscard]] bool IsKnown(std::uint32_t number, std::uint32_t scope) const;
  [[nodiscard]] Address AddressOfSymbol(Expr symbol) const;
  [[nodiscard]] Address BaseOf(std::uint32_t number) const;

  // Addresses of elements.
  [[nodiscard]] Place Locate(std::uint32_t number,
                             std::uint32_t scope,
                             std::uint32_t nest);
  std::int64_t AddSubscripts(const Shape& shape,
                             std::span<const std::uint32_t> subscripts,
                             std::uint32_t scope,
                             std::vector<Term>& terms);
  void AddCounters(std::uint32_t nest,
                   const Shape& shape,
                   std::vector<Term>& terms) const;
  Address EmitTerms(std::vector<Term> terms, std::uint32_t node);

  // Scopes.
  [[nodiscard]] std::uint32_t ScopeOf(std::uint32_t number,
                                      std::uint32_t scope,
                                      std::uint32_t nest) const;
  std::uint32_t OpenScope(std::uint32_t parent);
  std::uint32_t OpenLoop(std::uint32_t parent, std::int64_t count);
  std::uint32_t OpenBranch(std::uint32_t parent);
  Code CloseScope();
  void CloseLoop(std::uint32_t node);
  void Bind(Expr iterator, std::uint32_t scope);
  std::uint32_t OpenNest(std::uint32_t parent, const Shape& shape);
  void CloseNest(std::uint32_t node);

  [[nodiscard]] std::uint32_t Innermost(std::uint32_t nest) const {
    return nests_[nest].back();
  }

  void Record(std::uint32_t number, Address address, std::uint32_t scope);

  // Code.
  Code& CodeIn(std::uint32_t scope) {
    return scope == 0 ? unit_.code : scopes_[scope].code;
  }

  void Emit(std::uint32_t scope,
            const Tape::Instruction& instruction,
            std::uint32_t node) {
    CodeIn(scope).Add(instruction, node);
  }

  // Returns the result of an instruction without other effect. Emits it once in
  // a scope.
  Address Compute(std::uint32_t scope,
                  Tape::Instruction instruction,
                  std::uint32_t node);
  void CopyArray(std::uint32_t scope, Address target, Address source, Expr of);

  void Ensure(std::uint32_t number, std::uint32_t scope);
  [[nodiscard]] Place LocateTarget(const Target& target, std::uint32_t scope);
  void AssignScalar(const Target& target, Expr value, std::uint32_t scope);
  [[nodiscard]] bool IsCheckedFor(const Target& target, Expr value) const;
  void RecordResult(const Frame& frame, Address result);
  Address CheckInteger(std::uint32_t scope, Address value, std::uint32_t node);
  void AssignArray(const Target& target, Expr value, std::uint32_t scope);
  void FillWhole(std::uint32_t value, const Place& place, std::uint32_t scope);
  void StoreInLoops(std::uint32_t scope,
                    const Place& place,
                    const Shape& shape,
                    Address value,
                    bool is_array);
  bool Rename(std::uint32_t number, Address target);

  TapeContext& context_;
  TapeUnit& unit_;
  const FormulaInfo& info_;
  const std::unordered_map<std::uint32_t, Address>* variables_;
  std::vector<Frame> stack_;
  std::vector<Scope> scopes_;
  std::vector<std::vector<std::uint32_t>> nests_;        // Scopes by dimension.
  std::vector<Known> known_;                             // By node.
  std::unordered_map<std::uint32_t, Binding> bindings_;  // By iterator's id.
  std::map<ComputedKey, Address> computed_;
  std::unordered_map<std::uint32_t, std::uint32_t> branch_scopes_;
  std::vector<Code> branches_;  // Finished true branches.
};

}  // namespace orrery::symbolic::internal
