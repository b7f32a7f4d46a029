#include "orrery/modelica/text_edits/class_editor.h"

#include <cctype>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/modelica/text_edits/annotation_edits.h"
#include "orrery/modelica/text_edits/class_text.h"
#include "orrery/modelica/text_edits/connection_edits.h"
#include "orrery/modelica/text_edits/modifier_edits.h"
#include "orrery/modelica/text_edits/number_edits.h"
#include "orrery/modelica/text_edits/placement_edits.h"
#include "orrery/modelica/text_edits/redeclarations.h"
#include "orrery/modelica/text_edits/sized_connectors.h"
#include "orrery/syntax/annotations.h"
#include "orrery/syntax/token.h"

namespace orrery::modelica {
namespace {

using internal::ClassText;
using internal::EditKind;
using Edits = std::vector<TextEdit>;

[[noreturn]] void Refuse(const std::string& what, const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument, "cannot " + what + ": " + why);
}

// Finds the class chosen for the replaceable one that begins a path to a
// modifier; null if none is chosen there.
const ast::ShortClass* ChosenClass(const ast::ComponentDeclaration& declared,
                                   const std::vector<std::string>& path) {
  if (path.size() < 2 || declared.modification == nullptr) {
    return nullptr;
  }
  const ast::ClassDefinition* const chosen =
      internal::RedeclaredIn(declared.modification->arguments, path.front());
  return chosen == nullptr ? nullptr
                           : std::get_if<ast::ShortClass>(&chosen->node);
}

}  // namespace

class ClassEditor::Content {
 public:
  Content(const Document& document,
          std::string class_name,
          const ConnectorSizing* connector_sizing)
      : text(document, std::move(class_name)), sizing(connector_sizing) {}

  [[nodiscard]] std::string NewName(std::string_view type) const;

  // Adds the edits of places of components, which `change` makes of the present
  // ones.
  template <typename Change>
  void ChangePlaces(const std::vector<std::string>& names,
                    bool in_icon,
                    const Change& change,
                    Edits& edits) const;

  // Does a step of several edits, all or none.
  template <typename Step>
  void Whole(const Step& step);

  ClassText text;
  internal::MovedLines lines;
  const ConnectorSizing* sizing;
};

template <typename Change>
void ClassEditor::Content::ChangePlaces(const std::vector<std::string>& names,
                                        bool in_icon,
                                        const Change& change,
                                        Edits& edits) const {
  for (const std::string& name : names) {
    internal::SetPlace(text,
                       name,
                       change(internal::PlaceOf(text, name, in_icon)),
                       in_icon,
                       edits);
  }
}

template <typename Step>
void ClassEditor::Content::Whole(const Step& step) {
  const ClassText before = text;
  try {
    step();
  } catch (...) {
    text = before;
    throw;
  }
}

// "resistor" of "Modelica.Electrical.Analog.Basic.Resistor"; with a number if
// there is one already, or that is a word of the language.
std::string ClassEditor::Content::NewName(std::string_view type) const {
  std::string name(type.substr(type.rfind('.') + 1));
  std::erase(name, '\'');
  // An abbreviation, as PID or RC, is all in lower case.
  std::size_t upper = 0;
  while (upper < name.size() &&
         std::isupper(static_cast<unsigned char>(name[upper])) != 0) {
    ++upper;
  }
  const std::size_t lowered =
      upper > 1 && upper < name.size() ? upper - 1 : upper;
  for (std::size_t i = 0; i < lowered; ++i) {
    name[i] =
        static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
  }
  const bool is_type = name == type.substr(type.rfind('.') + 1);
  const auto is_taken = [this](const std::string& any) {
    return text.Declares(any) || any == "time" ||
           KeywordOrIdentifier(any) != TokenKind::kIdentifier;
  };
  std::string wanted = is_type ? name + "1" : name;
  for (int i = is_type ? 2 : 1; is_taken(wanted); ++i) {
    wanted = name + std::to_string(i);
  }
  return wanted;
}

ClassEditor::ClassEditor(const Document& document,
                         std::string class_name,
                         const ConnectorSizing* sizing)
    : content_(
          std::make_unique<Content>(document, std::move(class_name), sizing)) {}

ClassEditor::~ClassEditor() = default;

std::string ClassEditor::AddComponent(const NewComponent& component) {
  ClassText& text = content_->text;
  std::string name = component.name.empty() ? content_->NewName(component.type)
                                            : component.name;
  if (text.Declares(name)) {
    Refuse("add '" + name + "'", "there is one already");
  }
  text.Apply({text.NewDeclaration(
      component.type + " " + name +
      (component.modifiers.empty() ? "" : "(" + component.modifiers + ")") +
      " annotation(Placement(" + internal::TransformationText(component.place) +
      "));")});
  return name;
}

