#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "orrery/symbolic/emit/callees.h"
#include "orrery/symbolic/emit/formula_info.h"
#include "orrery/symbolic/emit/scoped_code.h"
#include "orrery/symbolic/emit/tape_context.h"
#include "orrery/symbolic/emit/tape_parts.h"

namespace orrery::symbolic::internal {

/// Compiles formulas to instructions, appended to a unit's code.
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
  using Term = ScopedCode::Term;

  static constexpr std::uint32_t kNoNest = ScopedCode::kNoNest;

  enum class Task : std::uint8_t {
    kValue,  // A scalar, or the element of an array in the loops around it.
    kStore,  // A whole array into memory of its own.
    kFill,   // A whole array into given memory.
    kCall,   // A call, all its outputs.
  };

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

  // Addresses of elements.
  [[nodiscard]] Place Locate(std::uint32_t number,
                             std::uint32_t scope,
                             std::uint32_t nest);
  std::int64_t AddSubscripts(const Shape& shape,
                             std::span<const std::uint32_t> subscripts,
                             std::uint32_t scope,
                             std::vector<Term>& terms);

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

  TapeContext& context_;
  TapeUnit& unit_;
  const FormulaInfo& info_;
  const std::unordered_map<std::uint32_t, Address>* variables_;
  ScopedCode code_;
  Callees callees_;
  std::vector<Frame> stack_;
  std::vector<Code> branches_;  // Finished true branches.
};

}  // namespace orrery::symbolic::internal
