#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/base/methods/taylor_steps.h"
#include "orrery/codegen/llvm/lane_emitter.h"
#include "orrery/codegen/llvm/llvm_compiler.h"

namespace orrery::internal {

/// Writes steps by Taylor series as the body of an LLVM function, a
/// NativeTaylorSteps. It does number by number what the solver's
/// TaylorIntegrator does where a series has no breaks, and leaves to that what
/// needs a closer look: where something is not finite, a step becomes too small
/// or leads to where the series does not hold, or another unit of time is
/// needed.
class TaylorStepsEmitter : LaneEmitter {
 public:
  /// @param function of type `TypeOfSteps`.
  TaylorStepsEmitter(const NativeTaylorTask& task, llvm::Function& function);

  void Emit();

 private:
  // What there is one number of in each lane, behind those of TaylorSteps.
  enum Own : std::size_t {
    kLastTerm = TaylorSteps::kNumNumbers,  // Of the series at t, the size...
    kTermBefore,                           // ...and that of the last but one.
    kPerUnit,                              // 1 / unit
    kReach,     // The unit, times the safety of a step.
    kShortest,  // Of steps with this unit.
    kLongest,
    kFactors  // unit / k for the orders from 1 on.
  };

  // A step of the lanes of a vector.
  struct Step {
    llvm::Value* t_new = nullptr;
    llvm::Value* h = nullptr;
    llvm::Value* theta = nullptr;
    llvm::Value* is_possible = nullptr;
    std::vector<llvm::Value*> x_new;  // By state; these too.
    std::vector<llvm::Value*> lost_new;
    std::vector<llvm::Value*> slope_sums;
    std::vector<llvm::Value*> weights;  // 1 / tolerance
    llvm::Value* length = nullptr;      // Of the next one...
    llvm::Value* last = nullptr;        // ...whose last terms have this size.
    llvm::Value* before = nullptr;
  };

  // As SumSeries has them.
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
  llvm::Value* held_numbers_ = nullptr;  // The caller's.
  llvm::Value* held_x_ = nullptr;
  llvm::Value* held_lost_ = nullptr;
  llvm::Value* absolute_tolerances_ = nullptr;
  llvm::Value* relative_tolerance_ = nullptr;

  // Of all lanes: as the caller's, and two series.
  llvm::AllocaInst* numbers_ = nullptr;
  llvm::AllocaInst* x_ = nullptr;
  llvm::AllocaInst* lost_ = nullptr;
  llvm::AllocaInst* series_ = nullptr;
  llvm::AllocaInst* next_ = nullptr;    // Of each vector: where its series is.
  llvm::AllocaInst* vector_ = nullptr;  // Whose turn it is.

  llvm::Value* work_ = nullptr;  // The numbers of the plan, of one vector.
};

}  // namespace orrery::internal
