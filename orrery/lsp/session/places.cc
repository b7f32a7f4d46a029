#include "orrery/lsp/session/places.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

#include "orrery/lsp/session/request_error.h"
#include "orrery/lsp/session/uris.h"

namespace orrery::lsp {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::shared_ptr<const modelica::Document> DocumentOf(Session& session,
                                                     const Json& params) {
  const auto uri = params.at("textDocument").at("uri").get<std::string>();
  const auto path = PathOf(uri);
  if (!path) {
    throw RequestError(kInvalidParams, "not the URI of a file: " + uri);
  }
  return session.workspace->Read(*path);
}

Place PlaceOf(Session& session, const Json& params) {
  Place place = {.document = DocumentOf(session, params)};
  place.offset = OffsetIn(PositionsIn(session, place.document->text()),
                          params.at("position"));
  const auto found = session.open.find(place.document->path());
  if (found != session.open.end()) {
    found->second.place = place.offset;
  }
  return place;
}

std::uint32_t OffsetIn(const Positions& positions, const Json& position) {
  return positions.OffsetOf(
      {.line = position.at("line").get<std::uint32_t>(),
       .character = position.at("character").get<std::uint32_t>()});
}

Json AsJson(const Positions::Position& position) {
  return {{"line", position.line}, {"character", position.character}};
}

Json RangeOf(const Positions& positions, const modelica::ast::Span& span) {
  return {
      {"start", AsJson(positions.PositionOf(span.begin))},
      {"end", AsJson(positions.PositionOf(std::max(span.begin, span.end)))}};
}

// A text of the built-in library is written to a file, so that an editor can
// show it.
std::string UriOfFile(const Session& session, const SourceFile& file) {
  if (!modelica::Workspace::IsBuiltIn(file)) {
    return UriOf(AbsolutePath(file.name()));
  }
  const fs::path copy = fs::path(session.options.cache) / file.name();
  std::error_code error;
  fs::create_directories(copy.parent_path(), error);
  std::ofstream out(copy, std::ios::binary);
  out << file.text();
  return UriOf(copy.string());
}

Json LocationOf(const Session& session, const SourceSpan& span) {
  return LocationsOf(session, {span}).front();
}

// The spans of one file follow each other: each file is looked at once.
Json LocationsOf(const Session& session, const std::vector<SourceSpan>& spans) {
  Json list = Json::array();
  const SourceFile* file = nullptr;
  std::optional<Positions> positions;
  std::string uri;
  for (const SourceSpan& span : spans) {
    if (span.file.get() != file) {
      file = span.file.get();
      positions = PositionsIn(session, file->text());
      uri = UriOfFile(session, *file);
    }
    list.push_back(
        {{"uri", uri},
         {"range",
          RangeOf(*positions, {.begin = span.begin, .end = span.end})}});
  }
  return list;
}

std::shared_ptr<const modelica::Document> DocumentWith(
    Session& session, const Json& params, const std::string& class_name) {
  if (params.contains("uri") || params.contains("textDocument")) {
    const auto uri = params.contains("uri")
                         ? params["uri"].get<std::string>()
                         : params["textDocument"].at("uri").get<std::string>();
    if (const auto path = PathOf(uri)) {
      return session.workspace->Read(*path);
    }
    throw RequestError(kInvalidParams, "not the URI of a file: " + uri);
  }
  const modelica::ClassEntry* const entry = session.index->Find(class_name);
  if (entry == nullptr) {
    throw RequestError(kRequestFailed,
                       "no library has a class '" + class_name + "'");
  }
  const bool is_built_in = !entry->path.starts_with('/');
  return is_built_in ? session.workspace->Read(std::make_shared<SourceFile>(
                           "/built-in/empty.mo", ""))
                     : session.workspace->Read(entry->path);
}

}  // namespace orrery::lsp
