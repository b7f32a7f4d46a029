#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "orrery/codegen/llvm/lane_emitter.h"
#include "orrery/codegen/llvm/llvm_compiler.h"

namespace orrery::internal {

/// Writes the stages of explicit Runge-Kutta methods, for one or more lanes.
/// The sums are those of ExplicitTableau, state by state, with
/// fused multiply-add: w_0 k_0, then w_j k_j + what is there, then x + h times
/// it; for one term w k, x + (h w) k.
class StageEmitter : protected LaneEmitter {
 protected:
  using Body = std::function<void(llvm::Value* index)>;

  /// @param slopes i8 slopes(ptr memory, ptr x, ptr dx), computes f in a
  ///     vector: of memory in all lanes, of states and slopes in that one.
  /// @param function whose first argument is the memory.
  StageEmitter(const NativeStepsTask& task,
               llvm::Function& slopes,
               llvm::Function& function);

  /// Whether the states of a step are those of a vector alone, and in registers
  /// as far as there are some; else they are where the caller has them.
  [[nodiscard]] bool AreLocal() const;

  /// Room for a number of each state.
  llvm::Value* NewLocal();

  void Copy(llvm::Value* from, llvm::Value* to);

  /// To such room, and back: with an array of all lanes, in the vector at hand.
  void Fetch(llvm::Value* array, llvm::Value* local);
  void PutBack(llvm::Value* local, llvm::Value* array);

  /// `body(index)` for the states, in order.
  /// @param is_parallel whether that may be in any order.
  void ForEachState(const Body& body, bool is_parallel = true);

  llvm::Value* Load(llvm::Value* array, llvm::Value* index);
  void Store(llvm::Value* value, llvm::Value* array, llvm::Value* index);

  /// The stages, weighted, as what gives that of a state; null where no weight
  /// is there. Of few states all are computed at once, so that each weight is
  /// read once.
  using Sum = std::function<llvm::Value*(llvm::Value* index)>;
  Sum StageSum(std::span<const double> weights);

  /// result := x + h * (the stages, weighted), as the solver's Add.
  /// @param unit of the weights.
  void Combine(std::span<const double> weights,
               llvm::Value* result,
               double unit = 1);

  /// As the solver's AddForStage.
  void CombineForStage(std::span<const double> weights, llvm::Value* result);

  /// The time of stages to come.
  void SetTime(llvm::Value* t);

  /// Stage := f(point)
  void Evaluate(llvm::Value* point, std::size_t stage);

  /// Whether numbers are finite, lane by lane: of all that are met between the
  /// two.
  void BeginFinite();
  void Meet(llvm::Value* numbers);
  llvm::Value* AreFinite();

  /// Whether code for states is written out, not a loop.
  [[nodiscard]] bool IsUnrolled() const;

  [[nodiscard]] const NativeStepsTask& task() const noexcept { return task_; }

  // Set by who writes steps.
  llvm::Value* h_ = nullptr;
  llvm::Value* x_ = nullptr;
  std::vector<llvm::Value*> stages_;
  llvm::BasicBlock* failed_ = nullptr;  // To go to where f cannot be computed.

 private:
  void CombineLastApart(llvm::Value* h,
                        std::span<const double> weights,
                        llvm::Value* result);
  llvm::Value* Place(llvm::Value* array, llvm::Value* index);
  const NativeStepsTask& task_;
  llvm::Function& slopes_;
  llvm::MDNode* access_group_ = nullptr;  // Of the loop at hand.
  llvm::AllocaInst* finite_ = nullptr;
};

}  // namespace orrery::internal
