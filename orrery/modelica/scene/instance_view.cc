#include "orrery/modelica/scene/instance_view.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <utility>

#include "orrery/syntax/annotations.h"

namespace orrery::modelica::internal {
namespace {

constexpr int kMaxDepth = 40;

std::optional<double> Calculated(ast::BinaryOperator op, double a, double b) {
  using Op = ast::BinaryOperator;
  switch (op) {
    case Op::kAdd:
    case Op::kElementAdd:
      return a + b;
    case Op::kSubtract:
    case Op::kElementSubtract:
      return a - b;
    case Op::kMultiply:
    case Op::kElementMultiply:
      return a * b;
    case Op::kDivide:
    case Op::kElementDivide:
      return a / b;
    case Op::kPower:
    case Op::kElementPower:
      return std::pow(a, b);
    default:
      return std::nullopt;
  }
}

std::optional<bool> Compared(ast::BinaryOperator op, double a, double b) {
  using Op = ast::BinaryOperator;
  switch (op) {
    case Op::kLess:
      return a < b;
    case Op::kLessEqual:
      return a <= b;
    case Op::kGreater:
      return a > b;
    case Op::kGreaterEqual:
      return a >= b;
    case Op::kEqual:
      return a == b;
    case Op::kNotEqual:
      return a != b;
    default:
      return std::nullopt;
  }
}

// `and` and `or` know a result if one side decides.
AnnotationValue Joined(ast::BinaryOperator op,
                       const AnnotationValue& a,
                       const AnnotationValue& b) {
  const bool decides = op == ast::BinaryOperator::kOr;
  for (const AnnotationValue* const side : {&a, &b}) {
    if (side->truth() != nullptr && *side->truth() == decides) {
      return {decides};
    }
  }
  return a.truth() != nullptr && b.truth() != nullptr
             ? AnnotationValue{!decides}
             : AnnotationValue{};
}

AnnotationValue Applied(ast::BinaryOperator op,
                        const AnnotationValue& a,
                        const AnnotationValue& b) {
  using Op = ast::BinaryOperator;
  if (op == Op::kAnd || op == Op::kOr) {
    return Joined(op, a, b);
  }
  if (a.number() != nullptr && b.number() != nullptr) {
    if (const auto number = Calculated(op, *a.number(), *b.number())) {
      return {*number};
    }
    if (const auto truth = Compared(op, *a.number(), *b.number())) {
      return {*truth};
    }
  }
  const bool are_texts = a.text() != nullptr && b.text() != nullptr;
  if (are_texts && op == Op::kAdd) {
    return {*a.text() + *b.text()};
  }
  const bool are_truths = a.truth() != nullptr && b.truth() != nullptr;
  if ((are_texts || are_truths) && (op == Op::kEqual || op == Op::kNotEqual)) {
    const bool are_equal =
        are_texts ? *a.text() == *b.text() : *a.truth() == *b.truth();
    return {are_equal == (op == Op::kEqual)};
  }
  return {};
}

// A literal is known by its name; no text declares those of annotations, as
// LinePattern.Dash. Unknown for names that are no literals.
AnnotationValue LiteralOf(const ClassTree::Found& found,
                          const std::vector<ast::Identifier>& parts) {
  const bool is_literal =
      !found.literal.empty() ||
      (parts.size() > 1 && found.parts + 1 >= parts.size()) ||
      (found.parts == 0 && parts.size() == 2);
  return is_literal ? AnnotationValue{std::string(parts.back().text)}
                    : AnnotationValue{};
}

}  // namespace

std::string WrittenText(const BoundExpression& bound) {
  if (bound.expression == nullptr || bound.scope == nullptr ||
      bound.scope->file == nullptr) {
    return {};
  }
  const ast::Span& span = bound.expression->span;
  std::string text;
  for (const char c :
       bound.scope->file->text().substr(span.begin, span.end - span.begin)) {
    const bool is_space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!is_space) {
      text += c;
    } else if (!text.empty() && text.back() != ' ') {
      text += ' ';
    }
  }
  return text;
}

