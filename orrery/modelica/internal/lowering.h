#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/modelica/internal/formulas.h"
#include "orrery/modelica/internal/session.h"

namespace orrery::modelica::internal {

struct KnownArguments;
struct Leaves;
struct TextFunction;

/// Turns expressions, in one context, into formulas; checks types and shapes.
/// All functions report what is wrong and throw Abandoned.
class Lowering {
 public:
  Lowering(Session& session, const Context& context)
      : session_(session), context_(context) {}

  Value Lower(const ast::Expression& expression);
  /// With constants that are Reals as symbols, where only units matter.
  /// Precondition: MayLowerAgain(expression).
  Value LowerAsWritten(const ast::Expression& expression);

  /// A formula; a text or a record is an error.
  Expr Numbers(const ast::Expression& expression);
  Expr Scalar(const ast::Expression& expression, ValueType type);

  Expr Condition(const ast::Expression& expression) {
    return Scalar(expression, ValueType::kBoolean);
  }

  /// The conditions of a when-clause, each by itself.
  std::vector<std::pair<Expr, ast::Span>> Conditions(
      const ast::Expression& expression);

  /// A condition's value, if it is a matter of constants and parameters.
  std::optional<bool> Decide(Expr condition);

  /// A constant's value or, in a function, one that is a matter of arguments
  /// that are known where it is called.
  std::optional<double> KnownByArguments(Expr scalar);
  std::optional<bool> DecideByArguments(Expr condition);

  /// Its value if all of a loop over one of the iterators that may be divided
  /// has the same.
  /// @throws NeedsParts if the loop has a few parts that have.
  std::optional<bool> DecideInLoop(Expr condition);

  /// Loops over these may be lowered in parts. They must outlive this.
  void MayDivide(const std::vector<Expr>& iterators) noexcept {
    divisible_ = &iterators;
  }

  std::string Text(const ast::Expression& expression);

  /// A text, of values that only the run may have: strings and String(...),
  /// joined.
  Value TextInRun(const ast::Expression& expression);
  Message OneMessage(const ast::Expression& expression);
  /// A text as it is known now; other values as they are.
  Value KnownText(const Value& value, const ast::Span& span);

  using Check = internal::Check;

  /// One for each text that conditions of the run choose.
  std::vector<Check> LowerAssert(const ast::Call& call, const ast::Span& span);
  Check LowerTerminate(const ast::Call& call, const ast::Span& span);

  /// The assertion that never holds which a call of Modelica.Utilities.Streams
  /// .error is, for each text; none if it is another call.
  std::vector<Check> LowerError(const ast::Call& call, const ast::Span& span);

  /// What prints, whenever it is computed: a call of Modelica.Utilities.Streams
  /// .print; none if it is another call.
  std::optional<Expr> LowerPrint(const ast::Call& call, const ast::Span& span);

  Value Reference(const ast::ComponentReference& reference);

  /// The value of an input of a function, in its body.
  Value ReadInput(Component& input, const ast::Span& span);

  /// The component a reference names and its remaining subscripts: what is
  /// assigned to or connected. Subscripts of arrays of components are
  /// evaluated.
  struct Place {
    Component* component = nullptr;
    const ast::Expressions* subscripts = nullptr;
    /// The parts behind the subscripts, where only the run knows which elements
    /// of an array of components these pick.
    std::span<const ast::ReferencePart> rest = {};
  };

  /// As FindPlace(), but subscripts of arrays of components may vary in a run.
  Place FindPickedPlace(const ast::ComponentReference& reference);
  Place FindPlace(const ast::ComponentReference& reference);
  Component* FindComponent(const ast::ComponentReference& reference,
                           std::size_t& used);

  /// The element of an instance with that name.
  Component& Member(Instance& instance, const ast::Identifier& name);
  void CheckPublic(const internal::Member& member,
                   const ClassNode& type,
                   const ast::Span& span);

  using Elements = SelectedElements;

  Elements SelectElements(Component& component,
                          const ast::Expressions& subscripts,
                          const ast::Span& span);

  /// Whether only the run knows which elements subscripts of an array of
  /// `shape` pick. Loops over iterators that decide it are written out.
  bool PicksInRun(const ast::Expressions& subscripts,
                  const Shape& shape,
                  const ast::Span& span);

  /// A number that makes the call of a function whose outputs nobody uses: the
  /// first of them.
  Expr CallForEffect(const ast::Call& call, const ast::Span& span);

  /// The file or folder that modelica://Library/... or file://... means.
  std::string ResourceNamed(std::string name, const ast::Span& span);

  /// What the function equalityConstraint of their type gives for two records:
  /// zeros if they are equal enough.
  Value Residue(Component& a, Component& b, const ast::Span& span);

  /// The record that an argument of an operator of `Connections` names.
  Component& Overdetermined(const ast::Expression& argument);

