#include "orrery/modelica/assist/completion.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "orrery/modelica/assist/descriptions.h"
#include "orrery/modelica/assist/open_brackets.h"

namespace orrery::modelica {
namespace {

using internal::ClassNode;
using internal::Member;
using internal::NameTarget;
using internal::OpenBracket;
using internal::Scope;
using Kind = Completion::Kind;

constexpr std::array<std::string_view, 34> kOfDeclarations = {
    "algorithm", "annotation", "block",        "connector", "constant",
    "discrete",  "each",       "encapsulated", "end",       "enumeration",
    "equation",  "expandable", "extends",      "external",  "final",
    "flow",      "function",   "import",       "initial",   "inner",
    "input",     "model",      "operator",     "outer",     "output",
    "package",   "parameter",  "partial",      "protected", "public",
    "record",    "redeclare",  "replaceable",  "type"};
constexpr std::array<std::string_view, 24> kOfEquations = {
    "algorithm", "and",    "annotation", "break",   "connect",  "der",
    "else",      "elseif", "elsewhen",   "end",     "equation", "false",
    "for",       "if",     "in",         "initial", "loop",     "not",
    "or",        "return", "then",       "true",    "when",     "while"};
constexpr std::array<std::string_view, 13> kAnnotations = {
    "Diagram",
    "Dialog",
    "Documentation",
    "Evaluate",
    "HideResult",
    "Icon",
    "Inline",
    "Placement",
    "choices",
    "choicesAllMatching",
    "defaultComponentName",
    "experiment",
    "preferredView"};

// Classes of libraries in one answer.
constexpr std::size_t kMostClasses = 60;

Kind KindOf(ast::ClassKind kind) {
  switch (kind) {
    case ast::ClassKind::kPackage:
      return Kind::kPackage;
    case ast::ClassKind::kFunction:
    case ast::ClassKind::kOperator:
      return Kind::kFunction;
    case ast::ClassKind::kType:
    case ast::ClassKind::kRecord:
    case ast::ClassKind::kConnector:
      return Kind::kType;
    default:
      return Kind::kModel;
  }
}

bool IsInComment(const Document& document, std::uint32_t offset) {
  const std::size_t next = document.FirstTokenFrom(offset);
  const std::uint32_t begin = next == 0 ? 0 : document.tokens()[next - 1].end;
  if (begin > offset) {
    return document.tokens()[next - 1].kind == TokenKind::kString;
  }
  const std::string_view gap = document.text().substr(begin, offset - begin);
  for (std::size_t i = 0; i + 1 < gap.size();) {
    const std::string_view two = gap.substr(i, 2);
    if (two != "//" && two != "/*") {
      ++i;
      continue;
    }
    const std::string_view closing = two == "//" ? "\n" : "*/";
    const std::size_t end = gap.find(closing, i + 2);
    if (end == std::string_view::npos) {
      return true;
    }
    i = end + closing.size();
  }
  return false;
}

// Collects the items of one answer.
class Collector {
 public:
  Collector(Workspace& workspace,
            const ClassIndex& index,
            const Document& document,
            std::uint32_t offset)
      : workspace_(workspace),
        index_(index),
        document_(document),
        offset_(offset),
        names_(workspace.TreeOf(document)) {}

  Completions Run();

 private:
  void AddKeywords(std::span<const std::string_view> words);
  void AddMembers(ClassNode* node, bool with_protected);
  void AddComponent(Member& member);
  void AddClass(const Member& member);
  void AddEntry(const ClassEntry& entry, const std::string& text);
  void AddModifiers(ClassNode* node);
  void AddInputs(ClassNode* function);
  void AddVisible(Scope* scope);
  void AddLibraryClasses(const std::string& word);
  bool AddInBrackets(std::size_t previous);
  ClassNode* Modified(const std::vector<OpenBracket>& brackets, bool& is_call);
  ClassNode* DeclaredType(std::size_t at, const OpenBracket& first);
  ClassNode* FunctionOf(const OpenBracket& bracket);
  void Add(Completion item);

