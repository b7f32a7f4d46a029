#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/base/methods/taylor_steps.h"
#include "orrery/codegen/llvm/lane_emitter.h"
#include "orrery/codegen/llvm/llvm_compiler.h"

namespace orrery::codegen::internal {

/// Writes steps by Taylor series as the body of an LLVM function, a
/// NativeTaylorSteps. It computes the same numbers as the solver's
/// TaylorIntegrator for series without breaks. It leaves to that all that needs
/// a closer look: values that are not finite, a step that becomes too small or
/// leads beyond the validity of the series, and a change of the unit of time.
class TaylorStepsEmitter : LaneEmitter {
 public:
  /// @param function of type `TypeOfSteps`.
  TaylorStepsEmitter(const NativeTaylorTask& task, llvm::Function& function);

  void Emit();

 private:
  // Numbers of each lane, behind those of TaylorSteps.
  enum Own : std::size_t {
    kLastTerm = TaylorSteps::kNumNumbers,  // Size of the last term of the
                                           // series at t...
    kTermBefore,                           // ...and of the last but one.
    kPerUnit,                              // 1 / unit
    kReach,     // The unit, times the safety of a step.
    kShortest,  // Shortest and longest step with it.
    kLongest,
    kFactors  // unit / k for the orders from 1 on.
  };

  // A step of the lanes of a vector.
  struct Step {
    llvm::Value* t_new = nullptr;
    llvm::Value* h = nullptr;
    llvm::Value* theta = nullptr;
    llvm::Value* is_possible = nullptr;
    std::vector<llvm::Value*> x_new;  // By state, as the next two.
    std::vector<llvm::Value*> lost_new;
    std::vector<llvm::Value*> slope_sums;
    std::vector<llvm::Value*> weights;  // 1 / tolerance
    llvm::Value* length = nullptr;      // The next step's...
    llvm::Value* last = nullptr;        // ...and the sizes of its last terms.
    llvm::Value* before = nullptr;
  };

  // The results of SumSeries.
  struct Sum {
    llvm::Value* value = nullptr;
    llvm::Value* slope = nullptr;
  };

  struct TermRange {
    int first = 0;
    int last = 0;
  };

  struct StateRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };

  // Numbers.
  void LoadArguments();
  void PlaceNumbers();
  void FixNumbers();
  void CopyNumbers(llvm::Value* from, llvm::Value* to, std::uint64_t count);
  void CopySeries(llvm::Value* from, llvm::Value* to);
  [[nodiscard]] std::uint64_t NumCoefficients() const noexcept;
  llvm::Value* NextPlace();
  llvm::Value* NextSeries();
  llvm::Value* LastSeries();
  llvm::Value* SeriesAt(llvm::Value* first);
  llvm::Value* Load(llvm::Value* array, std::uint64_t index);
  void Store(llvm::Value* value, llvm::Value* array, std::uint64_t index);
  llvm::Value* LoadWork(std::uint64_t index);
  void StoreWork(llvm::Value* value, std::uint64_t index);
  llvm::Value* Get(std::size_t number);
  void Set(std::size_t number, llvm::Value* value);
  void StoreWhere(llvm::Value* where,
                  llvm::Value* value,
                  llvm::Value* array,
                  std::uint64_t index);
  llvm::Value* Coefficient(llvm::Value* series, int k, std::uint64_t state);

  // Steps.
  Step EmitStep();
  void EmitPoint(Step& step);
  std::vector<Sum> EmitSums(const TermRange& terms,
                            const StateRange& states,
                            std::span<llvm::Value* const> powers);
  void EmitRise(std::uint64_t state, llvm::Value* sum, Step& step);
  void EmitSeries(const Step& step);
  llvm::Value* Tolerance(std::uint64_t state, llvm::Value* size);
  void EmitLength(Step& step);
  void EmitSlopeCheck(Step& step);
  llvm::Value* Most(llvm::Value* most,
                    llvm::Value* weight,
                    llvm::Value* number);
  llvm::Value* EmitIsBeyond(const Step& step, llvm::Value* grows);
  void EmitJudgement(const Step& step, llvm::BasicBlock& next);
  llvm::Value* Growth(llvm::Value* last, llvm::Value* before);
  void Take(const Step& step, llvm::Value* count, llvm::Value* where);

  [[nodiscard]] llvm::Type* Pointer() { return builder().getPtrTy(); }

  const TaylorPlan& plan_;
  int order_;
  llvm::Value* held_numbers_ = nullptr;  // In the caller's memory.
  llvm::Value* held_x_ = nullptr;
  llvm::Value* held_lost_ = nullptr;
  llvm::Value* absolute_tolerances_ = nullptr;
  llvm::Value* relative_tolerance_ = nullptr;

  // For all lanes: copies of the caller's numbers, and two series.
  llvm::AllocaInst* numbers_ = nullptr;
  llvm::AllocaInst* x_ = nullptr;
  llvm::AllocaInst* lost_ = nullptr;
  llvm::AllocaInst* series_ = nullptr;
  llvm::AllocaInst* next_ = nullptr;    // By vector: place of its series.
  llvm::AllocaInst* vector_ = nullptr;  // The one in turn.

  llvm::Value* work_ = nullptr;  // The plan's numbers, for one vector.
};

}  // namespace orrery::codegen::internal