  /// All outputs of a call, in order; one value for a predefined function.
  std::vector<Value> CallAll(const ast::Expression& expression);

  /// `value`, checked to fit a variable of `type` and, unless it is unknown,
  /// `shape`. Scalars do not fit arrays.
  Value Fit(Value value,
            ClassNode* type,
            const Shape* shape,
            const ast::Span& span,
            const std::string& what);

  // Loops.

  struct Iteration {
    Expr iterator;  ///< Empty if written out.
    Value value;    ///< What the name stands for.
  };

  /// Binds a name to a new iterator over the range; undone by Unbind().
  Iteration Bind(const ast::ForIndex& index);
  Iteration Bind(const ast::ForIndex& index, const Value& values);
  Iteration Bind(const ast::ForIndex& index, const orrery::Range& range);
  Iteration Bind(std::string_view name, const orrery::Range& range);
  void Bind(std::string_view name, Value value);
  /// The enumeration whose literals an index goes through; null if there is
  /// none.
  const ClassNode* EnumerationOf(const ast::ForIndex& index);
  void Unbind(std::size_t count = 1);

  using Mark = LoweringMark;

  [[nodiscard]] Mark Save() const noexcept {
    return {.locals = locals_.size(),
            .ends = ends_.size(),
            .iterators = iterators_.size(),
            .fixes_parameters = fixes_parameters_};
  }

  void Restore(const Mark& mark);
  /// The vector that an index takes its values from.
  Value ValuesOf(const ast::ForIndex& index);
  /// The values of an index, one by one.
  std::vector<Value> Unrolled(const ast::ForIndex& index);
  std::vector<Value> Unrolled(const ast::ForIndex& index,
                              const Iteration& iteration);

  // Arrays.

  struct Subscript {
    Expr scalar;  ///< An element; else a whole dimension or a selection.
    Expr vector;
    std::optional<orrery::Range> range;
  };

  /// @param indexed whose dimensions' types are to fit, if it is known.
  std::vector<Subscript> Subscripts(const ast::Expressions& subscripts,
                                    const Shape& shape,
                                    const ast::Span& span,
                                    const Component* indexed = nullptr);
  /// Of an unknown: with the values of parameters.
  std::vector<Subscript> PickingSubscripts(const Component& component,
                                           const ast::Expressions& subscripts,
                                           const Shape& shape,
                                           const ast::Span& span);
  /// The shape of what subscripts select of an array.
  static Shape SelectedShape(const Shape& shape,
                             std::span<const Subscript> subscripts);
  Expr Select(Expr array, std::span<const Subscript> subscripts);
  Value Select(const Value& value, std::span<const Subscript> subscripts);
  Value SelectRecords(const RecordValue& records,
                      std::span<const Subscript> subscripts);
  /// The elements of an array of records, row-major; a record as its own.
  std::vector<Value> ElementsOf(const Value& records);

  /// Whatever a symbol is to be replaced with, as in an algorithm.
  void ReplaceSymbols(std::function<Expr(Expr)> replace) {
    replace_ = std::move(replace);
  }

  /// Lets slices have sizes that only the run knows, throwing NeedsSize.
  void TakeSizes() noexcept { takes_sizes_ = true; }

  [[nodiscard]] std::vector<SizeInRun>& sizes() noexcept { return sizes_; }

  void SetInitial(bool is_initial) { is_initial_ = is_initial; }

  /// Whether what is lowered holds at events only: it may use the values of
  /// continuous variables before them.
  void SetInWhen(bool is_in_when) { is_in_when_ = is_in_when; }

  [[noreturn]] void Fail(const ast::Span& span,
                         std::string message,
                         std::string hint = {}) {
    session_.Fail(context_.scope, span, std::move(message), std::move(hint));
  }

  [[nodiscard]] const Context& context() const noexcept { return context_; }

  std::vector<double> Constant(Expr expr,
                               const ast::Span& span,
                               std::string_view why);
  std::int64_t ConstantInteger(const ast::Expression& expression,
                               std::string_view why);

  // Operations on values.

  Value Binary(ast::BinaryOperator op,
               const Value& a,
               const Value& b,
               const ast::Span& span);
  Value BinaryNumbers(ast::BinaryOperator op,
                      const Value& a,
                      const Value& b,
                      const ast::Span& span);
  Value IfElse(Expr condition,
               const Value& a,
               const Value& b,
               const ast::Span& span);

 private:
  friend class BuiltIns;
  friend class RecordOperators;

  struct Local {
    std::string_view name;
    Value value;
    Expr iterator;  ///< Empty if the name stands for one value.
  };

