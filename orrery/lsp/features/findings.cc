#include "orrery/lsp/features/findings.h"

#include <algorithm>
#include <utility>

#include "orrery/lsp/session/changes.h"
#include "orrery/lsp/session/places.h"
#include "orrery/lsp/session/uris.h"

namespace orrery::lsp {
namespace {

using modelica::Document;
namespace ast = modelica::ast;

int SeverityOf(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return 1;
    case Severity::kWarning:
      return 2;
    case Severity::kNote:
      break;
  }
  return 3;
}

Severity SeverityNamed(const std::string& name) {
  for (const Severity severity :
       {Severity::kError, Severity::kWarning, Severity::kNote}) {
    if (NameOf(severity) == name) {
      return severity;
    }
  }
  return Severity::kError;
}

Diagnostic FindingOf(const Json& json) {
  Diagnostic finding;
  finding.severity = SeverityNamed(json.value("severity", "error"));
  finding.message = json.value("message", "");
  finding.hint = json.value("hint", "");
  finding.path = json.value("path", "");
  finding.file = json.value("file", "");
  finding.line = json.value("line", 0);
  finding.column = json.value("column", 0);
  finding.length = json.value("length", 0);
  return finding;
}

// The name of the first class, for findings without a place in this text.
ast::Span FirstName(const Document& document) {
  return document.tree().classes.empty()
             ? ast::Span()
             : document.tree().classes.front().definition->name.span;
}

// True for a class that can be simulated, whatever else it lacks.
bool CanBeChecked(const ast::ClassDefinition& text) {
  switch (text.prefixes.kind) {
    case ast::ClassKind::kModel:
    case ast::ClassKind::kBlock:
    case ast::ClassKind::kClass:
      return !text.prefixes.is_partial;
    default:
      return false;
  }
}

Json FindingAsJson(const Diagnostic& finding,
                   const Document& document,
                   const Positions& positions,
                   Session::OpenText& text) {
  ast::Span span = FirstName(document);
  std::string message = finding.message;
  const bool is_here = finding.line > 0 && finding.file == document.path();
  if (is_here) {
    span.begin =
        positions.BeginOf(static_cast<std::uint32_t>(finding.line - 1)) +
        static_cast<std::uint32_t>(std::max(finding.column, 1) - 1);
    span.end = span.begin + static_cast<std::uint32_t>(finding.length);
  } else if (finding.line > 0) {
    message =
        finding.file + ":" + std::to_string(finding.line) + ": " + message;
  } else if (!finding.path.empty()) {
    message = finding.path + ": " + message;
  }
  const SourceSpan place = {
      .file = document.file(), .begin = span.begin, .end = span.end};
  if (is_here) {
    if (auto mend = MendOf(finding.message, finding.hint, place)) {
      text.mends.push_back(std::move(*mend));
    }
  }
  if (!finding.hint.empty()) {
    message += "; " + finding.hint;
  }
  return {{"range", RangeOf(positions, span)},
          {"severity", SeverityOf(finding.severity)},
          {"source", "orrery"},
          {"message", message}};
}

std::string ClassToCheck(const Document& document, std::uint32_t place) {
  const auto around = document.ClassesAround(place);
  // NOLINTNEXTLINE(modernize-loop-convert): clang 14 has no reversed views.
  for (auto at = around.rbegin(); at != around.rend(); ++at) {
    if (CanBeChecked(**at)) {
      return document.NameOf(**at);
    }
  }
  for (const ast::StoredClass& stored : document.tree().classes) {
    if (CanBeChecked(*stored.definition)) {
      return document.NameOf(*stored.definition);
    }
  }
  return {};
}

}  // namespace

void Publish(Session& session, const std::string& path) {
  const auto found = session.open.find(path);
  if (found == session.open.end()) {
    return;
  }
  Session::OpenText& text = found->second;
  const auto document = session.workspace->Read(path);
  const Positions positions = PositionsIn(session, document->text());
  text.mends.clear();
  Json list = Json::array();
  for (const Diagnostic& finding : document->findings()) {
    list.push_back(FindingAsJson(finding, *document, positions, text));
  }
  for (const Diagnostic& finding : text.checked) {
    const auto& known = document->findings();
    if (std::ranges::find(known, finding) == known.end()) {
      list.push_back(FindingAsJson(finding, *document, positions, text));
    }
  }
  Notify(session,
         "textDocument/publishDiagnostics",
         {{"uri", text.uri},
          {"version", text.version},
          {"diagnostics", std::move(list)}});
}

// Findings of open texts may be about what has changed elsewhere.
void MarkOutdated(Session& session) {
  for (const auto& [path, text] : session.open) {
    if (!text.checked.empty()) {
      session.outdated.insert(path);
    }
  }
}

void AskForCheck(Session& session,
                 const std::string& path,
                 std::uint32_t place) {
  session.open[path].place = place;
  session.checker.Stop();
  if (!session.to_check.empty()) {
    session.outdated.insert(session.to_check);
  }
  session.to_check = session.options.checks ? path : "";
}

void StartCheck(Session& session) {
  const std::string path = session.to_check.empty()
                               ? *session.outdated.begin()
                               : std::exchange(session.to_check, {});
  const auto found = session.open.find(path);
  if (found == session.open.end()) {
    session.outdated.erase(path);
    return;
  }
  const auto document = session.workspace->Read(path);
  const std::string name = ClassToCheck(*document, found->second.place);
  if (!document->has_errors() && !name.empty()) {
    session.checker.Start({.path = path,
                           .class_name = name,
                           .version = found->second.version,
                           .files = session.workspace->files()});
  } else {
    session.outdated.erase(path);
  }
}

void ReadCheck(Session& session) {
  const auto result = session.checker.Read();
  if (!result) {
    return;
  }
  session.outdated.erase(result->path);
  const auto found = session.open.find(result->path);
  if (found == session.open.end() || found->second.version != result->version) {
    return;
  }
  found->second.checked.clear();
  for (const Json& finding : result->findings) {
    found->second.checked.push_back(FindingOf(finding));
  }
  Publish(session, result->path);
}

Json AnswerCodeAction(Session& session, const Json& params) {
  const auto document = DocumentOf(session, params);
  Json actions = Json::array();
  const auto found = session.open.find(document->path());
  if (found == session.open.end()) {
    return actions;
  }
  const Positions positions = PositionsIn(session, document->text());
  const auto line = [&params](const char* end) {
    return params.at("range").at(end).at("line").get<std::uint32_t>();
  };
  for (const Mend& mend : found->second.mends) {
    const auto at = positions.PositionOf(mend.replaced.begin);
    if (at.line >= line("start") && at.line <= line("end")) {
      actions.push_back(
          {{"title", mend.title},
           {"kind", "quickfix"},
           {"isPreferred", true},
           {"edit", WorkspaceEditOf(session, {mend.replaced}, mend.text)}});
    }
  }
  return actions;
}

}  // namespace orrery::lsp