BoundExpression ViewEvaluator::ValueOf(const InstanceView& view,
                                       std::string_view name) {
  const ast::Modification* const given = ArgumentIn(view.modifiers, name);
  if (given != nullptr && given->value != nullptr) {
    return {.expression = given->value,
            .scope = view.outer_scope,
            .view = view.outer};
  }
  if (view.node == nullptr) {
    return {};
  }
  Member* const member = view.node->Find(name);
  if (member == nullptr || member->clause == nullptr) {
    return {};
  }
  for (const WrittenModification& written :
       view.node->parts[member->inherited_part].modifications) {
    const ast::Modification* const said =
        ArgumentIn(written.modification, name);
    if (said != nullptr && said->value != nullptr) {
      return {.expression = said->value, .scope = written.scope, .view = &view};
    }
  }
  const Member& declared = member->Declared([](const Member& its) {
    return its.declaration->modification != nullptr &&
           its.declaration->modification->value != nullptr;
  });
  if (declared.declaration->modification == nullptr) {
    return {};
  }
  return {.expression = declared.declaration->modification->value,
          .scope = declared.scope,
          .view = &view};
}

InstanceView ViewEvaluator::ViewOf(const InstanceView& outer,
                                   Member& component) {
  InstanceView view = {.outer = &outer, .outer_scope = component.scope};
  view.node = tree_.TypeOf(component);
  if (view.node != nullptr) {
    tree_.Expand(view.node);
  }
  if (component.declaration->modification != nullptr) {
    view.modifiers = component.declaration->modification->arguments;
  }
  return view;
}

AnnotationValue ViewEvaluator::Evaluate(const BoundExpression& bound) {
  if (bound.expression == nullptr || depth_ > kMaxDepth) {
    return {};
  }
  ++depth_;
  AnnotationValue result;
  const auto& node = bound.expression->node;
  if (const auto* integer = std::get_if<ast::IntegerLiteral>(&node)) {
    result.value = static_cast<double>(integer->value);
  } else if (const auto* real = std::get_if<ast::RealLiteral>(&node)) {
    result.value = real->value;
  } else if (const auto* truth = std::get_if<ast::BooleanLiteral>(&node)) {
    result.value = truth->value;
  } else if (const auto* text = std::get_if<ast::StringLiteral>(&node)) {
    result.value = ast::Unescape(text->raw);
  } else if (const auto* its = std::get_if<ast::ComponentReference>(&node)) {
    result = Reference(*its, bound);
  } else if (const auto* call = std::get_if<ast::Call>(&node)) {
    result = Call(*call, bound);
  } else if (const auto* array = std::get_if<ast::ArrayConstructor>(&node)) {
    result = Array(*array, bound);
  } else if (const auto* unary = std::get_if<ast::Unary>(&node)) {
    result = Unary(*unary, bound);
  } else if (const auto* operation = std::get_if<ast::Operation>(&node)) {
    result = Operation(*operation, bound);
  } else if (const auto* choice = std::get_if<ast::IfExpression>(&node)) {
    result = If(*choice, bound);
  }
  --depth_;
  return result;
}

AnnotationValue ViewEvaluator::Array(const ast::ArrayConstructor& array,
                                     const BoundExpression& bound) {
  if (!array.iterators.empty()) {
    return {};
  }
  AnnotationValue::List list;
  for (const ast::Expression* const element : array.elements) {
    list.push_back(Evaluate(
        {.expression = element, .scope = bound.scope, .view = bound.view}));
  }
  return {std::move(list)};
}

AnnotationValue ViewEvaluator::Unary(const ast::Unary& unary,
                                     const BoundExpression& bound) {
  AnnotationValue value = Evaluate(
      {.expression = unary.operand, .scope = bound.scope, .view = bound.view});
  if (unary.op == ast::UnaryOperator::kNot) {
    return value.truth() == nullptr ? AnnotationValue{}
                                    : AnnotationValue{!*value.truth()};
  }
  const bool is_negative = unary.op == ast::UnaryOperator::kMinus ||
                           unary.op == ast::UnaryOperator::kElementMinus;
  if (value.number() != nullptr && is_negative) {
    return {-*value.number()};
  }
  return value;
}

