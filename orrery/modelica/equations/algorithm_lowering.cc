#include "orrery/modelica/equations/algorithm_lowering.h"

#include <string>
#include <utility>
#include <vector>

#include "orrery/modelica/expressions/lowering.h"

namespace orrery::modelica::internal {

// Events --------------------------------------------------------------------

void AlgorithmLowering::Enter(const ast::Span& span) {
  if (section_.is_initial) {
    session_.Fail(context_.scope,
                  span,
                  "a when-statement cannot stand in an initial algorithm",
                  "write 'when initial() then' in an algorithm");
  }
  is_in_when_ = true;
}

Expr AlgorithmLowering::Activation(const ast::Expression& condition,
                                   std::size_t branch,
                                   Statements& out) {
  if (branch == 0) {
    when_ = session_.events.NewWhen(*context_.instance);
  }
  const std::string name =
      when_ + ".condition" + (branch == 0 ? "" : std::to_string(branch + 1));
  const auto conditions = LowerConditions(statements_.lowering(), condition);
  Expr active = graph_.Boolean(false);
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const std::string numbered =
        conditions.size() == 1 ? name : name + "_" + std::to_string(i + 1);
    active = graph_.Binary(
        Op::kOr,
        active,
        ActivationOf(conditions[i].first, numbered, conditions[i].second, out));
  }
  return active;
}

Expr AlgorithmLowering::ActivationOf(Expr condition,
                                     const std::string& name,
                                     const ast::Span& span,
                                     Statements& out) {
  if (condition.is_constant()) {
    return graph_.Boolean(false);
  }
  const Expr initial = session_.flat.initial;
  const Expr outer = locals_.OuterOf(condition);
  if (outer && (outer == initial || outer.op() == Op::kSample)) {
    acts_at_start_ = acts_at_start_ || outer == initial;
    return condition;
  }
  const Expr hidden = session_.events.AddHidden(name, Where(span));
  const Expr own = AddFinding({.symbol = locals_.Of(hidden),
                               .left = hidden,
                               .initial = {},
                               .span = span});
  out.push_back({.step = Assignment{.target = own, .value = condition},
                 .span = Where(span)});
  const Expr before = locals_.Of(graph_.Pre(hidden));
  return graph_.Binary(
      Op::kAnd,
      graph_.Binary(Op::kAnd, own, graph_.Unary(Op::kNot, before)),
      graph_.Unary(Op::kNot, locals_.Of(initial)));
}

// Checks --------------------------------------------------------------------

Expr AlgorithmLowering::AddFinding(Finding finding) {
  findings_.push_back(std::move(finding));
  return findings_.back().symbol;
}

void AlgorithmLowering::Assert(Check check,
                               const ast::Span& span,
                               Statements& out) {
  Statements body;
  IfStatement statement;
  const Expr fails = graph_.Unary(Op::kNot, check.condition);
  AddReport(std::move(check), span, body);
  statement.branches.push_back({.condition = fails, .body = std::move(body)});
  out.push_back({.step = std::move(statement), .span = Where(span)});
}

void AlgorithmLowering::Terminate(Check check,
                                  const ast::Span& span,
                                  Statements& out) {
  AddReport(std::move(check), span, out);
}

// Adds statements that note the need for a report and the values in its
// message.
void AlgorithmLowering::AddReport(Check check,
                                  const ast::Span& span,
                                  Statements& out) {
  const auto note = [&](Expr value) {
    const Expr symbol =
        AddFinding({.symbol = graph_.Symbol(
                        {.name = "report", .type = value.type(), .shape = {}}),
                    .left = {},
                    .initial = graph_.Constant(0, value.type()),
                    .span = span});
    out.push_back({.step = Assignment{.target = symbol, .value = value},
                   .span = Where(span)});
    return findings_.size() - 1;
  };
  Report report{.is_assertion = static_cast<bool>(check.condition),
                .is_warning = check.is_warning,
                .span = span};
  report.finding = note(graph_.Boolean(true));
  for (const Message::Part& part : check.message.parts) {
    report.values.push_back(part.value ? note(part.value) : 0);
  }
  report.message = std::move(check.message);
  reports_.push_back(std::move(report));
}

void AlgorithmLowering::AddReports(Expr call) {
  const auto output = [&](std::size_t finding) {
    return graph_.Output(call, assigned_.size() + finding);
  };
  if (section_.is_initial && assigned_.empty() && reports_.empty()) {
    session_.flat.assertions.push_back(
        MadeAtStart(session_, session_.flat.initial, output(0), Where(span_)));
    session_.flat.assertions.back().path = context_.instance->path;
  }
  for (Report& report : reports_) {
    for (std::size_t i = 0; i < report.message.parts.size(); ++i) {
      Expr& value = report.message.parts[i].value;
      value = value ? output(report.values[i]) : Expr{};
    }
    const Expr condition =
        AndThen(section_.is_initial ? session_.flat.initial : Expr{},
                output(report.finding));
    if (report.is_assertion) {
      session_.flat.assertions.push_back(
          {.condition = graph_.Unary(Op::kNot, condition),
           .message = std::move(report.message),
           .is_warning = report.is_warning,
           .span = Where(report.span),
           .path = context_.instance->path});
    } else {
      session_.flat.terminations.push_back(
          {.condition = condition,
           .message = std::move(report.message),
           .span = Where(report.span),
           .path = context_.instance->path});
    }
  }
}

}  // namespace orrery::modelica::internal