void ClassEditor::RemoveComponents(const std::vector<std::string>& names) {
  ClassText& text = content_->text;
  content_->Whole([&] {
    for (const std::string& name : names) {
      const ClassText::Component found = text.Find(name);
      const auto& all = found.clause->components;
      ast::Span span = text.WithLines(found.element->span);
      if (all.size() > 1) {
        const auto at =
            static_cast<std::size_t>(found.declaration - all.begin());
        span = {.begin = at > 0 ? all[at - 1].span.end : all[0].span.begin,
                .end = at > 0 ? all[at].span.end : all[1].span.begin};
      }
      std::vector<ClassText::Connection> connections = text.Connections();
      std::erase_if(connections, [&name](ClassText::Connection connection) {
        const auto& ends = std::get<ast::Connect>(connection->node);
        return ends.from.parts.front().name.text != name &&
               ends.to.parts.front().name.text != name;
      });
      internal::SizedConnectors(text, content_->sizing)
          .Remove(connections, {{.span = span, .text = ""}});
    }
  });
}

void ClassEditor::RemoveConnection(const ConnectionEnds& ends) {
  ClassText& text = content_->text;
  content_->Whole([&] {
    internal::SizedConnectors(text, content_->sizing)
        .Remove({text.FindConnection(ends.from, ends.to)}, {});
  });
}

void ClassEditor::Move(const std::vector<std::string>& names,
                       const Point& by,
                       bool in_icon) {
  Edits edits;
  content_->ChangePlaces(
      names,
      in_icon,
      [&by](const auto& written) { return internal::MovedPlace(written, by); },
      edits);
  if (!in_icon) {
    content_->lines.Move(content_->text, names, by, edits);
  }
  content_->text.Apply(edits, EditKind::kDrawing);
}

void ClassEditor::Place(const std::string& name,
                        const Placement& place,
                        bool in_icon) {
  Edits edits;
  internal::SetPlace(content_->text, name, place, in_icon, edits);
  content_->text.Apply(edits, EditKind::kDrawing);
}

void ClassEditor::Rotate(const std::vector<std::string>& names,
                         double degrees,
                         bool in_icon) {
  Edits edits;
  content_->ChangePlaces(
      names,
      in_icon,
      [degrees](const auto& written) {
        return internal::TurnedPlace(written, degrees);
      },
      edits);
  content_->text.Apply(edits, EditKind::kDrawing);
}

void ClassEditor::Flip(const std::vector<std::string>& names,
                       bool is_horizontal,
                       bool in_icon) {
  Edits edits;
  content_->ChangePlaces(
      names,
      in_icon,
      [is_horizontal](const auto& written) {
        return internal::FlippedPlace(written.place, is_horizontal);
      },
      edits);
  content_->text.Apply(edits, EditKind::kDrawing);
}

void ClassEditor::Connect(const ConnectionEnds& ends,
                          const std::vector<Point>& points,
                          const std::optional<Colour>& colour) {
  std::string line;
  if (!points.empty()) {
    line = " annotation(Line(points=" + internal::PointsText(points);
    if (colour) {
      line += ", color={" + std::to_string((*colour)[0]) + "," +
              std::to_string((*colour)[1]) + "," +
              std::to_string((*colour)[2]) + "}";
    }
    line += "))";
  }
  ClassText& text = content_->text;
  content_->Whole([&] {
    std::string from = ends.from;
    std::string to = ends.to;
    internal::SizedConnectors(text, content_->sizing).Grow(from, to);
    text.Apply(
        {text.NewEquation("connect(" + from + ", " + to + ")" + line + ";")});
  });
}

void ClassEditor::Reroute(const ConnectionEnds& ends,
                          const std::vector<Point>& points) {
  Edits edits;
  internal::SetLine(
      content_->text.FindConnection(ends.from, ends.to), points, edits);
  content_->text.Apply(edits, EditKind::kDrawing);
}

void ClassEditor::ChooseClass(const std::string& component,
                              const std::string& kind,
                              const std::string& name,
                              const std::optional<std::string>& type) {
  const ast::ComponentDeclaration& declared =
      *content_->text.Find(component).declaration;
  Edits edits;
  internal::ChooseClass(declared.modification,
                        content_->text.NameEnd(declared),
                        {.kind = kind, .name = name, .type = type},
                        edits);
  content_->text.Apply(edits);
}

