#include "orrery/modelica/text_edits/class_editor.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/modelica/text_edits/class_text.h"
#include "orrery/modelica/text_edits/line_edits.h"
#include "orrery/modelica/text_edits/modifier_edits.h"
#include "orrery/modelica/text_edits/number_edits.h"
#include "orrery/modelica/text_edits/redeclarations.h"
#include "orrery/syntax/annotations.h"

namespace orrery::modelica {
namespace {

using internal::ClassText;
using Edits = std::vector<TextEdit>;

[[noreturn]] void Refuse(const std::string& what, const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument, "cannot " + what + ": " + why);
}

std::string TransformationText(const Placement& place) {
  std::string text =
      "transformation(extent=" + internal::ExtentText(place.extent);
  if (place.origin != Point()) {
    text += ", origin=" + internal::PointText(place.origin);
  }
  if (place.rotation != 0) {
    text += ", rotation=" + internal::NumberText(place.rotation);
  }
  return text + ")";
}

// What stands for the replaceable class that begins a path to a modifier in it;
// null if none is chosen there.
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

// Where the modification of a declaration begins, or is to begin.
std::uint32_t NameEnd(const ClassText& text,
                      const ast::ComponentDeclaration& declared) {
  if (declared.subscripts.empty()) {
    return declared.name.span.end;
  }
  const std::size_t token =
      text.document().FirstTokenFrom(declared.subscripts.back()->span.end);
  return text.document().tokens()[token].end;  // The ']'.
}

Extent Shifted(const Extent& extent, const Point& by) {
  return {.first = {.x = extent.first.x + by.x, .y = extent.first.y + by.y},
          .second = {.x = extent.second.x + by.x, .y = extent.second.y + by.y}};
}

// An angle from -180, left out, to 180.
double Turned(double degrees) {
  double turned = std::fmod(degrees, 360);
  if (turned > 180) {
    turned -= 360;
  } else if (turned <= -180) {
    turned += 360;
  }
  return turned;
}

Point Rotated(const Point& point, double degrees) {
  // Right angles are exact.
  const double angle = degrees * std::numbers::pi / 180;
  const bool is_right = std::fmod(degrees, 90) == 0;
  const double c = is_right ? std::round(std::cos(angle)) : std::cos(angle);
  const double s = is_right ? std::round(std::sin(angle)) : std::sin(angle);
  return {.x = c * point.x - s * point.y, .y = s * point.x + c * point.y};
}

}  // namespace

class ClassEditor::Content {
 public:
  Content(const Document& document, std::string class_name)
      : text(document, std::move(class_name)) {}

  // The arguments of the transformation of a component; null if it has none.
  [[nodiscard]] const ast::ClassModification* TransformationOf(
      const ast::ComponentDeclaration& declared, bool in_icon) const;
  [[nodiscard]] Placement PlaceOf(const std::string& name, bool in_icon) const;
  [[nodiscard]] bool HasOrigin(const std::string& name, bool in_icon) const;
  void AddPlacement(const ast::ComponentDeclaration& declared,
                    const Placement& place,
                    bool in_icon,
                    Edits& edits) const;
  void SetPlace(const std::string& name,
                const Placement& place,
                bool in_icon,
                Edits& edits) const;
  void MoveLines(const std::vector<std::string>& names,
                 const Point& by,
                 Edits& edits) const;
  void SetLine(ClassText::Connection connection,
               const std::vector<Point>& points,
               Edits& edits) const;
  void AddAnnotation(std::uint32_t at,
                     const ast::ClassModification* annotation,
                     const std::string& argument,
                     Edits& edits) const;
  [[nodiscard]] std::string NewName(std::string_view type) const;

  ClassText text;
};

const ast::ClassModification* ClassEditor::Content::TransformationOf(
    const ast::ComponentDeclaration& declared, bool in_icon) const {
  const ast::Modification* const placement =
      internal::ArgumentIn(declared.description.annotation, "Placement");
  if (placement == nullptr) {
    return nullptr;
  }
  const ast::Modification* found =
      in_icon ? internal::ArgumentIn(placement->arguments, "iconTransformation")
              : nullptr;
  if (found == nullptr) {
    found = internal::ArgumentIn(placement->arguments, "transformation");
  }
  return found == nullptr ? nullptr : found->arguments;
}

