#include "orrery/symbolic/emit/tape_function.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <type_traits>
#include <unordered_set>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/symbolic/emit/emitter.h"
#include "orrery/symbolic/emit/tape_context.h"
#include "orrery/symbolic/emit/tape_parts.h"
#include "orrery/symbolic/transform.h"

namespace orrery::symbolic::internal {
namespace {

// Generated code has no place and belongs to no statement.
bool AreOfOneStatement(const SourceSpan& a, const SourceSpan& b) {
  return a.file != nullptr && a.file == b.file && a.begin == b.begin &&
         a.end == b.end;
}

/// Compiles a function's statements in their order.
class FunctionCompiler {
 public:
  FunctionCompiler(TapeContext& context, std::uint32_t number)
      : context_(context),
        function_(context.functions[number].function),
        variables_(context.functions[number].variables) {
    unit_.function = number;
  }

  TapeUnit Compile() {
    for (const auto* variables : {&function_->outputs, &function_->locals}) {
      for (const Function::Variable& variable : *variables) {
        Start(variable);
      }
    }
    Compile(function_->body);
    Emit({.op = TapeOp::kReturn});
    const std::size_t size = unit_.code.size();
    std::ranges::for_each(writers_,
                          [this](const Writer& writer) { Compile(writer); });
    unit_.writers_size = unit_.code.size() - size;
    return std::move(unit_);
  }

 private:
  // The code that throws the message of the kAssert at `at`, and its scope.
  struct Writer {
    std::size_t at = 0;
    Expr formula;
    std::unordered_map<std::uint32_t, Address> variables;
    FormulaInfo::OuterIterators iterators;
  };

  void Start(const Function::Variable& variable) {
    if (variable.initial) {
      CompileTogether(std::array{
          Statement{Assignment{variable.symbol, {}, variable.initial}, {}}});
      return;
    }
    const std::int64_t count = NumElements(variable.symbol.shape());
    if (count > 0) {
      Emit({.op = TapeOp::kFillArray,
            .target = variables_.at(variable.symbol.id()),
            .a = context_.constants.Scalar(0),
            .c = static_cast<std::uint32_t>(count)});
    }
  }

  void Compile(std::span<const Statement> statements) {
    while (!statements.empty()) {
      const std::size_t count = std::visit(
          [&](const auto& step) -> std::size_t {
            if constexpr (std::is_same_v<decltype(step), const Assignment&>) {
              return CompileTogether(
                  statements.first(CountTogether(statements)));
            } else {
              CompileStep(step);
              return 1;
            }
          },
          statements.front().step);
      statements = statements.subspan(count);
    }
  }

  // Returns the number of leading assignments that may be compiled together:
  // none reads or sets a variable that another one sets. Those of several
  // statements of the author must not choose what to evaluate, so that each
  // choice stays with its statement, nor call what may give another value each
  // time.
  std::size_t CountTogether(std::span<const Statement> statements) const {
    std::unordered_set<std::uint32_t> assigned;
    std::size_t count = 0;
    std::size_t begin = 0;  // Of the author's statement.
    bool is_plain = true;
    for (const Statement& statement : statements) {
      const auto* const step = std::get_if<Assignment>(&statement.step);
      if (step == nullptr || (count > 0 && Reads(*step, assigned))) {
        break;
      }
      if (count > 0 &&
          !AreOfOneStatement(statement.span, statements[count - 1].span)) {
        begin = count;
      }
      is_plain = is_plain && IsPlain(*step);
      if (!is_plain && begin > 0) {
        return begin;  // A statement stays together.
      }
      if (!assigned.insert(step->target.id()).second) {
        break;
      }
      ++count;
    }
    return count;
  }

  static bool Reads(const Assignment& step,
                    const std::unordered_set<std::uint32_t>& symbols) {
    return std::ranges::any_of(Reachable(RootsOf(step)), [&](std::uint32_t id) {
      return symbols.contains(id);
    });
  }

  [[nodiscard]] bool IsPlain(const Assignment& step) const {
    ExprGraph& graph = step.value.graph();
    const std::vector<Expr> roots = RootsOf(step);
    return std::ranges::none_of(Reachable(roots), [&](std::uint32_t id) {
      const Expr node = graph.At(id);
      return node.op() == Op::kSelect || node.op() == Op::kOpaque ||
             (node.op() == Op::kCall &&
              context_.functions[context_.NumberOf(graph.FunctionOf(node))]
                  .has_opaque);
    });
  }

  static std::vector<Expr> RootsOf(const Assignment& step) {
    std::vector<Expr> roots = step.subscripts;
    roots.push_back(step.value);
    return roots;
  }

  // Computes common parts, such as a call that gives a record, once.
  // @returns the number of assignments.
  std::size_t CompileTogether(std::span<const Statement> assignments) {
    std::vector<Expr> roots;
    for (const Statement& statement : assignments) {
      std::ranges::copy(RootsOf(std::get<Assignment>(statement.step)),
                        std::back_inserter(roots));
    }
    const FormulaInfo info(roots, iterators_);
    Emitter emitter(context_, unit_, info, &variables_);
    for (const Statement& statement : assignments) {
      const auto& step = std::get<Assignment>(statement.step);
      emitter.Assign({.symbol = step.target, .subscripts = step.subscripts},
                     step.value,
                     {},
                     /*may_rename=*/true);
    }
    return assignments.size();
  }