void ClassEditor::SetModifier(const std::string& component,
                              const std::vector<std::string>& path,
                              const std::optional<std::string>& text) {
  std::string name = component;
  std::vector<std::string> rest = path;
  if (name.empty() && !rest.empty()) {
    name = rest.front();
    rest.erase(rest.begin());
  }
  const ast::ComponentDeclaration& declared =
      *content_->text.Find(name).declaration;
  Edits edits;
  if (const auto* const chosen = ChosenClass(declared, rest)) {
    rest.erase(rest.begin());
    internal::SetModifierOf(*chosen, rest, text, edits);
    content_->text.Apply(edits);
    return;
  }
  internal::SetModifier(declared.modification,
                        content_->text.NameEnd(declared),
                        rest,
                        text,
                        edits);
  content_->text.Apply(edits);
}

void ClassEditor::SetAnnotation(const std::string& component,
                                const std::vector<std::string>& path,
                                const std::optional<std::string>& text) {
  ClassText& its = content_->text;
  if (path.empty()) {
    Refuse("set an annotation", "its name is missing");
  }
  Edits edits;
  if (component.empty()) {
    internal::SetClassAnnotation(its, its.definition(), path, text, edits);
  } else {
    const ast::ComponentDeclaration& declared =
        *its.Find(component).declaration;
    if (const auto* annotation = declared.description.annotation) {
      internal::SetArgument(*annotation, path, text, edits);
    } else if (text) {
      internal::AddAnnotation(nullptr,
                              declared.span.end,
                              internal::NestedArgument(path, *text),
                              edits);
    }
  }
  its.Apply(edits);
}

void ClassEditor::AddUse(const std::string& package,
                         const std::string& library,
                         const std::string& version) {
  ClassText& text = content_->text;
  const ast::ClassDefinition* const found = text.document().FindClass(package);
  if (found == nullptr ||
      !std::holds_alternative<ast::LongClass>(found->node)) {
    Refuse("say what '" + package + "' uses", "the text has no such package");
  }
  Edits edits;
  internal::AddUse(text, *found, library, version, edits);
  text.Apply(edits);
}

std::string ClassEditor::Duplicate(const std::string& name, const Point& by) {
  ClassText& text = content_->text;
  const ClassText::Component found = text.Find(name);
  std::string base = name;
  while (base.size() > 1 &&
         std::isdigit(static_cast<unsigned char>(base.back())) != 0) {
    base.pop_back();
  }
  std::string copy;
  for (int i = 1; copy.empty() || text.Declares(copy); ++i) {
    copy = base + std::to_string(i);
  }
  const ast::Span head = {.begin = found.element->span.begin,
                          .end = found.clause->components.front().span.begin};
  const ast::Span tail = {.begin = found.declaration->name.span.end,
                          .end = found.declaration->span.end};
  const std::string line = std::string(text.document().TextOf(head)) + copy +
                           std::string(text.document().TextOf(tail)) + ";";
  content_->Whole([&] {
    text.Apply({text.ItemBehind(found.element->span, line)});
    Move({copy}, by, false);
  });
  return copy;
}

void ClassEditor::AddExtends(const std::string& base) {
  ClassText& text = content_->text;
  const ast::Element* last = nullptr;
  for (const ast::Element& element : text.body().elements) {
    if (std::holds_alternative<const ast::Extends*>(element.node)) {
      last = &element;
    }
  }
  const std::string line = "extends " + base + ";";
  text.Apply({last == nullptr ? text.FirstDeclaration(line)
                              : text.ItemBehind(last->span, line)});
}

void ClassEditor::AddClass(const std::string& kind,
                           const std::string& name,
                           const std::string& description) {
  ClassText& text = content_->text;
  if (text.Declares(name)) {
    Refuse("add '" + name + "'", "there is one already");
  }
  const ast::Element* last = nullptr;
  for (const ast::Element& element : text.body().elements) {
    if (std::holds_alternative<const ast::ClassDefinition*>(element.node)) {
      last = &element;
    }
  }
  const std::string indent =
      last != nullptr && text.IsFirstInLine(last->span.begin)
          ? text.IndentAt(last->span.begin)
          : text.IndentAt(text.definition().span.begin) + "  ";
  const std::string lines =
      kind + " " + name +
      (description.empty() ? "" : " \"" + description + "\"") +
      text.line_end() + indent + "end " + name + ";";
  text.Apply({last == nullptr ? text.FirstDeclaration(lines)
                              : text.ItemBehind(last->span, lines)});
}

const std::string& ClassEditor::text() const noexcept {
  return content_->text.edited().text();
}

std::vector<TextEdit> ClassEditor::edits() const {
  return content_->text.edited().Edits();
}

}  // namespace orrery::modelica
