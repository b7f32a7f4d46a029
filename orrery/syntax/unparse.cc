#include "orrery/syntax/unparse.h"

#include "orrery/syntax/class_kind.h"
#include "orrery/syntax/printer.h"

namespace orrery::modelica {
namespace internal {
namespace {

std::string_view KeywordOf(ast::Causality causality) {
  switch (causality) {
    case ast::Causality::kInput:
      return "input ";
    case ast::Causality::kOutput:
      return "output ";
    case ast::Causality::kNone:
      break;
  }
  return "";
}

std::string_view KeywordOf(ast::Variability variability) {
  switch (variability) {
    case ast::Variability::kDiscrete:
      return "discrete ";
    case ast::Variability::kParameter:
      return "parameter ";
    case ast::Variability::kConstant:
      return "constant ";
    case ast::Variability::kUnspecified:
      break;
  }
  return "";
}

std::string_view KeywordOf(ast::FlowPrefix flow) {
  switch (flow) {
    case ast::FlowPrefix::kFlow:
      return "flow ";
    case ast::FlowPrefix::kStream:
      return "stream ";
    case ast::FlowPrefix::kNone:
      break;
  }
  return "";
}

}  // namespace

void Printer::Print(const ast::StoredDefinition& definition) {
  if (definition.within) {
    text_ += definition.within->parts.empty() ? "within" : "within ";
    Print(*definition.within);
    text_ += ";\n";
  }
  for (const ast::StoredClass& entry : definition.classes) {
    WriteIf(entry.is_final, "final ");
    Print(*entry.definition);
    text_ += ";\n";
  }
}

void Printer::PrintPrefixes(const ast::ClassPrefixes& prefixes) {
  WriteIf(prefixes.is_encapsulated, "encapsulated ");
  WriteIf(prefixes.is_partial, "partial ");
  WriteIf(prefixes.purity == ast::Purity::kPure, "pure ");
  WriteIf(prefixes.purity == ast::Purity::kImpure, "impure ");
  WriteIf(prefixes.is_operator, "operator ");
  WriteIf(prefixes.is_expandable, "expandable ");
  Write(Keyword(prefixes.kind), " ");
}

void Printer::Print(const ast::ClassDefinition& definition) {
  PrintPrefixes(definition.prefixes);
  std::visit([&](const auto& node) { PrintClassNode(node, definition); },
             definition.node);
}

void Printer::PrintClassNode(const ast::LongClass& node,
                             const ast::ClassDefinition& definition) {
  WriteIf(node.is_extension, "extends ");
  Write(definition.name.text);
  PrintArguments(node.modification);
  PrintStrings(definition.description.strings);
  for (const ast::Section& section : node.sections) {
    std::visit([this](const auto& content) { PrintNode(content); },
               section.node);
  }
  ++indent_;
  if (node.external != nullptr) {
    NewLine();
    Print(*node.external);
  }
  if (definition.description.annotation != nullptr) {
    NewLine();
    text_ += "annotation";
    PrintArguments(definition.description.annotation);
    text_ += ';';
  }
  --indent_;
  NewLine();
  Write("end ", definition.name.text);
}

void Printer::PrintClassNode(const ast::ShortClass& node,
                             const ast::ClassDefinition& definition) {
  Write(definition.name.text, " = ", KeywordOf(node.causality));
  Print(node.base);
  expressions_.PrintSubscripts(node.subscripts);
  PrintArguments(node.modification);
  PrintDescription(definition.description);
}

void Printer::PrintClassNode(const ast::Enumeration& node,
                             const ast::ClassDefinition& definition) {
  Write(definition.name.text, " = enumeration(");
  WriteIf(node.is_open, ":");
  Separate(
      text_, node.literals, [this](const ast::EnumerationLiteral& literal) {
        Write(literal.name.text);
        PrintDescription(literal.description);
      });
  text_ += ')';
  PrintDescription(definition.description);
}

void Printer::PrintClassNode(const ast::DerivativeClass& node,
                             const ast::ClassDefinition& definition) {
  Write(definition.name.text, " = der(");
  Print(node.function);
  for (const ast::Identifier& variable : node.variables) {
    Write(", ", variable.text);
  }
  text_ += ')';
  PrintDescription(definition.description);
}

void Printer::PrintNode(const ast::ElementSection& node) {
  if (node.has_keyword) {
    NewLine();
    text_ +=
        node.visibility == ast::Visibility::kPublic ? "public" : "protected";
  }
  ++indent_;
  for (const ast::Element& element : node.elements) {
    NewLine();
    Print(element);
    text_ += ';';
  }
  --indent_;
}

void Printer::PrintNode(const ast::EquationSection& node) {
  NewLine();
  text_ += node.is_initial ? "initial equation" : "equation";
  PrintItems(node.equations);
}

void Printer::PrintNode(const ast::AlgorithmSection& node) {
  NewLine();
  text_ += node.is_initial ? "initial algorithm" : "algorithm";
  PrintItems(node.statements);
}

void Printer::Print(const ast::External& external) {
  text_ += "external";
  if (external.language) {
    text_ += ' ';
    Print(*external.language);
  }
  if (external.result) {
    text_ += ' ';
    Print(*external.result);
    text_ += " =";
  }
  if (!external.function.text.empty()) {
    Write(' ', external.function.text, '(');
    expressions_.PrintList(external.arguments);
    text_ += ')';
  }
  PrintAnnotation(external.annotation);
  text_ += ';';
}

void Printer::Print(const ast::Element& element) {
  WriteIf(element.is_redeclare, "redeclare ");
  WriteIf(element.is_final, "final ");
  WriteIf(element.is_inner, "inner ");
  WriteIf(element.is_outer, "outer ");
  WriteIf(element.is_replaceable, "replaceable ");
  std::visit([this](const auto* node) { PrintNode(node); }, element.node);
  PrintConstraint(element.constraint);
}

void Printer::PrintNode(const ast::Import* node) {
  text_ += "import ";
  if (node->kind == ast::ImportKind::kRenamed) {
    Write(node->alias.text, " = ");
  }
  Print(node->name);
  WriteIf(node->kind == ast::ImportKind::kUnqualified, ".*");
  if (node->kind == ast::ImportKind::kList) {
    text_ += ".{";
    Separate(text_, node->names, [this](const ast::Identifier& name) {
      Write(name.text);
    });
    text_ += '}';
  }
  PrintDescription(node->description);
}

void Printer::PrintNode(const ast::Extends* node) {
  text_ += "extends ";
  Print(node->base);
  PrintArguments(node->modification);
  PrintAnnotation(node->annotation);
}

void Printer::PrintNode(const ast::ClassDefinition* node) {
  Print(*node);
}

void Printer::PrintNode(const ast::ComponentClause* node) {
  Write(KeywordOf(node->prefix.flow),
        KeywordOf(node->prefix.variability),
        KeywordOf(node->prefix.causality));
  Print(node->type);
  expressions_.PrintSubscripts(node->subscripts);
  text_ += ' ';
  Separate(
      text_,
      node->components,
      [this](const ast::ComponentDeclaration& component) { Print(component); });
}

void Printer::Print(const ast::ComponentDeclaration& component) {
  Write(component.name.text);
  expressions_.PrintSubscripts(component.subscripts);
  PrintModification(component.modification);
  if (component.condition != nullptr) {
    text_ += " if ";
    Print(*component.condition);
  }
  PrintDescription(component.description);
}

void Printer::PrintConstraint(const ast::ConstrainingClause* constraint) {
  if (constraint != nullptr) {
    text_ += " constrainedby ";
    Print(constraint->type);
    PrintArguments(constraint->modification);
    PrintDescription(constraint->description);
  }
}

void Printer::PrintModification(const ast::Modification* modification) {
  if (modification == nullptr) {
    return;
  }
  PrintArguments(modification->arguments);
  if (modification->is_break) {
    text_ += " = break";
  } else if (modification->value != nullptr) {
    text_ += " = ";
    Print(*modification->value);
  }
}

void Printer::PrintArguments(const ast::ClassModification* modification) {
  if (modification != nullptr) {
    text_ += '(';
    Separate(text_,
             modification->arguments,
             [this](const ast::Argument& argument) { Print(argument); });
    text_ += ')';
  }
}

void Printer::Print(const ast::Argument& argument) {
  WriteIf(argument.is_redeclare, "redeclare ");
  WriteIf(argument.is_each, "each ");
  WriteIf(argument.is_final, "final ");
  WriteIf(argument.is_replaceable, "replaceable ");
  std::visit([this](const auto& node) { PrintNode(node); }, argument.node);
  PrintConstraint(argument.constraint);
}

void Printer::PrintNode(const ast::ElementModification& node) {
  Print(node.name);
  PrintModification(node.modification);
  PrintStrings(node.description);
}

void Printer::PrintNode(const ast::BreakElement& node) {
  Write("break ", node.name.text);
}

void Printer::PrintNode(const ast::BreakConnect& node) {
  text_ += "break ";
  PrintNode(ast::Connect{node.from, node.to});
}

void Printer::PrintStrings(const ast::List<ast::StringLiteral>& strings) {
  for (const ast::StringLiteral& string : strings) {
    text_ += &string == strings.begin() ? " " : " + ";
    Print(string);
  }
}

void Printer::PrintDescription(const ast::Description& description) {
  if (!has_descriptions_) {
    return;
  }
  PrintStrings(description.strings);
  PrintAnnotation(description.annotation);
}

void Printer::PrintAnnotation(const ast::ClassModification* annotation) {
  if (annotation != nullptr) {
    text_ += " annotation";
    PrintArguments(annotation);
  }
}

// Equations and statements.

void Printer::Print(const ast::Equation& equation) {
  std::visit([this](const auto& node) { PrintNode(node); }, equation.node);
  PrintDescription(equation.description);
}

void Printer::Print(const ast::Statement& statement) {
  std::visit([this](const auto& node) { PrintNode(node); }, statement.node);
  PrintDescription(statement.description);
}

template <typename Item>
void Printer::PrintItems(const ast::List<Item>& items) {
  ++indent_;
  for (const Item& item : items) {
    NewLine();
    Print(item);
    text_ += ';';
  }
  --indent_;
}

template <typename Item>
void Printer::PrintBranches(const ast::List<ast::Branch<Item>>& branches,
                            std::string_view keyword) {
  for (const ast::Branch<Item>& branch : branches) {
    const bool is_first = &branch == branches.begin();
    if (!is_first) {
      NewLine();
      text_ += "else";
    }
    if (branch.condition != nullptr) {
      Write(keyword, " ");
      Print(*branch.condition);
      text_ += " then";
    }
    PrintItems(branch.body);
  }
  NewLine();
  Write("end ", keyword);
}

template <typename Item>
void Printer::PrintNode(const ast::If<Item>& node) {
  PrintBranches(node.branches, "if");
}

template <typename Item>
void Printer::PrintNode(const ast::When<Item>& node) {
  PrintBranches(node.branches, "when");
}

template <typename Item>
void Printer::PrintNode(const ast::For<Item>& node) {
  text_ += "for ";
  expressions_.PrintIndices(node.indices);
  text_ += " loop";
  PrintItems(node.body);
  NewLine();
  text_ += "end for";
}

void Printer::PrintNode(const ast::While& node) {
  text_ += "while ";
  Print(*node.condition);
  text_ += " loop";
  PrintItems(node.body);
  NewLine();
  text_ += "end while";
}

void Printer::PrintNode(const ast::SimpleEquation& node) {
  Print(*node.left, ast::Precedence::kRange);
  text_ += " = ";
  Print(*node.right);
}

void Printer::PrintNode(const ast::CallItem& node) {
  Print(*node.call);
}

void Printer::PrintNode(const ast::Connect& node) {
  text_ += "connect(";
  Print(node.from);
  text_ += ", ";
  Print(node.to);
  text_ += ')';
}

void Printer::PrintNode(const ast::Assignment& node) {
  Print(node.target);
  text_ += " := ";
  Print(*node.value);
}

void Printer::PrintNode(const ast::MultiAssignment& node) {
  expressions_.PrintOutputs(node.targets);
  text_ += " := ";
  Print(*node.call);
}

void Printer::PrintNode(const ast::Break& /*node*/) {
  text_ += "break";
}

void Printer::PrintNode(const ast::Return& /*node*/) {
  text_ += "return";
}

}  // namespace internal

namespace {

template <typename Node>
std::string PrintedText(const Node& node,
                        Descriptions descriptions = Descriptions::kWritten) {
  internal::Printer printer(descriptions == Descriptions::kWritten);
  printer.Print(node);
  return printer.text();
}

}  // namespace

std::string Unparse(const ast::StoredDefinition& definition) {
  return PrintedText(definition);
}

std::string Unparse(const ast::ClassDefinition& definition,
                    Descriptions descriptions) {
  return PrintedText(definition, descriptions);
}

std::string Unparse(const ast::Element& element, Descriptions descriptions) {
  return PrintedText(element, descriptions);
}

std::string Unparse(const ast::Equation& equation) {
  return PrintedText(equation);
}

std::string Unparse(const ast::Statement& statement) {
  return PrintedText(statement);
}

std::string Unparse(const ast::Expression& expression) {
  return PrintedText(expression);
}

}  // namespace orrery::modelica
