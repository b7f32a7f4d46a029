#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "orrery/codegen/llvm/operations.h"
#include "orrery/symbolic/taylor/taylor_plan.h"

namespace orrery::codegen::internal {

/// Writes the recurrences of a plan up to one order, with the bits of
/// `RunTaylor`. Sums of products are loops over vectors; those of small plans
/// are written out, order by order.
class TaylorEmitter {
 public:
  /// The type of `void f(ptr numbers, double h)`, a function of these alone.
  static llvm::FunctionType* Type(llvm::LLVMContext& context);

  /// Writes its body.
  static void EmitFunction(const TaylorPlan& plan,
                           int order,
                           llvm::Function& function);

  /// @param order at least 1.
  /// @param builder at the place for them.
  /// @param lanes side by side: number k of lane l is at [k * lanes + l].
  TaylorEmitter(const TaylorPlan& plan,
                int order,
                unsigned lanes,
                llvm::IRBuilder<>& builder);

  /// Gives the unit of time divided by an order.
  using Factor = std::function<llvm::Value*(llvm::Value* order)>;

  /// Takes a coefficient of a state.
  using Keep = std::function<void(
      llvm::Value* coefficient, llvm::Value* order, llvm::Value* state)>;

  /// @param keep takes the coefficients from the first order on.
  void Emit(llvm::Value* numbers, const Factor& factor, const Keep& keep);

 private:
  using Values = std::vector<llvm::Value*>;
  using LaneBody = std::function<void(llvm::Value* lane)>;

  /// The factor of u_j v_(k-j); j as a number.
  using Weight = std::function<llvm::Value*(std::size_t block, llvm::Value* j)>;
  using AddTerm = std::function<llvm::Value*(
      llvm::Value* order, std::size_t block, llvm::Value* j, llvm::Value* sum)>;

  /// Some vectors of a batch that are computed side by side.
  struct Group {
    const TaylorBatch* batch = nullptr;
    Values lanes;  // First lane of each vector.
  };

  /// Begins of a group's series, one address for each vector.
  struct Places {
    Values u;
    Values v;
    Values w;
  };

  // The orders.
  void EmitOrder(llvm::Value* order);
  void EmitNextRow();
  [[nodiscard]] bool IsFirstOrder() const;

  // Batches.
  void EmitRow(const TaylorBatch& batch);
  llvm::Value* RowValue(const TaylorBatch& batch, llvm::Value* lane, bool wide);
  llvm::Value* Apply(Op op, const Values& operands);
  void EmitSums(const TaylorBatch& batch);
  void EmitGroup(const Group& group);
  Values FirstOrder(const Group& group);
  Values Coefficients(const Group& group);
  Values KnownSums(const Group& group, const Places& at);
  llvm::Value* Coefficient(const Group& group,
                           const Places& at,
                           std::size_t i,
                           llvm::Value* sum);

  // Sums.
  llvm::Value* LoadFactor(llvm::Value* address, llvm::Value* k, bool wide);
  llvm::Value* Nothing(const Group& group);
  Values Inner(const Group& group,
               const Values& u,
               const Values& v,
               const Weight& weight);
  Values InnerSquare(const Group& group, const Values& u);
  llvm::Value* IfEven(const std::function<llvm::Value*(llvm::Value*)>& value,
                      llvm::Value* otherwise);
  Values FromTheMiddle(const Group& group,
                       const Values& starts,
                       const AddTerm& add,
                       bool may_begin_next);
  Values WrittenOut(const Group& group,
                    const Values& starts,
                    const AddTerm& add,
                    bool may_begin_next);

  // Places.
  llvm::Value* AddressOf(const TaylorBatch& batch,
                         std::size_t operand,
                         llvm::Value* lane);
  Values AddressesOf(const Group& group, std::size_t operand);
  Values Targets(const Group& group);
  [[nodiscard]] std::uint32_t WidthOf(const TaylorBatch& batch) const noexcept;
  [[nodiscard]] bool AreConsecutive(const TaylorBatch& batch) const;
  llvm::LoadInst* Load(llvm::Value* address, llvm::Value* rows, bool wide);
  void Store(llvm::Value* value, llvm::Value* address, llvm::Value* rows);
  llvm::Value* Steady(const TaylorBatch& batch,
                      std::size_t operand,
                      llvm::Value* lane);
  llvm::Value* Spread(llvm::Value* number, const TaylorBatch& batch);
  llvm::Value* Fused(llvm::Value* a, llvm::Value* b, llvm::Value* c);
  llvm::Value* Reciprocal(llvm::Value* number);
  llvm::Value* Part(llvm::Value* a, llvm::Value* b);
  llvm::Value* Table(llvm::Value* index);

  void ForEach(std::uint32_t begin,
               std::uint32_t end,
               std::uint32_t step,
               std::uint32_t most_unrolled,
               const LaneBody& body);
  llvm::Value* Rows(llvm::Value* k);
  llvm::Value* ToNumber(llvm::Value* integer);
  llvm::ConstantInt* Integer(std::int64_t value);
  llvm::BasicBlock* NewBlock();

  const TaylorPlan& plan_;
  int most_;
  llvm::IRBuilder<>& builder_;
  llvm::Function& function_;
  llvm::LLVMContext& context_;
  llvm::Type* number_;
  Operations operations_;
  llvm::Type* wide_type_;
  llvm::Value* numbers_ = nullptr;
  Factor factor_;
  Keep keep_;
  llvm::GlobalVariable* table_ = nullptr;  // The plan's addresses.
  llvm::Value* order_ = nullptr;           // k, that of this row.
  llvm::Value* order_number_ = nullptr;    // As a double.
  llvm::Value* row_ = nullptr;             // k rows.

  // Sums of the next order without their last terms, by batch and first lane.
  using Place = std::pair<const TaylorBatch*, llvm::Value*>;
  std::map<Place, Values> begun_;

  // Factors in a sum that is written out, by address and order.
  std::map<std::pair<llvm::Value*, llvm::Value*>, llvm::Value*> factors_;
};

}  // namespace orrery::codegen::internal
