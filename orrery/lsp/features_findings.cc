#include <algorithm>
#include <utility>

#include "orrery/lsp/language_server.h"
#include "orrery/lsp/uris.h"

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

}  // namespace

Json LanguageServer::AsJson(const Diagnostic& finding,
                            const Document& document,
                            const Positions& positions,
                            OpenText& text) {
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

void LanguageServer::Publish(const std::string& path) {
  const auto found = open_.find(path);
  if (found == open_.end()) {
    return;
  }
  OpenText& text = found->second;
  const auto document = workspace_->Read(path);
  const Positions positions = PositionsIn(document->text());
  text.mends.clear();
  Json list = Json::array();
  for (const Diagnostic& finding : document->findings()) {
    list.push_back(AsJson(finding, *document, positions, text));
  }
  for (const Diagnostic& finding : text.checked) {
    const auto& known = document->findings();
    if (std::ranges::find(known, finding) == known.end()) {
      list.push_back(AsJson(finding, *document, positions, text));
    }
  }
  Notify("textDocument/publishDiagnostics",
         {{"uri", text.uri},
          {"version", text.version},
          {"diagnostics", std::move(list)}});
}

// Findings of open texts may be about what has changed elsewhere.
void LanguageServer::MarkOutdated() {
  for (const auto& [path, text] : open_) {
    if (!text.checked.empty()) {
      outdated_.insert(path);
    }
  }
}

void LanguageServer::AskForCheck(const std::string& path, std::uint32_t place) {
  open_[path].place = place;
  checker_.Stop();
  if (!to_check_.empty()) {
    outdated_.insert(to_check_);
  }
  to_check_ = options_.checks ? path : "";
}

std::string LanguageServer::ClassToCheck(const Document& document,
                                         std::uint32_t place) const {
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

void LanguageServer::StartCheck() {
  const std::string path =
      to_check_.empty() ? *outdated_.begin() : std::exchange(to_check_, {});
  const auto found = open_.find(path);
  if (found == open_.end()) {
    outdated_.erase(path);
    return;
  }
  const auto document = workspace_->Read(path);
  const std::string name = ClassToCheck(*document, found->second.place);
  if (!document->has_errors() && !name.empty()) {
    checker_.Start({.path = path,
                    .class_name = name,
                    .version = found->second.version,
                    .files = workspace_->files()});
  } else {
    outdated_.erase(path);
  }
}

void LanguageServer::ReadCheck() {
  const auto result = checker_.Read();
  if (!result) {
    return;
  }
  outdated_.erase(result->path);
  const auto found = open_.find(result->path);
  if (found == open_.end() || found->second.version != result->version) {
    return;
  }
  found->second.checked.clear();
  for (const Json& finding : result->findings) {
    found->second.checked.push_back(FindingOf(finding));
  }
  Publish(result->path);
}

Json LanguageServer::CodeAction(const Json& params) {
  const auto document = DocumentOf(params);
  Json actions = Json::array();
  const auto found = open_.find(document->path());
  if (found == open_.end()) {
    return actions;
  }
  const Positions positions = PositionsIn(document->text());
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
           {"edit", WorkspaceEditOf({mend.replaced}, mend.text)}});
    }
  }
  return actions;
}

}  // namespace orrery::lsp
