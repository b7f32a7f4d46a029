#include "orrery/syntax/class_rules.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <variant>

#include "orrery/syntax/class_kind.h"

namespace orrery::modelica::internal {

using ast::ClassKind;

namespace {

/// A prefix that a class may not have on its elements; empty if there is none.
std::string_view MisplacedPrefix(ClassKind kind,
                                 const ast::Element& element,
                                 const ast::TypePrefix& prefix) {
  const bool is_record = kind == ClassKind::kRecord;
  if (is_record && prefix.causality != ast::Causality::kNone) {
    return prefix.causality == ast::Causality::kInput ? "input" : "output";
  }
  if (element.is_inner && (is_record || kind == ClassKind::kConnector)) {
    return "inner";
  }
  const bool may_flow = kind == ClassKind::kConnector ||
                        kind == ClassKind::kClass || kind == ClassKind::kType;
  return !may_flow && prefix.flow == ast::FlowPrefix::kFlow ? "flow" : "";
}

class RuleChecker {
 public:
  RuleChecker(const ast::StoredDefinition& text, Diagnostics& diagnostics)
      : file_(text.file), diagnostics_(diagnostics) {}

  void Check(const ast::ClassDefinition& definition) {
    if (const auto* list = std::get_if<ast::Enumeration>(&definition.node)) {
      CheckLiterals(*list);
    } else if (const auto* body =
                   std::get_if<ast::LongClass>(&definition.node)) {
      CheckSections(definition.prefixes.kind, *body);
      CheckElements(definition.prefixes.kind, *body);
    }
  }

 private:
  void Complain(const ast::Span& span, std::string message, const char* hint) {
    diagnostics_.Error({file_, span.begin, span.end}, std::move(message), hint);
  }

  void CheckLiterals(const ast::Enumeration& enumeration) {
    std::unordered_set<std::string_view> seen;
    for (const ast::EnumerationLiteral& literal : enumeration.literals) {
      if (!seen.insert(literal.name.text).second) {
        Complain(
            literal.name.span,
            "literal '" + std::string(literal.name.text) + "' is listed twice",
            "literals are distinct (specification 3.6, section 4.8.5)");
      }
    }
  }

  void CheckSections(ClassKind kind, const ast::LongClass& body) {
    if (kind != ClassKind::kRecord && kind != ClassKind::kConnector) {
      return;
    }
    for (const ast::Section& section : body.sections) {
      if (!std::holds_alternative<ast::ElementSection>(section.node)) {
        Complain({section.span.begin, section.span.begin},
                 std::string(KindName(kind)) +
                     " has no equations and no algorithms " + kClause,
                 "move them to the model that uses it");
      }
    }
  }

  void CheckElements(ClassKind kind, const ast::LongClass& body) {
    for (const ast::Element& element : body.elements) {
      if (const auto* nested =
              std::get_if<const ast::ClassDefinition*>(&element.node)) {
        Check(**nested);
      }
      const auto* const clause =
          std::get_if<const ast::ComponentClause*>(&element.node);
      const std::string_view prefix =
          clause == nullptr ? ""
                            : MisplacedPrefix(kind, element, (*clause)->prefix);
      if (!prefix.empty()) {
        Complain(
            element.span,
            "an element of " + std::string(KindName(kind)) +
                " cannot have the prefix '" + std::string(prefix) + "' " +
                kClause,
            prefix == "flow" ? "declare it in a connector" : "leave it out");
      }
    }
  }

  static constexpr const char* kClause = "(specification 3.6, section 4.6)";

  const std::shared_ptr<const SourceFile>& file_;
  Diagnostics& diagnostics_;
};

}  // namespace

void CheckRules(const ast::StoredDefinition& definition,
                Diagnostics& diagnostics) {
  RuleChecker checker(definition, diagnostics);
  for (const ast::StoredClass& stored : definition.classes) {
    checker.Check(*stored.definition);
  }
}

}  // namespace orrery::modelica::internal