Placement ClassEditor::Content::PlaceOf(const std::string& name,
                                        bool in_icon) const {
  const ast::ClassModification* const its =
      TransformationOf(*text.Find(name).declaration, in_icon);
  Placement place;
  if (its == nullptr) {
    return place;
  }
  const auto* const extent = internal::ValueOf(its, "extent");
  const auto* const origin = internal::ValueOf(its, "origin");
  const auto* const rotation = internal::ValueOf(its, "rotation");
  const bool is_known = (extent == nullptr || internal::ExtentIn(extent)) &&
                        (origin == nullptr || internal::PointIn(origin)) &&
                        (rotation == nullptr || internal::NumberIn(rotation));
  if (!is_known) {
    Refuse("move '" + name + "'", "its place is no list of numbers");
  }
  place.extent = internal::ExtentIn(extent).value_or(place.extent);
  place.origin = internal::PointIn(origin).value_or(place.origin);
  place.rotation = internal::NumberIn(rotation).value_or(place.rotation);
  return place;
}

// True if the place of a component is written with an origin.
bool ClassEditor::Content::HasOrigin(const std::string& name,
                                     bool in_icon) const {
  const ast::ClassModification* const its =
      TransformationOf(*text.Find(name).declaration, in_icon);
  return internal::ValueOf(its, "origin") != nullptr;
}

// Adds an argument to an annotation, which is made at `at` if it is null.
void ClassEditor::Content::AddAnnotation(
    std::uint32_t at,
    const ast::ClassModification* annotation,
    const std::string& argument,
    Edits& edits) const {
  if (annotation != nullptr) {
    internal::AddArgument(*annotation, argument, edits);
  } else {
    edits.push_back({.span = {.begin = at, .end = at},
                     .text = " annotation(" + argument + ")"});
  }
}

void ClassEditor::Content::AddPlacement(
    const ast::ComponentDeclaration& declared,
    const Placement& place,
    bool in_icon,
    Edits& edits) const {
  const std::string transformation =
      (in_icon ? "iconT" : "t") + TransformationText(place).substr(1);
  const ast::Modification* const placement =
      internal::ArgumentIn(declared.description.annotation, "Placement");
  if (placement != nullptr && placement->arguments != nullptr) {
    internal::AddArgument(*placement->arguments, transformation, edits);
    return;
  }
  AddAnnotation(declared.span.end,
                declared.description.annotation,
                "Placement(" + transformation + ")",
                edits);
}

void ClassEditor::Content::SetPlace(const std::string& name,
                                    const Placement& place,
                                    bool in_icon,
                                    Edits& edits) const {
  const ast::ComponentDeclaration& declared = *text.Find(name).declaration;
  const ast::ClassModification* const its = TransformationOf(declared, in_icon);
  if (its == nullptr) {
    AddPlacement(declared, place, in_icon, edits);
    return;
  }
  if (const auto* extent = internal::ValueOf(its, "extent")) {
    internal::SetExtent(*extent, place.extent, edits);
  } else {
    internal::AddArgument(
        *its, "extent=" + internal::ExtentText(place.extent), edits);
  }
  if (const auto* origin = internal::ValueOf(its, "origin")) {
    internal::SetPoint(*origin, place.origin, edits);
  } else if (place.origin != Point()) {
    internal::AddArgument(
        *its, "origin=" + internal::PointText(place.origin), edits);
  }
  if (const auto* rotation = internal::ValueOf(its, "rotation")) {
    internal::SetNumber(*rotation, place.rotation, edits);
  } else if (place.rotation != 0) {
    internal::AddArgument(
        *its, "rotation=" + internal::NumberText(place.rotation), edits);
  }
}

void ClassEditor::Content::SetLine(ClassText::Connection connection,
                                   const std::vector<Point>& points,
                                   Edits& edits) const {
  const ast::ClassModification* const annotation =
      connection->description.annotation;
  const ast::Modification* const line =
      internal::ArgumentIn(annotation, "Line");
  const std::string argument = "points=" + internal::PointsText(points);
  if (line == nullptr || line->arguments == nullptr) {
    AddAnnotation(
        WholeOf(*connection).end, annotation, "Line(" + argument + ")", edits);
  } else if (const auto* old = internal::ValueOf(line->arguments, "points")) {
    internal::SetPoints(*old, points, edits);
  } else {
    internal::AddArgument(*line->arguments, argument, edits);
  }
}

