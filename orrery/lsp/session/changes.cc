#include "orrery/lsp/session/changes.h"

#include <map>
#include <memory>
#include <utility>

#include "orrery/lsp/session/places.h"
#include "orrery/lsp/session/uris.h"

namespace orrery::lsp {

// Edits of a text, as one change of it.
Json ChangeOf(const Session& session,
              const SourceFile& file,
              const std::vector<modelica::TextEdit>& edits) {
  const Positions positions = PositionsIn(session, file.text());
  Json list = Json::array();
  for (const modelica::TextEdit& edit : edits) {
    list.push_back(
        {{"range", RangeOf(positions, edit.span)}, {"newText", edit.text}});
  }
  const auto found = session.open.find(file.name());
  Json identity = {{"uri", UriOf(file.name())}, {"version", nullptr}};
  if (found != session.open.end()) {
    identity = {{"uri", found->second.uri}, {"version", found->second.version}};
  }
  return {{"textDocument", std::move(identity)}, {"edits", std::move(list)}};
}

// Edits of several texts, as one change of each, by their paths.
Json ChangesOf(const Session& session,
               const std::vector<modelica::ReplacedSpan>& edits) {
  struct Edited {
    std::shared_ptr<const SourceFile> file;
    std::vector<modelica::TextEdit> edits;
  };

  std::map<std::string, Edited> edited;
  for (const modelica::ReplacedSpan& edit : edits) {
    Edited& its = edited[edit.span.file->name()];
    its.file = edit.span.file;
    its.edits.push_back(
        {.span = {.begin = edit.span.begin, .end = edit.span.end},
         .text = edit.text});
  }
  Json changes = Json::array();
  for (const auto& [path, its] : edited) {
    changes.push_back(ChangeOf(session, *its.file, its.edits));
  }
  return changes;
}

Json WorkspaceEditOf(const Session& session,
                     const std::vector<SourceSpan>& spans,
                     const std::string& text) {
  std::vector<modelica::ReplacedSpan> edits;
  edits.reserve(spans.size());
  for (const SourceSpan& span : spans) {
    edits.push_back({.span = span, .text = text});
  }
  return {{"documentChanges", ChangesOf(session, edits)}};
}

}  // namespace orrery::lsp
