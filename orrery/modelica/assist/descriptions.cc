#include "orrery/modelica/assist/descriptions.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "orrery/base/text/parse.h"
#include "orrery/syntax/annotations.h"
#include "orrery/syntax/class_kind.h"

namespace orrery::modelica::internal {
namespace {

std::string_view TextOf(const Scope* scope, const ast::Span& span) {
  return scope == nullptr || scope->file == nullptr
             ? std::string_view()
             : scope->file->text().substr(span.begin, span.end - span.begin);
}

// On one line, each run of white-space as a space.
std::string OnALine(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool is_space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!is_space) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (line.ends_with(' ')) {
    line.pop_back();
  }
  return line;
}

std::string Quoted(const std::string& text) {
  return text.empty() ? "" : " \"" + text + "\"";
}

std::string LiteralIn(const std::vector<WrittenModification>& modifications,
                      std::string_view attribute) {
  for (const WrittenModification& written : modifications) {
    std::string text = TextIn(written.modification, attribute);
    if (!text.empty()) {
      return text;
    }
  }
  return {};
}

// The name of an HTML tag in lower case: "p", "/p".
std::string TagName(std::string_view tag) {
  std::string name;
  for (const char c : tag) {
    const bool is_part = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                         (c == '/' && name.empty());
    if (!is_part) {
      break;
    }
    name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return name;
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 34> kTags =
    {{{"p", "\n\n"},
      {"/p", "\n\n"},
      {"br", "  \n"},
      {"b", "**"},
      {"/b", "**"},
      {"strong", "**"},
      {"/strong", "**"},
      {"i", "*"},
      {"/i", "*"},
      {"em", "*"},
      {"/em", "*"},
      {"code", "`"},
      {"/code", "`"},
      {"pre", "\n```\n"},
      {"/pre", "\n```\n"},
      {"blockquote", "\n\n"},
      {"/blockquote", "\n\n"},
      {"ul", "\n"},
      {"/ul", "\n\n"},
      {"ol", "\n"},
      {"/ol", "\n\n"},
      {"li", "\n- "},
      {"h1", "\n\n#### "},
      {"h2", "\n\n#### "},
      {"h3", "\n\n#### "},
      {"h4", "\n\n#### "},
      {"h5", "\n\n#### "},
      {"/h1", "\n\n"},
      {"/h2", "\n\n"},
      {"/h3", "\n\n"},
      {"/h4", "\n\n"},
      {"/h5", "\n\n"},
      {"tr", "\n"},
      {"/td", " | "}}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 9>
    kEntities = {{{"&lt;", "<"},
                  {"&gt;", ">"},
                  {"&amp;", "&"},
                  {"&quot;", "\""},
                  {"&nbsp;", " "},
                  {"&deg;", "\u00b0"},
                  {"&Omega;", "\u03a9"},
                  {"&micro;", "\u00b5"},
                  {"&middot;", "\u00b7"}}};

// At most two line ends in a row, none at the beginning and the end.
std::string WithoutGaps(std::string_view text) {
  std::string result;
  std::size_t ends = 0;
  for (const char c : Trim(text, " \t\r\n\f\v")) {
    ends = c == '\n' ? ends + 1 : (c == ' ' && ends > 0 ? ends : 0);
    if (ends <= 2) {
      result += c;
    }
  }
  return result;
}

}  // namespace

std::string MarkdownOf(std::string_view html) {
  std::string text;
  std::string skipped_until;
  for (std::size_t i = 0; i < html.size(); ++i) {
    if (html[i] == '<') {
      const std::size_t end = html.find('>', i);
      if (end == std::string_view::npos) {
        break;
      }
      const std::string name = TagName(html.substr(i + 1, end - i - 1));
      if (skipped_until.empty() && (name == "script" || name == "style")) {
        skipped_until = "/" + name;
      } else if (name == skipped_until) {
        skipped_until.clear();
      } else if (skipped_until.empty()) {
        const auto* const tag = std::ranges::find(
            kTags, name, &std::pair<std::string_view, std::string_view>::first);
        text += tag == kTags.end() ? "" : tag->second;
      }
      i = end;
      continue;
    }
    if (!skipped_until.empty()) {
      continue;
    }
    const auto* const entity = std::ranges::find_if(
        kEntities,
        [&](const auto& its) { return html.substr(i).starts_with(its.first); });
    if (entity != kEntities.end()) {
      text += entity->second;
      i += entity->first.size() - 1;
    } else {
      text += html[i];
    }
  }
  return WithoutGaps(text);
}

std::string TypeTextOf(const Member& component) {
  const ast::ComponentClause& clause = *component.clause;
  std::string text = ast::ToString(clause.type);
  std::string sizes;
  for (const ast::Expressions* const list :
       {&component.declaration->subscripts, &clause.subscripts}) {
    for (const ast::Expression* const size : *list) {
      sizes += (sizes.empty() ? "" : ", ") +
               OnALine(TextOf(component.scope, size->span));
    }
  }
  return sizes.empty() ? text : text + "[" + sizes + "]";
}

std::string ValueTextOf(const Member& component) {
  const ast::Modification* const given = component.declaration->modification;
  return given == nullptr || given->value == nullptr
             ? ""
             : OnALine(TextOf(component.scope, given->value->span));
}

std::string DescriptionOf(const Member& component) {
  return ast::ToString(component.declaration->description.strings);
}

std::string DescriptionOf(const ClassNode& node) {
  return node.definition == nullptr
             ? ""
             : ast::ToString(node.definition->description.strings);
}

std::string DeclarationOf(const Member& component) {
  const ast::ComponentClause& clause = *component.clause;
  const ast::ComponentDeclaration& declared = *component.declaration;
  const std::uint32_t begin = component.element == nullptr
                                  ? clause.span.begin
                                  : component.element->span.begin;
  std::uint32_t end = clause.type.span.end;
  if (!clause.components.empty()) {
    end = clause.components.front().name.span.begin;
  }
  std::string text =
      OnALine(TextOf(component.scope, {.begin = begin, .end = end}));
  std::uint32_t own_end = declared.name.span.end;
  if (declared.modification != nullptr) {
    own_end = declared.modification->span.end;
  } else if (!declared.subscripts.empty()) {
    own_end = declared.subscripts.back()->span.end + 1;
  }
  text += " " +
          OnALine(TextOf(component.scope,
                         {.begin = declared.name.span.begin, .end = own_end}));
  if (declared.condition != nullptr) {
    text += " if " + OnALine(TextOf(component.scope, declared.condition->span));
  }
  return text + Quoted(DescriptionOf(component));
}

std::string DeclarationOf(const ClassNode& node) {
  if (node.definition == nullptr) {
    return "type " + node.name;
  }
  const ast::ClassPrefixes& prefixes = node.definition->prefixes;
  std::string text = prefixes.is_partial ? "partial " : "";
  text += prefixes.is_expandable ? "expandable " : "";
  text += prefixes.is_operator ? "operator " : "";
  text += std::string(Keyword(prefixes.kind)) + " " +
          std::string(node.definition->name.text);
  if (std::holds_alternative<ast::ShortClass>(node.definition->node)) {
    const auto& body = std::get<ast::ShortClass>(node.definition->node);
    const std::uint32_t end = body.modification != nullptr
                                  ? body.modification->span.end
                                  : body.base.span.end;
    text +=
        " = " + OnALine(TextOf(node.scope,
                               {.begin = body.base.span.begin, .end = end}));
  }
  return text + Quoted(DescriptionOf(node));
}

std::string AttributeOf(ClassTree& tree,
                        Member& component,
                        std::string_view attribute) {
  if (component.declaration == nullptr) {
    return {};
  }
  const ast::Modification* const given = component.declaration->modification;
  if (given != nullptr) {
    std::string text = TextIn(given->arguments, attribute);
    if (!text.empty()) {
      return text;
    }
  }
  ClassNode* const type = tree.TypeOf(component);
  if (type == nullptr || !tree.Expand(type)) {
    return {};
  }
  return LiteralIn(type->modifications, attribute);
}

std::string DocumentationOf(const ClassNode& node) {
  if (node.definition == nullptr) {
    return {};
  }
  const ast::Modification* const said =
      ArgumentIn(node.definition->description.annotation, "Documentation");
  return said == nullptr ? "" : MarkdownOf(TextIn(said->arguments, "info"));
}

}  // namespace orrery::modelica::internal