  // Expressions.
  Value LowerText(const ast::StringLiteral& literal);
  Value Settled(Value value);
  Value LowerArray(const ast::ArrayConstructor& array, const ast::Span& span);
  Value Stack(std::span<const Value> values, std::span<const ast::Span> spans);
  /// Elements, row-major, as an array of `shape`.
  Value Arrange(std::vector<Value> elements,
                const Shape& shape,
                const ast::Span& span);
  /// What `op` makes of the values of `body`; the last iterator is the
  /// outermost.
  Value LowerReduction(const ast::Expression& body,
                       std::span<const ast::ForIndex> iterators,
                       Op op,
                       const ast::Span& span);
  Value Join(std::span<const Value> values,
             const Joining& joining,
             const ast::Span& span);
  Value OverRange(Op op,
                  Expr iterator,
                  const Value& body,
                  const ast::Span& span);
  bool Varies(Expr value);
  /// Whether the loops of formulas around have passes.
  [[nodiscard]] bool IsReached() const;
  bool IsOfRun(const ast::ForIndex& index);
  Value ReduceInRun(const ast::Expression& body,
                    std::span<const ast::ForIndex> iterators,
                    Op op,
                    const ast::Span& span);
  Value LowerMatrix(const ast::MatrixConstructor& matrix,
                    const ast::Span& span);
  Value JoinRows(std::span<const std::vector<Value>> rows,
                 const ast::MatrixConstructor& matrix,
                 std::size_t rank);
  Expr JoinParts(std::int64_t dimension,
                 std::vector<Expr> parts,
                 const ast::Span& span);
  Value LowerUnary(const ast::Unary& unary, const ast::Span& span);
  Value LowerOperation(const ast::Operation& operation, const ast::Span& span);
  Value LowerRange(const ast::Range& range, const ast::Span& span);
  Value BooleanRange(const ast::Range& range, const ast::Span& span);
  const ClassNode* EnumerationOf(const ast::Range& range,
                                 const ast::Span& span);

  Value LowerIf(const ast::IfExpression& choice, const ast::Span& span);
  Value LowerMember(const ast::Member& member, const ast::Span& span);
  Value JoinTexts(const Value& a, const Value& b, const ast::Span& span);
  Value NumberInText(const ast::Call& call, const ast::Span& span);
  std::vector<Check> ChecksOf(const Check& check, const Value& text);
  ValueFormat Format(std::span<const ast::Expression* const> arguments,
                     const Value& value);
  std::int64_t ImpliedSize(const ast::ForIndex& index);
  Expr SliceInRun(const ast::Range& range, std::int64_t extent);
  [[nodiscard]] std::optional<std::int64_t> KnownSize(Expr size);
  std::optional<orrery::Range> IntegerRange(const ast::Range& range,
                                            const ast::Span& span);

  // Operators.
  void CheckNumbers(const Value& value,
                    std::string_view op,
                    const ast::Span& span);
  void CheckSameShape(Expr a,
                      Expr b,
                      std::string_view op,
                      const ast::Span& span);
  Value Logical(ast::BinaryOperator op,
                const Value& a,
                const Value& b,
                const ast::Span& span);
  Value Compare(ast::BinaryOperator op,
                const Value& a,
                const Value& b,
                const ast::Span& span);
  Value BinaryText(ast::BinaryOperator op,
                   const Value& a,
                   const Value& b,
                   const ast::Span& span);
  Expr Multiply(Expr a, Expr b, const ast::Span& span);
  Expr Power(Expr a, Expr b, const ast::Span& span);

  // References.
  Value ReadComponent(Component& given,
                      std::span<const ast::ReferencePart> parts,
                      const ast::Span& span);
  void CheckDeclared(const Instance& instance, const ast::Identifier& name);
  Value ReadConstant(Component& constant, const ast::Span& span);
  Value ReadPredefined(Component& component, const ast::Span& span);
  Value ReadRecord(Component& component, const ast::Span& span);
  Value ReadInstance(Instance& instance, const ast::Span& span);
  bool DifferInSize(const Component& component);
  bool DifferInSize(Instance& a, Instance& b);
  Value NoParts(const Component& component,
                std::span<const ast::ReferencePart> parts);
  Value ReadElements(Component& component,
                     std::span<const ast::ReferencePart> rest,
                     const ast::Span& span);
  Value ReadFields(Value value,
                   std::span<const ast::ReferencePart> parts,
                   const ast::Span& span);
  /// The class a reference without subscripts means; null if none.
  ClassNode* FindType(const ast::ComponentReference& reference);
  /// What a call means; no class if its name is not that of one.
  Callee FindCallee(const ast::ComponentReference& reference,
                    const ClassTree::Found& found);
  Callee FindCallee(const ast::ComponentReference& reference);
  [[nodiscard]] Instance* EnclosingModel() const;
  Callee FunctionOf(Component& given,
                    std::span<const ast::ReferencePart> parts);
  [[nodiscard]] const Local* FindLocal(std::string_view name) const;
  Component* ComponentOf(const ClassTree::Found& found, std::size_t parts);
  [[noreturn]] void FailUnknown(const ast::ComponentReference& reference,
                                const ClassTree::Found& found);
  std::optional<std::size_t> ConstantElement(const ast::Expressions& subscripts,
                                             const Component& indexed,
                                             const ast::Span& span);
  Value EnumerationLiteral(const ast::ComponentReference& reference,
                           const ClassTree::Found& found);