void ClassEditor::Content::MoveLines(const std::vector<std::string>& names,
                                     const Point& by,
                                     Edits& edits) const {
  const auto is_moved = [&names](const ast::ComponentReference& reference) {
    return std::ranges::find(names, reference.parts.front().name.text) !=
           names.end();
  };
  for (const ClassText::Connection connection : text.Connections()) {
    const auto& ends = std::get<ast::Connect>(connection->node);
    const bool first = is_moved(ends.from);
    const bool last = is_moved(ends.to);
    const ast::Modification* const line =
        internal::ArgumentIn(connection->description.annotation, "Line");
    const ast::Expression* const written =
        line == nullptr ? nullptr
                        : internal::ValueOf(line->arguments, "points");
    const auto points = internal::PointsIn(written);
    if ((first || last) && points) {
      internal::SetPoints(
          *written, internal::Moved(*points, by, first, last), edits);
    }
  }
}

// "resistor" of "Modelica.Electrical.Analog.Basic.Resistor"; with a number if
// there is one already.
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
  std::string wanted = is_type ? name + "1" : name;
  for (int i = is_type ? 2 : 1; text.Declares(wanted); ++i) {
    wanted = name + std::to_string(i);
  }
  return wanted;
}

ClassEditor::ClassEditor(const Document& document, std::string class_name)
    : content_(std::make_unique<Content>(document, std::move(class_name))) {}

ClassEditor::~ClassEditor() = default;

std::string ClassEditor::AddComponent(const NewComponent& component) {
  ClassText& text = content_->text;
  const std::string name = component.name.empty()
                               ? content_->NewName(component.type)
                               : component.name;
  if (text.Declares(name)) {
    Refuse("add '" + name + "'", "there is one already");
  }
  text.Apply({text.NewDeclaration(
      component.type + " " + name +
      (component.modifiers.empty() ? "" : "(" + component.modifiers + ")") +
      " annotation(Placement(" + TransformationText(component.place) + "));")});
  return name;
}

void ClassEditor::RemoveComponents(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    ClassText& text = content_->text;
    Edits edits;
    const ClassText::Component found = text.Find(name);
    const auto& all = found.clause->components;
    if (all.size() == 1) {
      edits.push_back(
          {.span = text.WithLines(found.element->span), .text = ""});
    } else {
      const auto at = static_cast<std::size_t>(found.declaration - all.begin());
      const std::uint32_t begin =
          at > 0 ? all[at - 1].span.end : all[0].span.begin;
      const std::uint32_t end = at > 0 ? all[at].span.end : all[1].span.begin;
      edits.push_back({.span = {.begin = begin, .end = end}, .text = ""});
    }
    for (const ClassText::Connection connection : text.Connections()) {
      const auto& ends = std::get<ast::Connect>(connection->node);
      if (ends.from.parts.front().name.text == name ||
          ends.to.parts.front().name.text == name) {
        edits.push_back(
            {.span = text.WithLines(WholeOf(*connection)), .text = ""});
      }
    }
    text.Apply(edits);
  }
}

void ClassEditor::RemoveConnection(const ConnectionEnds& ends) {
  ClassText& text = content_->text;
  text.Apply({{.span = text.WithLines(
                   WholeOf(*text.FindConnection(ends.from, ends.to))),
               .text = ""}});
}

void ClassEditor::Move(const std::vector<std::string>& names,
                       const Point& by,
                       bool in_icon) {
  Edits edits;
  for (const std::string& name : names) {
    modelica::Placement place = content_->PlaceOf(name, in_icon);
    if (content_->HasOrigin(name, in_icon)) {
      place.origin = {.x = place.origin.x + by.x, .y = place.origin.y + by.y};
    } else {
      // The extent is turned with the part.
      place.extent = Shifted(place.extent, Rotated(by, -place.rotation));
    }
    content_->SetPlace(name, place, in_icon, edits);
  }
  if (!in_icon) {
    content_->MoveLines(names, by, edits);
  }
  content_->text.Apply(edits);
}