  void CompileStep(const IfStatement& step) {
    std::vector<std::size_t> exits;
    for (const IfStatement::Branch& branch : step.branches) {
      const std::size_t skip = EmitJumpUnless(branch.condition);
      Compile(branch.body);
      exits.push_back(EmitJump());
      Land(skip);
    }
    std::ranges::for_each(exits, [this](std::size_t at) { Land(at); });
  }

  void CompileStep(const ForStatement& step) {
    const ExprGraph& graph = step.iterator.graph();
    const Range& range = graph.IteratorRange(step.iterator);
    if (range.count <= 0) {
      return;
    }
    const Address counter = NewVariable();
    const Address value = NewVariable();
    variables_[step.iterator.id()] = value;
    iterators_.insert(step.iterator.id());
    const auto count = static_cast<std::uint32_t>(range.count);
    const std::size_t start = unit_.code.size();
    Emit({.op = TapeOp::kLoop, .target = counter, .a = count});
    Emit({.op = TapeOp::kFromIndex, .target = value, .a = counter});
    Emit({.op = ToTapeOp(Op::kMultiply),
          .target = value,
          .a = value,
          .b = context_.constants.Scalar(static_cast<double>(range.step))});
    Emit({.op = ToTapeOp(Op::kAdd),
          .target = value,
          .a = value,
          .b = context_.constants.Scalar(static_cast<double>(range.start))});
    breaks_.emplace_back();
    Compile(step.body);
    const auto length = static_cast<std::uint32_t>(unit_.code.size() - start);
    Emit(
        {.op = TapeOp::kNext, .target = counter, .a = count, .b = 1U - length});
    unit_.code.instructions[start].c = length;
    LandBreaks();
  }

  void CompileStep(const WhileStatement& step) {
    const Address passes = NewVariable();
    Emit({.op = TapeOp::kIndexZero, .target = passes});
    const std::size_t start = unit_.code.size();
    const std::size_t exit = EmitJumpUnless(step.condition);
    Emit({.op = TapeOp::kCountPass, .target = passes});
    breaks_.emplace_back();
    Compile(step.body);
    Emit({.op = TapeOp::kJump,
          .a = static_cast<std::uint32_t>(start - unit_.code.size())});
    Land(exit);
    LandBreaks();
  }

  void CompileStep(const AssertStatement& step) {
    const Address condition = Value(step.condition);
    Emit({.op = TapeOp::kAssert,
          .a = condition,
          .c = static_cast<std::uint32_t>(context_.messages.size())});
    unit_.code.nodes.back() = step.condition.id();
    context_.messages.push_back(step.message);
    if (step.writer) {
      writers_.push_back({.at = unit_.code.size() - 1,
                          .formula = step.writer,
                          .variables = variables_,
                          .iterators = iterators_});
    }
  }

  void Compile(const Writer& writer) {
    unit_.code.instructions[writer.at].b =
        static_cast<std::uint32_t>(unit_.code.size() - writer.at);
    variables_ = writer.variables;
    iterators_ = writer.iterators;
    Value(writer.formula);
    Emit({.op = TapeOp::kReturn});
  }

  void CompileStep(const BreakStatement& /*step*/) {
    ORRERY_CHECK(!breaks_.empty());
    breaks_.back().push_back(EmitJump());
  }

  void CompileStep(const ReturnStatement& /*step*/) {
    Emit({.op = TapeOp::kReturn});
  }

  Address Value(Expr scalar) {
    const FormulaInfo info(std::array{scalar}, iterators_);
    return Emitter(context_, unit_, info, &variables_).Value(scalar);
  }

  void Emit(const Tape::Instruction& instruction) {
    unit_.code.Add(instruction, 0);
  }

  // Adds a hidden variable of the function. A recursive call may overwrite it,
  // so it is saved with the others.
  Address NewVariable() { return unit_.temps.NewLasting(); }

  std::size_t EmitJump() {
    Emit({.op = TapeOp::kJump});
    return unit_.code.size() - 1;
  }

  std::size_t EmitJumpUnless(Expr condition) {
    const Address value = Value(condition);
    Emit({.op = TapeOp::kJumpUnless, .a = value});
    return unit_.code.size() - 1;
  }

  // Lets the jump at `at` lead to here.
  void Land(std::size_t at) {
    Tape::Instruction& jump = unit_.code.instructions[at];
    const auto distance = static_cast<std::uint32_t>(unit_.code.size() - at);
    (jump.op == TapeOp::kJump ? jump.a : jump.b) = distance;
  }

  void LandBreaks() {
    std::ranges::for_each(breaks_.back(), [this](std::size_t at) { Land(at); });
    breaks_.pop_back();
  }

  TapeContext& context_;
  std::shared_ptr<const Function> function_;
  std::unordered_map<std::uint32_t, Address> variables_;
  FormulaInfo::OuterIterators iterators_;
  std::vector<std::vector<std::size_t>> breaks_;
  std::vector<Writer> writers_;
  TapeUnit unit_;
};

}  // namespace

TapeUnit CompileFunction(TapeContext& context, std::uint32_t function) {
  return FunctionCompiler(context, function).Compile();
}

}  // namespace orrery::symbolic::internal