  // Calls.

  using Arguments = CallArguments;

  Value LowerCall(const ast::Call& call, const ast::Span& span);
  bool AskForRoot(std::string_view name,
                  const ast::Call& call,
                  const ast::Span& span);
  std::vector<Value> CallClass(const Callee& callee,
                               const ast::Call& call,
                               const ast::Span& span);
  Value Construct(ClassNode* node,
                  const ast::Call& call,
                  const ast::Span& span);
  std::vector<Value> CallFunction(Callee callee,
                                  const ast::Call& call,
                                  const ast::Span& span);
  std::optional<Value> CallKnown(const Callee& callee,
                                 const ast::Call& call,
                                 const ast::Span& span);
  Value TableOf(const std::vector<Value>& arguments, const ast::Span& span);
  Value OfTexts(const TextFunction& known,
                ClassNode& function,
                const std::vector<Value>& arguments,
                const ast::Span& span);
  [[nodiscard]] std::shared_ptr<const SourceFile> FindFile(
      const std::string& name) const;
  ClassNode* WithInnerClasses(const Callee& callee, const ast::Span& span);
  void CheckCallable(const ClassNode& function, const ast::Span& span);
  Arguments LowerArguments(const Callee& callee,
                           const ast::Call& call,
                           const ast::Span& span);
  /// `extra` gets the first dimensions, which the input does not have.
  Value LowerArgument(const ClassNode& function,
                      internal::Member& input,
                      const ast::Expression* written,
                      Shape& extra);
  Value FunctionArgument(const ast::Expression& written,
                         const std::string& what);
  Value FunctionNamed(std::span<const ast::Identifier> names,
                      bool is_global,
                      const ast::Span& span);
  Value FunctionWithInputs(const ast::PartialApplication& partial,
                           const ast::Span& span);
  Value CallEach(const Callee& callee,
                 const Arguments& arguments,
                 const ast::Span& span);

  struct MadeCall;

  MadeCall MakeCall(const Callee& callee,
                    std::vector<Value> arguments,
                    const ast::Span& span);
  Value OutputText(const Value& text, const MadeCall& made);
  Value OutputValue(const Component& component,
                    const MadeCall& made,
                    std::size_t& number,
                    const ast::Span& span);
  std::vector<Value> CallWith(const Callee& callee,
                              std::vector<Value> arguments,
                              const ast::Span& span);
  const Session::Lowered* FindLowered(ClassNode* function,
                                      const Leaves& leaves,
                                      const std::vector<double>& shapes);
  Session::Lowered Specialize(ClassNode* function,
                              const std::vector<Value>& arguments,
                              const Leaves& leaves,
                              const std::vector<double>& shapes,
                              const ast::Span& span);

  KnownArguments KnownInRecursion(const ClassNode* function,
                                  const Leaves& arguments,
                                  const std::vector<double>& shapes,
                                  const ast::Span& span);
  void Learn(const NeedsArgument& argument,
             std::size_t number,
             const Value& leaf,
             const ClassNode& function,
             const ast::Span& span,
             KnownArguments& known);
  // The argument of a call for each input; null where none is given.
  std::vector<const ast::Expression*> PlaceArguments(
      const std::string& callee,
      std::span<const std::string> names,
      const ast::Call& call);
  std::vector<const ast::Expression*> PlaceFixed(
      const ast::Call& call,
      std::initializer_list<std::string> names,
      const ast::Span& span);
  bool HasDefault(ClassNode& node, const internal::Member& input);
  std::vector<const ast::Expression*> MatchArguments(
      ClassNode* node,
      const std::vector<internal::Member*>& inputs,
      const ast::Call& call,
      const ast::Span& span);

  Session& session_;
  Context context_;
  std::vector<Local> locals_;
  std::vector<std::int64_t> ends_;  // What `end` means, innermost last.
  std::vector<Expr> iterators_;     // In scope: may not decide structure.
  std::function<Expr(Expr)> replace_;
  bool is_initial_ = false;
  bool is_in_when_ = false;
  bool fixes_parameters_ = false;  ///< In subscripts of unknowns.
  bool takes_sizes_ = false;
  bool keeps_constants_ = false;
  std::vector<SizeInRun> sizes_;
  const std::vector<Expr>* divisible_ = nullptr;
};

}  // namespace orrery::modelica::internal