  [[nodiscard]] TokenKind KindAt(std::size_t token) const {
    return document_.tokens()[token].kind;
  }

  Workspace& workspace_;
  const ClassIndex& index_;
  const Document& document_;
  std::uint32_t offset_;
  internal::NameResolver names_;
  std::set<std::string> seen_;
  Completions result_;
};

void Collector::Add(Completion item) {
  if (seen_.insert(item.label).second) {
    result_.items.push_back(std::move(item));
  }
}

void Collector::AddKeywords(std::span<const std::string_view> words) {
  for (const std::string_view word : words) {
    Add({.label = std::string(word), .kind = Kind::kKeyword});
  }
}

void Collector::AddComponent(Member& member) {
  const ast::TypePrefix& prefix = member.clause->prefix;
  Completion item = {.label = std::string(member.name),
                     .kind = Kind::kVariable,
                     .detail = internal::TypeTextOf(member),
                     .description = internal::DescriptionOf(member)};
  ClassNode* const type = names_.tree().TypeOf(member);
  if (prefix.variability == ast::Variability::kParameter) {
    item.kind = Kind::kParameter;
  } else if (prefix.variability == ast::Variability::kConstant) {
    item.kind = Kind::kConstant;
  } else if (type != nullptr && type->kind() == ast::ClassKind::kConnector) {
    item.kind = Kind::kPort;
  } else if (type != nullptr && type->definition != nullptr &&
             type->kind() != ast::ClassKind::kType) {
    item.kind = Kind::kComponent;
  }
  const std::string unit = internal::AttributeOf(names_.tree(), member, "unit");
  if (!unit.empty()) {
    item.detail += " [" + unit + "]";
  }
  Add(std::move(item));
}

void Collector::AddClass(const Member& member) {
  const ClassNode& node = *member.nested;
  Completion item = {.label = std::string(member.name),
                     .kind = Kind::kModel,
                     .detail = node.name,
                     .class_name = node.name};
  if (node.definition != nullptr) {
    item.kind = KindOf(node.kind());
    item.description = internal::DescriptionOf(node);
  } else if (const ClassEntry* const entry = index_.Find(node.name)) {
    item.kind = KindOf(entry->kind);
    item.description = entry->description;
  } else {
    item.kind = Kind::kPackage;
  }
  Add(std::move(item));
}

void Collector::AddEntry(const ClassEntry& entry, const std::string& text) {
  Add({.label = text,
       .kind = KindOf(entry.kind),
       .detail = entry.name,
       .description = entry.description,
       .class_name = entry.name});
}

void Collector::AddMembers(ClassNode* node, bool with_protected) {
  if (node == nullptr) {
    return;
  }
  names_.tree().Expand(node);
  for (Member& member : node->members) {
    if (member.is_protected && !with_protected) {
      continue;
    }
    if (member.clause != nullptr) {
      AddComponent(member);
    } else if (member.nested != nullptr) {
      AddClass(member);
    }
  }
  for (const std::string& literal : node->literals) {
    Add({.label = literal, .kind = Kind::kLiteral, .detail = node->name});
  }
}

void Collector::AddModifiers(ClassNode* node) {
  if (node == nullptr) {
    return;
  }
  names_.tree().Expand(node);
  for (const std::string_view attribute : internal::AttributesOf(*node)) {
    Add({.label = std::string(attribute),
         .kind = Kind::kModifier,
         .detail = "attribute of " + node->name,
         .text = std::string(attribute) + "="});
  }
  for (Member& member : node->members) {
    const bool can_be_given =
        member.clause != nullptr && !member.is_protected &&
        (member.element == nullptr || !member.element->is_final);
    if (can_be_given) {
      const std::string unit =
          internal::AttributeOf(names_.tree(), member, "unit");
      Add({.label = std::string(member.name),
           .kind = Kind::kModifier,
           .detail = internal::TypeTextOf(member) +
                     (unit.empty() ? "" : " [" + unit + "]"),
           .description = internal::DescriptionOf(member),
           .text = std::string(member.name) + "="});
    }
  }
}

void Collector::AddInputs(ClassNode* function) {
  if (function == nullptr || !names_.tree().Expand(function)) {
    return;
  }
  for (Member* const input :
       internal::MembersOf(*function, ast::Causality::kInput)) {
    Add({.label = std::string(input->name),
         .kind = Kind::kInput,
         .detail = internal::TypeTextOf(*input),
         .description = internal::DescriptionOf(*input),
         .text = std::string(input->name) + "="});
  }
}

void Collector::AddVisible(Scope* scope) {
  for (Scope* at = scope; at != nullptr; at = at->enclosing) {
    AddMembers(at->node, true);
  }
  for (const std::string& name : names_.tree().VisibleNames(scope)) {
    if (seen_.contains(name)) {
      continue;
    }
    const ast::Identifier part = {.text = name, .span = {}};
    const NameTarget target = names_.Find(scope, {&part, 1});
    if (target.kind == NameTarget::Kind::kClass) {
      Add({.label = name,
           .kind = KindOf(target.node->kind()),
           .detail = target.node->name,
           .description = internal::DescriptionOf(*target.node),
           .class_name = target.node->name});
    } else if (target.kind == NameTarget::Kind::kComponent &&
               target.member->clause != nullptr) {
      AddComponent(*target.member);
    }
  }
}

void Collector::AddLibraryClasses(const std::string& word) {
  if (word.size() < 2) {
    result_.is_complete = false;
    return;
  }
  for (const ClassEntry* const entry : index_.Search(word, kMostClasses)) {
    AddEntry(*entry, entry->name);
  }
  result_.is_complete = false;
}

ClassNode* Collector::FunctionOf(const OpenBracket& bracket) {
  ClassNode* const node = names_.ClassOf(names_.Find(
      internal::ScopeAt(workspace_, document_, offset_), bracket.name));
  return node != nullptr && node->kind() == ast::ClassKind::kFunction ? node
                                                                      : nullptr;
}

// The type of the component that is declared in the item that begins at token
// `at`, or the base of an extends clause; null if it is neither.
ClassNode* Collector::DeclaredType(std::size_t at, const OpenBracket& first) {
  while (KindAt(at) < TokenKind::kLeftParen &&
         KindAt(at) != TokenKind::kExtends && at < first.token) {
    ++at;
  }
  const bool is_extends = KindAt(at) == TokenKind::kExtends;
  at += is_extends ? 1 : 0;
  const bool is_global = KindAt(at) == TokenKind::kDot;
  at += is_global ? 1 : 0;
  std::vector<ast::Identifier> type;
  while (at < first.token && KindAt(at) == TokenKind::kIdentifier) {
    const Token& token = document_.tokens()[at];
    type.push_back({.text = document_.TextOf(token),
                    .span = {.begin = token.begin, .end = token.end}});
    ++at;
    if (KindAt(at) != TokenKind::kDot) {
      break;
    }
    ++at;
  }
  if (KindAt(at) == TokenKind::kLeftBracket) {
    while (at < first.token && KindAt(at) != TokenKind::kRightBracket) {
      ++at;
    }
    ++at;
  }
  const bool is_declaration =
      is_extends || (at < first.token && KindAt(at) == TokenKind::kIdentifier);
  if (!is_declaration || type.empty()) {
    return nullptr;
  }
  return names_.ClassOf(names_.Find(
      internal::ScopeAt(workspace_, document_, offset_), type, is_global));
}

// The class that the innermost bracket modifies, or the function that it calls.
ClassNode* Collector::Modified(const std::vector<OpenBracket>& brackets,
                               bool& is_call) {
  ClassNode* node = DeclaredType(
      internal::ItemBegin(document_, brackets.front().token), brackets.front());
  is_call = node == nullptr;
  if (is_call) {
    return FunctionOf(brackets.back());
  }
  for (std::size_t i = 1; i < brackets.size(); ++i) {
    const OpenBracket& bracket = brackets[i];
    if (bracket.name.empty()) {
      return nullptr;
    }
    const TokenKind before = KindAt(bracket.first - 1);
    const bool is_modifier =
        before == TokenKind::kLeftParen || before == TokenKind::kComma ||
        before == TokenKind::kEach || before == TokenKind::kFinal;
    if (!is_modifier) {
      is_call = true;
      return FunctionOf(brackets.back());
    }
    for (const ast::Identifier& part : bracket.name) {
      node = names_.ClassOf(names_.FindIn(node, part.text));
    }
  }
  return node;
}

// @returns true if nothing else may stand here.
bool Collector::AddInBrackets(std::size_t previous) {
  const auto brackets = internal::OpenBracketsAt(document_, offset_);
  const TokenKind before = KindAt(previous);
  const bool is_argument =
      !brackets.empty() &&
      (before == TokenKind::kLeftParen || before == TokenKind::kComma ||
       before == TokenKind::kEach || before == TokenKind::kFinal);
  if (!is_argument) {
    return false;
  }
  const bool is_annotation =
      std::ranges::any_of(brackets, [this](const OpenBracket& bracket) {
        return bracket.token > 0 &&
               KindAt(bracket.token - 1) == TokenKind::kAnnotation;
      });
  if (is_annotation) {
    if (brackets.back().name.empty()) {
      AddKeywords(kAnnotations);
    }
    return true;
  }
  bool is_call = false;
  ClassNode* const node = Modified(brackets, is_call);
  if (is_call) {
    AddInputs(node);
    return false;
  }
  AddModifiers(node);
  static constexpr std::array<std::string_view, 4> kWords = {
      "each", "final", "redeclare", "replaceable"};
  AddKeywords(kWords);
  return true;
}

Completions Collector::Run() {
  result_.replaced = {.begin = offset_, .end = offset_};
  if (IsInComment(document_, offset_)) {
    return std::move(result_);
  }
  const std::size_t word = document_.WordAt(offset_);
  std::string written;
  std::size_t next = document_.FirstTokenFrom(offset_);
  if (word < document_.tokens().size()) {
    const Token& token = document_.tokens()[word];
    result_.replaced = {.begin = token.begin, .end = token.end};
    written = document_.text().substr(token.begin, offset_ - token.begin);
    next = word;
  }
  Scope* const scope = internal::ScopeAt(workspace_, document_, offset_);
  if (next > 0 && KindAt(next - 1) == TokenKind::kDot) {
    std::size_t first = 0;
    const auto name = internal::NameBefore(document_, next - 1, first);
    const NameTarget target = names_.Find(scope, name);
    AddMembers(names_.ClassOf(target), false);
    return std::move(result_);
  }
  if (next > 0 && AddInBrackets(next - 1)) {
    return std::move(result_);
  }
  const bool is_first = internal::ItemBegin(document_, next) == next;
  AddVisible(scope);
  AddKeywords(is_first ? std::span<const std::string_view>(kOfDeclarations)
                       : std::span<const std::string_view>());
  AddKeywords(kOfEquations);
  AddLibraryClasses(written);
  return std::move(result_);
}

}  // namespace

Completions CompletionsAt(Workspace& workspace,
                          const ClassIndex& index,
                          const Document& document,
                          std::uint32_t offset) {
  return Collector(workspace, index, document, offset).Run();
}

std::string DocumentationOfClass(Workspace& workspace,
                                 const Document& document,
                                 const std::string& name) {
  internal::ClassNode* const node = workspace.TreeOf(document).FindGlobal(name);
  return node == nullptr ? "" : internal::DocumentationOf(*node);
}

}  // namespace orrery::modelica
