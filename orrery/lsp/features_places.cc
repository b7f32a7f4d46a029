#include <filesystem>
#include <utility>

#include "orrery/lsp/language_server.h"
#include "orrery/lsp/uris.h"
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

Json LanguageServer::Definition(const Json& params) {
  const Place place = PlaceOf(params);
  const auto found =
      modelica::DefinitionAt(*workspace_, *place.document, place.offset);
  return found ? LocationOf(*found) : Json();
}

Json LanguageServer::TypeDefinition(const Json& params) {
  const Place place = PlaceOf(params);
  const auto found =
      modelica::TypeDefinitionAt(*workspace_, *place.document, place.offset);
  return found ? LocationOf(*found) : Json();
}

Json LanguageServer::References(const Json& params) {
  const Place place = PlaceOf(params);
  const bool with_declaration =
      params.contains("context") &&
      params["context"].value("includeDeclaration", true);
  return LocationsOf(modelica::ReferencesTo(
      *workspace_, *place.document, place.offset, with_declaration));
}

Json LanguageServer::DocumentHighlight(const Json& params) {
  const Place place = PlaceOf(params);
  const Positions positions = PositionsIn(place.document->text());
  Json list = Json::array();
  for (const SourceSpan& span :
       modelica::HighlightsAt(*workspace_, *place.document, place.offset)) {
    list.push_back(
        {{"range",
          RangeOf(positions, {.begin = span.begin, .end = span.end})}});
  }
  return list;
}

Json LanguageServer::PrepareRename(const Json& params) {
  const Place place = PlaceOf(params);
  const auto span =
      modelica::RenameableAt(*workspace_, *place.document, place.offset);
  return {{"range", RangeOf(PositionsIn(place.document->text()), span)},
          {"placeholder", std::string(place.document->TextOf(span))}};
}

Json LanguageServer::Rename(const Json& params) {
  const Place place = PlaceOf(params);
  const auto name = params.at("newName").get<std::string>();
  const modelica::Renaming renaming =
      modelica::Rename(*workspace_, *place.document, place.offset, name);
  Json edit = WorkspaceEditOf(renaming.spans, name);
  if (!can_rename_files_) {
    return edit;
  }
  if (renaming.order) {
    const Json order = WorkspaceEditOf({*renaming.order}, name);
    edit["documentChanges"].push_back(order["documentChanges"][0]);
  }
  for (const modelica::MovedFile& file : renaming.files) {
    edit["documentChanges"].push_back({{"kind", "rename"},
                                       {"oldUri", UriOf(file.from)},
                                       {"newUri", UriOf(file.to)}});
  }
  return edit;
}

Json LanguageServer::WorkspaceSymbol(const Json& params) {
  FinishIndex();
  Json list = Json::array();
  for (const modelica::ClassEntry* const entry :
       index_->Search(params.at("query").get<std::string>(), kMostSymbols)) {
    if (!std::filesystem::path(entry->path).is_absolute()) {
      continue;  // The built-in library has no files of its own.
    }
    const std::size_t dot = entry->name.rfind('.');
    const std::string name =
        entry->name.substr(dot == std::string::npos ? 0 : dot + 1);
    const auto place = [&](std::string_view before) {
      const auto end = static_cast<std::uint32_t>(before.size());
      return Json{{"line", entry->line},
                  {"character", PositionsIn(before).PositionOf(end).character}};
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
