#include "orrery/lsp/features/names.h"

#include <filesystem>
#include <utility>

#include "orrery/lsp/session/changes.h"
#include "orrery/lsp/session/places.h"
#include "orrery/lsp/session/uris.h"
#include "orrery/modelica/assist/places.h"

namespace orrery::lsp {
namespace {

constexpr std::size_t kMostSymbols = 200;

// The numbers of SymbolKind (LSP 3.17).
int SymbolKindOf(modelica::ast::ClassKind kind) {
  switch (kind) {
    case modelica::ast::ClassKind::kPackage:
      return 4;
    case modelica::ast::ClassKind::kFunction:
    case modelica::ast::ClassKind::kOperator:
      return 12;
    case modelica::ast::ClassKind::kConnector:
      return 11;
    case modelica::ast::ClassKind::kRecord:
    case modelica::ast::ClassKind::kType:
      return 23;
    default:
      return 5;
  }
}

}  // namespace

Json AnswerDefinition(Session& session, const Json& params) {
  const Place place = PlaceOf(session, params);
  const auto found =
      modelica::DefinitionAt(*session.workspace, *place.document, place.offset);
  return found ? LocationOf(session, *found) : Json();
}

Json AnswerTypeDefinition(Session& session, const Json& params) {
  const Place place = PlaceOf(session, params);
  const auto found = modelica::TypeDefinitionAt(
      *session.workspace, *place.document, place.offset);
  return found ? LocationOf(session, *found) : Json();
}

Json AnswerReferences(Session& session, const Json& params) {
  const Place place = PlaceOf(session, params);
  const bool with_declaration =
      params.contains("context") &&
      params["context"].value("includeDeclaration", true);
  return LocationsOf(
      session,
      modelica::ReferencesTo(
          *session.workspace, *place.document, place.offset, with_declaration));
}

Json AnswerDocumentHighlight(Session& session, const Json& params) {
  const Place place = PlaceOf(session, params);
  const Positions positions = PositionsIn(session, place.document->text());
  Json list = Json::array();
  for (const SourceSpan& span : modelica::HighlightsAt(
           *session.workspace, *place.document, place.offset)) {
    list.push_back(
        {{"range",
          RangeOf(positions, {.begin = span.begin, .end = span.end})}});
  }
  return list;
}

Json AnswerPrepareRename(Session& session, const Json& params) {
  const Place place = PlaceOf(session, params);
  const auto span =
      modelica::RenameableAt(*session.workspace, *place.document, place.offset);
  return {
      {"range", RangeOf(PositionsIn(session, place.document->text()), span)},
      {"placeholder", std::string(place.document->TextOf(span))}};
}

Json AnswerRename(Session& session, const Json& params) {
  const Place place = PlaceOf(session, params);
  const auto name = params.at("newName").get<std::string>();
  const modelica::Renaming renaming =
      modelica::Rename(*session.workspace, *place.document, place.offset, name);
  Json edit = WorkspaceEditOf(session, renaming.spans, name);
  if (!session.can_rename_files) {
    return edit;
  }
  if (renaming.order) {
    const Json order = WorkspaceEditOf(session, {*renaming.order}, name);
    edit["documentChanges"].push_back(order["documentChanges"][0]);
  }
  for (const modelica::MovedFile& file : renaming.files) {
    edit["documentChanges"].push_back({{"kind", "rename"},
                                       {"oldUri", UriOf(file.from)},
                                       {"newUri", UriOf(file.to)}});
  }
  return edit;
}

Json AnswerWorkspaceSymbol(Session& session, const Json& params) {
  FinishIndex(session);
  Json list = Json::array();
  for (const modelica::ClassEntry* const entry : session.index->Search(
           params.at("query").get<std::string>(), kMostSymbols)) {
    if (!std::filesystem::path(entry->path).is_absolute()) {
      continue;  // The built-in library has no files of its own.
    }
    const std::size_t dot = entry->name.rfind('.');
    const std::string name =
        entry->name.substr(dot == std::string::npos ? 0 : dot + 1);
    const auto place = [&](std::string_view before) {
      const auto end = static_cast<std::uint32_t>(before.size());
      return Json{{"line", entry->line},
                  {"character",
                   PositionsIn(session, before).PositionOf(end).character}};
    };
    list.push_back(
        {{"name", name},
         {"kind", SymbolKindOf(entry->kind)},
         {"containerName",
          dot == std::string::npos ? "" : entry->name.substr(0, dot)},
         {"location",
          {{"uri", UriOf(AbsolutePath(entry->path))},
           {"range",
            {{"start", place(entry->line_begin)},
             {"end", place(entry->line_begin + name)}}}}}});
  }
  return list;
}

}  // namespace orrery::lsp
