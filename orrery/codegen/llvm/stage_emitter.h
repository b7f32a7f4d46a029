#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "orrery/codegen/llvm/lane_emitter.h"
#include "orrery/codegen/llvm/llvm_compiler.h"

namespace orrery::codegen::internal {

/// Writes the stages of explicit Runge-Kutta methods, for one or more lanes.
/// The sums are those of ExplicitTableau, state by state, with fused
/// multiply-add: w_0 k_0, then w_j k_j + the sum so far, then x + h times the
/// sum; for one term w k, x + (h w) k.
class StageEmitter : protected LaneEmitter {
 protected:
  using Body = std::function<void(llvm::Value* index)>;

  /// @param slopes i8 slopes(ptr memory, ptr x, ptr dx) computes f in a vector;
  ///     memory has all lanes, states and slopes have those of the vector.
  /// @param function has the memory as first argument.
  StageEmitter(const NativeStepsTask& task,
               llvm::Function& slopes,
               llvm::Function& function);

  /// True if the states of a step are those of a vector alone, in registers as
  /// far as possible; else they are in the caller's memory.
  [[nodiscard]] bool AreLocal() const;

  /// Room for a number of each state.
  llvm::Value* NewLocal();

  void Copy(llvm::Value* from, llvm::Value* to);

  /// Copies to such room, and back: the chosen vector of an array of all lanes.
  void Fetch(llvm::Value* array, llvm::Value* local);
  void PutBack(llvm::Value* local, llvm::Value* array);

  /// Calls `body(index)` for the states.
  /// @param is_parallel whether any order is allowed.
  void ForEachState(const Body& body, bool is_parallel = true);

  llvm::Value* Load(llvm::Value* array, llvm::Value* index);
  void Store(llvm::Value* value, llvm::Value* array, llvm::Value* index);

  /// The weighted sum of the stages, as a function of the state; null if all
  /// weights are 0. For few states all sums are computed at once, so that each
  /// weight is read once.
  using Sum = std::function<llvm::Value*(llvm::Value* index)>;
  Sum StageSum(std::span<const double> weights);

  /// result := x + h * (weighted stages), as the solver's Add.
  /// @param unit of the weights.
  void Combine(std::span<const double> weights,
               llvm::Value* result,
               double unit = 1);

  /// As the solver's AddForStage.
  void CombineForStage(std::span<const double> weights, llvm::Value* result);

  /// Sets the time of the next stages.
  void SetTime(llvm::Value* t);

  /// Stage := f(point)
  void Evaluate(llvm::Value* point, std::size_t stage);

  /// Checks, by lane, that all numbers given to Meet in between are finite.
  void BeginFinite();
  void Meet(llvm::Value* numbers);
  llvm::Value* AreFinite();

  /// True if code for states is written out instead of a loop.
  [[nodiscard]] bool IsUnrolled() const;

  [[nodiscard]] const NativeStepsTask& task() const noexcept { return task_; }

  // Set by derived classes.
  llvm::Value* h_ = nullptr;
  llvm::Value* x_ = nullptr;
  std::vector<llvm::Value*> stages_;
  llvm::BasicBlock* failed_ = nullptr;  // Target if f cannot be computed.

 private:
  void CombineLastApart(llvm::Value* h,
                        std::span<const double> weights,
                        llvm::Value* result);
  llvm::Value* Place(llvm::Value* array, llvm::Value* index);
  const NativeStepsTask& task_;
  llvm::Function& slopes_;
  llvm::MDNode* access_group_ = nullptr;  // For this loop.
  llvm::AllocaInst* finite_ = nullptr;
};

}  // namespace orrery::codegen::internal
