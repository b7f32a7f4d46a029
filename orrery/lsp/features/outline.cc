#include "orrery/lsp/features/outline.h"

#include <algorithm>
#include <utility>

#include "orrery/lsp/session/places.h"
#include "orrery/modelica/assist/indent.h"
#include "orrery/modelica/assist/outline.h"

namespace orrery::lsp {
namespace {

using modelica::ColouredName;
using modelica::Fold;
using modelica::Symbol;

// The numbers of SymbolKind (LSP 3.17).
int SymbolKindOf(Symbol::Kind kind) {
  switch (kind) {
    case Symbol::Kind::kPackage:
      return 4;
    case Symbol::Kind::kClass:
      return 5;
    case Symbol::Kind::kFunction:
      return 12;
    case Symbol::Kind::kType:
      return 23;
    case Symbol::Kind::kConnector:
      return 11;
    case Symbol::Kind::kEnumeration:
      return 10;
    case Symbol::Kind::kLiteral:
      return 22;
    case Symbol::Kind::kComponent:
      return 8;
    case Symbol::Kind::kParameter:
      return 7;
    case Symbol::Kind::kConstant:
      return 14;
  }
  return 5;
}

// The numbers of the legend.
unsigned int TokenTypeOf(ColouredName::Kind kind) {
  return static_cast<unsigned int>(kind);
}

unsigned int ModifiersOf(const ColouredName& name) {
  unsigned int bits = name.is_declaration ? 1U : 0U;
  const bool is_readonly = name.kind == ColouredName::Kind::kConstant ||
                           name.kind == ColouredName::Kind::kLiteral;
  bits |= is_readonly ? 2U : 0U;
  bits |= name.is_built_in ? 4U : 0U;
  return bits;
}

}  // namespace

Json AnswerDocumentSymbol(Session& session, const Json& params) {
  const auto document = DocumentOf(session, params);
  const Positions positions = PositionsIn(session, document->text());
  const auto as_json = [&](const auto& self, const Symbol& symbol) -> Json {
    Json children = Json::array();
    for (const Symbol& child : symbol.children) {
      children.push_back(self(self, child));
    }
    return {{"name", symbol.name.empty() ? "?" : symbol.name},
            {"detail", symbol.detail},
            {"kind", SymbolKindOf(symbol.kind)},
            {"range", RangeOf(positions, symbol.span)},
            {"selectionRange", RangeOf(positions, symbol.name_span)},
            {"children", std::move(children)}};
  };
  Json list = Json::array();
  for (const Symbol& symbol : modelica::SymbolsOf(*document)) {
    list.push_back(as_json(as_json, symbol));
  }
  return list;
}

Json AnswerFoldingRange(Session& session, const Json& params) {
  const auto document = DocumentOf(session, params);
  const Positions positions = PositionsIn(session, document->text());
  Json list = Json::array();
  for (const Fold& fold : modelica::FoldsOf(*document)) {
    const auto begin = positions.PositionOf(fold.span.begin);
    const auto end = positions.PositionOf(fold.span.end);
    list.push_back(
        {{"startLine", begin.line},
         {"startCharacter", begin.character},
         {"endLine", end.line},
         {"endCharacter", end.character},
         {"kind", fold.kind == Fold::Kind::kComment ? "comment" : "region"}});
    if (fold.kind == Fold::Kind::kAnnotation) {
      list.back()["collapsedText"] = "annotation(...)";
    }
  }
  return list;
}

Json AnswerSelectionRange(Session& session, const Json& params) {
  const auto document = DocumentOf(session, params);
  const Positions positions = PositionsIn(session, document->text());
  Json list = Json::array();
  for (const Json& at : params.at("positions")) {
    const std::uint32_t offset = OffsetIn(positions, at);
    Json range;
    const auto spans = modelica::SelectionsAt(*document, offset);
    // NOLINTNEXTLINE(modernize-loop-convert): clang 14 has no reversed views.
    for (auto span = spans.rbegin(); span != spans.rend(); ++span) {
      Json around = std::move(range);
      range = {{"range", RangeOf(positions, *span)}};
      if (!around.is_null()) {
        range["parent"] = std::move(around);
      }
    }
    list.push_back(std::move(range));
  }
  return list;
}

Json AnswerSemanticTokens(Session& session, const Json& params) {
  const auto document = DocumentOf(session, params);
  const Positions positions = PositionsIn(session, document->text());
  Json data = Json::array();
  Positions::Position last;
  for (const ColouredName& name :
       modelica::ColoursOf(*session.workspace, *document)) {
    const auto at = positions.PositionOf(name.span.begin);
    const auto end = positions.PositionOf(name.span.end);
    data.push_back(at.line - last.line);
    data.push_back(at.line == last.line ? at.character - last.character
                                        : at.character);
    data.push_back(end.character - at.character);
    data.push_back(TokenTypeOf(name.kind));
    data.push_back(ModifiersOf(name));
    last = at;
  }
  return {{"data", std::move(data)}};
}

Json AnswerFormatting(Session& session, const Json& params) {
  const auto document = DocumentOf(session, params);
  const Positions positions = PositionsIn(session, document->text());
  const std::size_t width =
      params.at("options").value("tabSize", std::size_t{2});
  Json list = Json::array();
  for (const modelica::Indent& indent :
       modelica::IndentsOf(*document, std::clamp<std::size_t>(width, 1, 8))) {
    list.push_back(
        {{"range", RangeOf(positions, indent.span)}, {"newText", indent.text}});
  }
  return list;
}

}  // namespace orrery::lsp