AnnotationValue ViewEvaluator::Operation(const ast::Operation& operation,
                                         const BoundExpression& bound) {
  AnnotationValue value = Evaluate({.expression = operation.first,
                                    .scope = bound.scope,
                                    .view = bound.view});
  for (const ast::OperationStep& step : operation.steps) {
    value = Applied(step.op,
                    value,
                    Evaluate({.expression = step.operand,
                              .scope = bound.scope,
                              .view = bound.view}));
  }
  return value;
}

AnnotationValue ViewEvaluator::If(const ast::IfExpression& choice,
                                  const BoundExpression& bound) {
  const auto value_of = [&](const ast::Expression* expression) {
    return Evaluate(
        {.expression = expression, .scope = bound.scope, .view = bound.view});
  };
  for (const ast::IfExpressionBranch& branch : choice.branches) {
    const AnnotationValue condition = value_of(branch.condition);
    if (condition.truth() == nullptr) {
      return {};
    }
    if (*condition.truth()) {
      return value_of(branch.value);
    }
  }
  return value_of(choice.otherwise);
}

// A dynamic value is shown as it is without a result; lengths of arrays are
// known if these are written out.
AnnotationValue ViewEvaluator::Call(const ast::Call& call,
                                    const BoundExpression& bound) {
  const std::string name = ast::ToString(call.function);
  if (call.arguments.empty() || !call.iterators.empty()) {
    return {};
  }
  AnnotationValue first = Evaluate({.expression = call.arguments[0].value,
                                    .scope = bound.scope,
                                    .view = bound.view});
  if (name == "DynamicSelect") {
    return first;
  }
  if (name == "size" && call.arguments.size() == 2 && first.list() != nullptr) {
    const AnnotationValue dimension =
        Evaluate({.expression = call.arguments[1].value,
                  .scope = bound.scope,
                  .view = bound.view});
    if (dimension.number() != nullptr && *dimension.number() == 1) {
      return {static_cast<double>(first.list()->size())};
    }
  }
  if (first.number() == nullptr) {
    return {};
  }
  if (name == "abs") {
    return {std::abs(*first.number())};
  }
  if (name == "integer") {
    return {std::floor(*first.number())};
  }
  const bool is_choice =
      (name == "max" || name == "min") && call.arguments.size() == 2;
  if (is_choice) {
    const AnnotationValue second =
        Evaluate({.expression = call.arguments[1].value,
                  .scope = bound.scope,
                  .view = bound.view});
    if (second.number() != nullptr) {
      return {name == "max" ? std::max(*first.number(), *second.number())
                            : std::min(*first.number(), *second.number())};
    }
  }
  return {};
}

AnnotationValue ViewEvaluator::Reference(
    const ast::ComponentReference& reference, const BoundExpression& bound) {
  const std::string_view first = reference.parts.front().name.text;
  Member* member = nullptr;
  const InstanceView* view = bound.view;
  InstanceView inner;
  InstanceView next;
  std::size_t used = 1;
  if (!reference.is_global && view != nullptr && view->node != nullptr) {
    member = view->node->Find(first);
  }
  if (member == nullptr || member->clause == nullptr) {
    std::vector<ast::Identifier> parts;
    for (const ast::ReferencePart& part : reference.parts) {
      parts.push_back(part.name);
    }
    if (bound.scope == nullptr || first.empty()) {
      return {};
    }
    const ClassTree::Found found = tree_.Find(
        bound.scope, {parts.data(), parts.size()}, reference.is_global);
    if (found.member == nullptr) {
      return LiteralOf(found, parts);
    }
    member = found.member;
    used = found.parts;
    inner = {.node = found.node};
    view = &inner;
  }
  for (; used < reference.parts.size(); ++used) {
    if (member->clause == nullptr) {
      return {};
    }
    next = ViewOf(*view, *member);
    if (next.node == nullptr) {
      return {};
    }
    member = next.node->Find(reference.parts[used].name.text);
    if (member == nullptr || member->clause == nullptr) {
      return {};
    }
    // The modifiers of a component of a component are looked up in it alone.
    next.outer = nullptr;
    inner = next;
    view = &inner;
  }
  if (!reference.parts.back().subscripts.empty()) {
    return {};
  }
  return Evaluate(ValueOf(*view, member->name));
}

}  // namespace orrery::modelica::internal
