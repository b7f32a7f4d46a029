#include "orrery/lsp/features/edits.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/lsp/features/names.h"
#include "orrery/lsp/session/changes.h"
#include "orrery/lsp/session/places.h"
#include "orrery/lsp/session/request_error.h"
#include "orrery/lsp/session/uris.h"
#include "orrery/modelica/assist/class_move.h"
#include "orrery/modelica/text_edits/class_editor.h"
#include "orrery/modelica/text_edits/library_use.h"

namespace orrery::lsp {
namespace {

using modelica::ClassEditor;
using modelica::Point;

Point PointIn(const Json& json) {
  return {.x = json.at(0).get<double>(), .y = json.at(1).get<double>()};
}

std::vector<Point> PointsIn(const Json& json) {
  std::vector<Point> points;
  for (const Json& point : json) {
    points.push_back(PointIn(point));
  }
  return points;
}

modelica::Placement PlaceIn(const Json& json) {
  modelica::Placement place;
  if (json.contains("extent")) {
    place.extent = {.first = PointIn(json["extent"].at(0)),
                    .second = PointIn(json["extent"].at(1))};
  }
  if (json.contains("origin")) {
    place.origin = PointIn(json["origin"]);
  }
  place.rotation = json.value("rotation", 0.0);
  return place;
}

std::vector<std::string> NamesIn(const Json& op) {
  if (op.contains("components")) {
    return op["components"].get<std::vector<std::string>>();
  }
  return {op.at("component").get<std::string>()};
}

// A path is a list of names, or one text with dots.
std::vector<std::string> PathIn(const Json& op) {
  const Json& path = op.at("path");
  if (path.is_array()) {
    return path.get<std::vector<std::string>>();
  }
  std::vector<std::string> parts;
  std::string part;
  for (const char c : path.get<std::string>() + ".") {
    if (c != '.') {
      part += c;
    } else if (!part.empty()) {
      parts.push_back(std::exchange(part, {}));
    }
  }
  return parts;
}

// None for null.
std::optional<std::string> TextIn(const Json& op, const char* key = "text") {
  const Json& text = op.at(key);
  return text.is_null() ? std::nullopt : std::optional(text.get<std::string>());
}

modelica::ConnectionEnds EndsIn(const Json& op) {
  if (op.is_array()) {
    return {.from = op.at(0).get<std::string>(),
            .to = op.at(1).get<std::string>()};
  }
  return {.from = op.at("from").get<std::string>(),
          .to = op.at("to").get<std::string>()};
}

void Remove(ClassEditor& editor, const Json& op) {
  if (op.contains("connections")) {
    for (const Json& ends : op["connections"]) {
      editor.RemoveConnection(EndsIn(ends));
    }
  }
  if (op.contains("components") || op.contains("component")) {
    editor.RemoveComponents(NamesIn(op));
  }
}

void Move(ClassEditor& editor, const Json& op, bool in_icon) {
  if (op.contains("at")) {
    editor.Place(
        op.at("component").get<std::string>(), PlaceIn(op["at"]), in_icon);
  } else {
    editor.Move(NamesIn(op), PointIn(op.at("by")), in_icon);
  }
}

void Connect(ClassEditor& editor, const Json& op) {
  std::optional<modelica::Colour> colour;
  if (op.contains("color")) {
    colour = op["color"].get<modelica::Colour>();
  }
  editor.Connect(
      EndsIn(op), PointsIn(op.value("points", Json::array())), colour);
}

Json Duplicate(ClassEditor& editor, const Json& op) {
  Json copies = Json::array();
  for (const std::string& name : NamesIn(op)) {
    copies.push_back(
        editor.Duplicate(name, PointIn(op.value("by", Json{10, -10}))));
  }
  return copies;
}

// @returns the names of new components.
Json Do(ClassEditor& editor, const Json& op) {
  const auto kind = op.at("op").get<std::string>();
  const bool in_icon = op.value("layer", "diagram") == "icon";
  if (kind == "addComponent") {
    return Json::array(
        {editor.AddComponent({.type = op.at("type").get<std::string>(),
                              .name = op.value("name", ""),
                              .place = PlaceIn(op.value("at", Json::object())),
                              .modifiers = op.value("modifiers", "")})});
  }
  if (kind == "duplicate") {
    return Duplicate(editor, op);
  }
  if (kind == "remove") {
    Remove(editor, op);
  } else if (kind == "move") {
    Move(editor, op, in_icon);
  } else if (kind == "rotate") {
    editor.Rotate(NamesIn(op), op.at("by").get<double>(), in_icon);
  } else if (kind == "flip") {
    editor.Flip(
        NamesIn(op), op.value("axis", "horizontal") == "horizontal", in_icon);
  } else if (kind == "connect") {
    Connect(editor, op);
  } else if (kind == "reroute") {
    editor.Reroute(EndsIn(op), PointsIn(op.at("points")));
  } else if (kind == "setModifier") {
    editor.SetModifier(op.value("component", ""), PathIn(op), TextIn(op));
  } else if (kind == "chooseClass") {
    editor.ChooseClass(op.at("component").get<std::string>(),
                       op.at("kind").get<std::string>(),
                       op.at("name").get<std::string>(),
                       TextIn(op, "type"));
  } else if (kind == "setAnnotation") {
    editor.SetAnnotation(op.value("component", ""), PathIn(op), TextIn(op));
  } else if (kind == "addExtends") {
    editor.AddExtends(op.at("type").get<std::string>());
  } else if (kind == "newClass") {
    editor.AddClass(op.value("kind", "model"),
                    op.at("name").get<std::string>(),
                    op.value("text", ""));
  } else {
    throw RequestError(kInvalidParams, "no edit '" + kind + "'");
  }
  return Json::array();
}

// The type that a step puts into the class; empty if it puts none.
std::string NewTypeOf(const Json& op) {
  const auto kind = op.at("op").get<std::string>();
  return kind == "addComponent" || kind == "addExtends"
             ? op.at("type").get<std::string>()
             : std::string();
}

// The place of the name where a class declares that component.
std::optional<std::uint32_t> NameIn(const modelica::ast::LongClass& body,
                                    const std::string& component) {
  std::optional<std::uint32_t> place;
  for (const auto& element : body.elements) {
    const auto* const clause =
        std::get_if<const modelica::ast::ComponentClause*>(&element.node);
    if (clause == nullptr) {
      continue;
    }
    for (const auto& declared : (*clause)->components) {
      if (declared.name.text == component) {
        place = declared.name.span.begin;
      }
    }
  }
  return place;
}

Json RenameInClass(Session& session,
                   const modelica::Document& document,
                   const std::string& class_name,
                   const Json& op) {
  const auto* const text = document.FindClass(class_name);
  if (text == nullptr) {
    throw RequestError(kRequestFailed, "no class '" + class_name + "'");
  }
  const auto component = op.at("component").get<std::string>();
  const auto* const body = std::get_if<modelica::ast::LongClass>(&text->node);
  std::optional<std::uint32_t> offset;
  if (component.empty()) {
    offset = text->name.span.begin;
  } else if (body != nullptr) {
    offset = NameIn(*body, component);
  }
  if (!offset) {
    throw RequestError(kRequestFailed,
                       class_name + " declares no '" + component + "'");
  }
  const Positions positions = PositionsIn(session, document.text());
  return AnswerRename(
      session,
      {{"textDocument", {{"uri", UriOf(document.path())}}},
       {"position", AsJson(positions.PositionOf(*offset))},
       {"newName", op.contains("name") ? op["name"] : op.at("to")}});
}

// Edits of texts, then what happens to files.
Json MoveClass(Session& session,
               const modelica::Document& document,
               const std::string& class_name,
               const Json& op) {
  const modelica::ClassMove move = modelica::MoveClass(
      *session.workspace, document, class_name, op.at("to").get<std::string>());
  const bool can_do =
      (move.files.empty() || session.can_rename_files) &&
      ((!move.made && move.removed.empty()) || session.can_make_files);
  if (!can_do) {
    throw RequestError(kRequestFailed,
                       "cannot move '" + class_name +
                           "': the editor does not make, move and delete files "
                           "for a language server");
  }
  Json changes = ChangesOf(session, move.edits);
  for (const modelica::MovedFile& file : move.files) {
    changes.push_back({{"kind", "rename"},
                       {"oldUri", UriOf(file.from)},
                       {"newUri", UriOf(file.to)}});
  }
  if (move.made) {
    const std::string uri = UriOf(move.made->path);
    const Json begin = {{"line", 0}, {"character", 0}};
    Json text = {{"range", {{"start", begin}, {"end", begin}}},
                 {"newText", move.made->text}};
    changes.push_back({{"kind", "create"}, {"uri", uri}});
    changes.push_back({{"textDocument", {{"uri", uri}, {"version", nullptr}}},
                       {"edits", Json::array({std::move(text)})}});
  }
  if (!move.removed.empty()) {
    changes.push_back({{"kind", "delete"}, {"uri", UriOf(move.removed)}});
  }
  return {{"documentChanges", std::move(changes)}, {"names", Json::array()}};
}

}  // namespace

Json AnswerEdit(Session& session, const Json& params) {
  const auto path = PathOf(params.at("uri").get<std::string>());
  if (!path) {
    throw RequestError(kInvalidParams, "not the URI of a file");
  }
  const auto document = session.workspace->Read(*path);
  const auto found = session.open.find(*path);
  const bool is_old = found != session.open.end() &&
                      params.contains("version") &&
                      params["version"].is_number() &&
                      params["version"] != found->second.version;
  if (is_old) {
    throw RequestError(kContentModified,
                       "the text has changed: its version is " +
                           std::to_string(found->second.version));
  }
  const auto class_name = params.at("class").get<std::string>();
  const Json& steps = params.at("do");
  const std::string first = steps.empty() ? "" : steps[0].value("op", "");
  if (steps.size() == 1 && first == "rename") {
    return RenameInClass(session, *document, class_name, steps[0]);
  }
  if (steps.size() == 1 && first == "moveClass") {
    return MoveClass(session, *document, class_name, steps[0]);
  }
  const modelica::ConnectorSizing sizing(
      *session.workspace, *document, class_name);
  ClassEditor editor(*document, class_name, &sizing);
  // Text with the package at the top, if that is another one.
  std::shared_ptr<const modelica::Document> top;
  std::unique_ptr<ClassEditor> top_editor;
  Json names = Json::array();
  for (const Json& step : steps) {
    for (Json& name : Do(editor, step)) {
      names.push_back(std::move(name));
    }
    const std::string type = NewTypeOf(step);
    const auto use =
        type.empty()
            ? std::nullopt
            : modelica::UseOf(*session.workspace, *document, class_name, type);
    if (!use) {
      continue;
    }
    if (use->path != document->path() && top_editor == nullptr) {
      top = session.workspace->Read(use->path);
      top_editor = std::make_unique<ClassEditor>(*top, use->package);
    }
    ClassEditor& its = use->path == document->path() ? editor : *top_editor;
    its.AddUse(use->package, use->library, use->version);
  }
  Json changes =
      Json::array({ChangeOf(session, *document->file(), editor.edits())});
  changes[0]["textDocument"]["uri"] = params["uri"];
  if (top_editor != nullptr) {
    changes.push_back(ChangeOf(session, *top->file(), top_editor->edits()));
  }
  return {{"documentChanges", std::move(changes)}, {"names", std::move(names)}};
}

}  // namespace orrery::lsp
