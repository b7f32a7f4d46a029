#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/stacking.h"

namespace orrery::modelica::internal {

/// The operator record that a class is, or that it abbreviates as in
/// `operator record X = Complex(...)`; null if there is none.
[[nodiscard]] ClassNode* OperatorRecordOf(Session& session, ClassNode* type);

/// Operators, constructors and `sum` of operator records: selects and calls the
/// function that implements them (specification 3.6, chapter 14).
class RecordOperators {
 public:
  /// @param span of the expression, for reports.
  RecordOperators(LoweringContext& lowering, const ast::Span& span);

  /// At least one operand is a record or an array of records.
  Value Binary(ast::BinaryOperator op, const Value& a, const Value& b);
  Value Unary(std::string_view op, const Value& a);

  /// Calls a function of operator 'constructor'; none if no function takes the
  /// arguments.
  std::optional<Value> Construct(ClassNode* record, const ast::Call& call);

  /// Adds by '+'; calls '0' if there are no elements.
  Value Sum(const Value& records);
  Value Sum(std::span<const Value> records);

 private:
  struct Given {
    std::string_view name;  ///< Empty if it is given by position.
    Value value;
  };

  /// A function and the value of each input; a value is empty where the default
  /// holds.
  struct Candidate {
    ClassNode* function = nullptr;
    std::vector<Value> arguments;
    /// The constructor that is called with argument `converted` first.
    ClassNode* constructor = nullptr;
    std::size_t converted = 0;
  };

  using Candidates = std::vector<Candidate>;

  std::vector<ClassNode*> FunctionsOf(ClassNode* type, std::string_view op);
  std::vector<ClassNode*> FunctionsOfEither(std::string_view op,
                                            std::span<const Value> operands);
  ClassNode* RecordOf(const Value& value);
  static std::vector<Given> AsGiven(std::span<const Value> values);
  ClassNode* TypeOf(Member& input);
  bool Takes(Member& input, const Value& value, bool is_exact);
  std::optional<Candidate> Match(ClassNode* function,
                                 std::span<const Given> given,
                                 bool is_exact);
  Candidates Matching(std::span<ClassNode* const> functions,
                      std::span<const Given> given);
  Candidates Converting(std::string_view op, std::span<const Value> operands);
  void AddConverting(ClassNode* function,
                     std::span<const Value> operands,
                     std::size_t converted,
                     Candidates& candidates);

  Value Apply(std::string_view op, std::span<const Value> operands);
  std::optional<Value> ApplyWhole(std::string_view op,
                                  std::span<const Value> operands);
  Value Call(Candidate candidate);
  Value Elementwise(std::string_view op, const Value& a, const Value& b);
  Value ProductOfArrays(const Value& a, const Value& b);
  Value Arranged(std::vector<Value> elements,
                 const Shape& shape,
                 ClassNode* type);

  [[noreturn]] void FailNone(std::string_view op,
                             std::span<const Value> operands);
  [[noreturn]] void FailAmbiguous(std::string_view op,
                                  std::span<const Value> operands,
                                  const Candidates& candidates);
  [[noreturn]] void FailSizes(std::string_view op,
                              const Value& a,
                              const Value& b);
  std::string SignatureOf(ClassNode* function);

  LoweringContext& lowering_;
  Session& session_;
  ast::Span span_;
};

}  // namespace orrery::modelica::internal
