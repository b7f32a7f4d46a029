#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/modelica/values/lowering_context.h"

/// The functions that implement operators of operator records, and which of
/// them take some operands (specification 3.6, chapter 14).
namespace orrery::modelica::internal {

/// The operator record that a class is, or that it abbreviates as in
/// `operator record X = Complex(...)`; null if there is none.
ClassNode* OperatorRecordOf(Session& session, ClassNode* type);

/// The operator record that a value is one or an array of; null if it is not.
ClassNode* OperatorRecordIn(LoweringContext& context, const Value& value);

/// An argument of a constructor or an operator.
struct GivenArgument {
  std::string_view name;  ///< Empty if it is given by position.
  Value value;
};

/// A function and the value of each input; a value is empty where the default
/// holds.
struct OperatorCandidate {
  ClassNode* function = nullptr;
  std::vector<Value> arguments;
  /// The constructor that is called with argument `converted` first.
  ClassNode* constructor = nullptr;
  std::size_t converted = 0;
};

using OperatorCandidates = std::vector<OperatorCandidate>;

/// The functions in `encapsulated operator '+'`, or the function
/// `encapsulated operator function '+'`.
std::vector<ClassNode*> OperatorFunctionsOf(LoweringContext& context,
                                            ClassNode* type,
                                            std::string_view op);

/// The functions of that name of the types of all operands.
std::vector<ClassNode*> OperatorFunctionsOfEither(
    LoweringContext& context,
    std::string_view op,
    std::span<const Value> operands);

/// The type of an input, with its members.
ClassNode* TypeOfInput(LoweringContext& context, Member& input);

/// Values that are given by position.
std::vector<GivenArgument> GivenByPosition(std::span<const Value> values);

/// The function with these arguments; none if it does not take them.
/// @param is_exact if it may not take an Integer as a Real.
std::optional<OperatorCandidate> MatchCandidate(
    LoweringContext& context,
    ClassNode* function,
    std::span<const GivenArgument> given,
    bool is_exact);

/// The functions that take the arguments unchanged; if there is none, those
/// that take Integers as Reals.
OperatorCandidates MatchingCandidates(LoweringContext& context,
                                      std::span<ClassNode* const> functions,
                                      std::span<const GivenArgument> given);

/// Functions that take one operand unchanged, and the other one converted by a
/// constructor (section 14.5).
OperatorCandidates ConvertingCandidates(LoweringContext& context,
                                        std::string_view op,
                                        std::span<const Value> operands);

/// The operator as in messages: "'+'".
std::string QuotedOperator(std::string_view op);

/// The type as in messages: "Complex[3]", "Boolean".
std::string OperandType(const Value& value);

/// The types, as in "(Complex, Boolean)".
std::string OperandTypes(std::span<const Value> values);

/// The types of the inputs, as in "(Complex, Real[:])".
std::string SignatureOf(LoweringContext& context, ClassNode* function);

}  // namespace orrery::modelica::internal