void ClassEditor::Place(const std::string& name,
                        const Placement& place,
                        bool in_icon) {
  Edits edits;
  content_->SetPlace(name, place, in_icon, edits);
  content_->text.Apply(edits);
}

void ClassEditor::Rotate(const std::vector<std::string>& names,
                         double degrees,
                         bool in_icon) {
  Edits edits;
  for (const std::string& name : names) {
    modelica::Placement place = content_->PlaceOf(name, in_icon);
    const Extent& old = place.extent;
    const Point middle = {.x = (old.first.x + old.second.x) / 2,
                          .y = (old.first.y + old.second.y) / 2};
    const Point at = Rotated(middle, place.rotation);
    const double turned = Turned(place.rotation + degrees);
    if (content_->HasOrigin(name, in_icon) || place.rotation != 0) {
      const Point next = Rotated(middle, turned);
      place.origin = {.x = place.origin.x + at.x - next.x,
                      .y = place.origin.y + at.y - next.y};
    } else {
      // The extent alone said where it is: now the origin does.
      place.origin = middle;
      place.extent = Shifted(place.extent, {.x = -middle.x, .y = -middle.y});
    }
    place.rotation = turned;
    content_->SetPlace(name, place, in_icon, edits);
  }
  content_->text.Apply(edits);
}

void ClassEditor::Flip(const std::vector<std::string>& names,
                       bool is_horizontal,
                       bool in_icon) {
  Edits edits;
  for (const std::string& name : names) {
    modelica::Placement place = content_->PlaceOf(name, in_icon);
    // A part that lies on its side has its own x axis upright.
    const bool is_upright = std::fmod(std::abs(place.rotation), 180) == 90;
    if (is_horizontal != is_upright) {
      std::swap(place.extent.first.x, place.extent.second.x);
    } else {
      std::swap(place.extent.first.y, place.extent.second.y);
    }
    content_->SetPlace(name, place, in_icon, edits);
  }
  content_->text.Apply(edits);
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
  text.Apply({text.NewEquation("connect(" + ends.from + ", " + ends.to + ")" +
                               line + ";")});
}

void ClassEditor::Reroute(const ConnectionEnds& ends,
                          const std::vector<Point>& points) {
  Edits edits;
  content_->SetLine(
      content_->text.FindConnection(ends.from, ends.to), points, edits);
  content_->text.Apply(edits);
}

void ClassEditor::ChooseClass(const std::string& component,
                              const std::string& kind,
                              const std::string& name,
                              const std::optional<std::string>& type) {
  const ast::ComponentDeclaration& declared =
      *content_->text.Find(component).declaration;
  Edits edits;
  internal::ChooseClass(declared.modification,
                        NameEnd(content_->text, declared),
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
                        NameEnd(content_->text, declared),
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
  const ast::ClassModification* annotation =
      its.definition().description.annotation;
  std::uint32_t at = its.EndOfBody();
  if (!component.empty()) {
    const ast::ComponentDeclaration& declared =
        *its.Find(component).declaration;
    annotation = declared.description.annotation;
    at = declared.span.end;
  }
  Edits edits;
  if (annotation != nullptr) {
    internal::SetArgument(*annotation, path, text, edits);
  } else if (text) {
    // Nested arguments are written as such: an annotation has no dotted names.
    std::string argument = path.back() + "=" + *text;
    for (std::size_t i = path.size() - 1; i-- > 0;) {
      argument = path[i] + "(" + argument + ")";
    }
    if (!component.empty()) {
      content_->AddAnnotation(at, nullptr, argument, edits);
    } else {
      const std::string indent = its.IndentAt(its.definition().span.begin);
      edits.push_back(
          {.span = {.begin = at, .end = at},
           .text = (its.IsFirstInLine(at) ? "  " : "") +
                   std::string("annotation(") + argument + ");" +
                   (its.IsFirstInLine(at) ? its.line_end() + indent : " ")});
    }
  }
  its.Apply(edits);
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
  text.Apply({text.ItemBehind(found.element->span, line)});
  Move({copy}, by, false);
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
