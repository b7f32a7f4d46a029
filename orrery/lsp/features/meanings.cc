#include "orrery/lsp/features/meanings.h"

#include <utility>

#include "orrery/lsp/session/places.h"
#include "orrery/modelica/assist/completion.h"
#include "orrery/modelica/assist/hover.h"

namespace orrery::lsp {
namespace {

using modelica::Completion;

Json MarkdownJson(const std::string& text) {
  return {{"kind", "markdown"}, {"value", text}};
}

// The numbers of CompletionItemKind (LSP 3.17).
int ItemKindOf(Completion::Kind kind) {
  switch (kind) {
    case Completion::Kind::kKeyword:
      return 14;
    case Completion::Kind::kVariable:
    case Completion::Kind::kParameter:
    case Completion::Kind::kInput:
      return 6;
    case Completion::Kind::kConstant:
      return 21;
    case Completion::Kind::kPort:
      return 8;
    case Completion::Kind::kComponent:
      return 5;
    case Completion::Kind::kModifier:
      return 10;
    case Completion::Kind::kLiteral:
      return 20;
    case Completion::Kind::kPackage:
      return 9;
    case Completion::Kind::kFunction:
      return 3;
    case Completion::Kind::kType:
      return 22;
    case Completion::Kind::kModel:
      return 7;
  }
  return 1;
}

// Names come before classes of libraries, these before keywords.
std::string SortTextOf(const Completion& item, std::size_t place) {
  const bool is_keyword = item.kind == Completion::Kind::kKeyword;
  const bool is_library = !item.class_name.empty() &&
                          item.label == item.class_name &&
                          item.label.find('.') != std::string::npos;
  std::string number = std::to_string(place);
  number.insert(0, number.size() < 5 ? 5 - number.size() : 0, '0');
  return (is_keyword ? "2" : is_library ? "1" : "0") + number;
}

}  // namespace

Json AnswerHover(Session& session, const Json& params) {
  const Place place = PlaceOf(session, params);
  const auto hover =
      modelica::HoverAt(*session.workspace, *place.document, place.offset);
  if (!hover) {
    return nullptr;
  }
  return {{"contents", MarkdownJson(hover->markdown)},
          {"range",
           RangeOf(PositionsIn(session, place.document->text()), hover->span)}};
}

Json AnswerSignatureHelp(Session& session, const Json& params) {
  const Place place = PlaceOf(session, params);
  const auto found =
      modelica::SignatureAt(*session.workspace, *place.document, place.offset);
  if (!found) {
    return nullptr;
  }
  Json inputs = Json::array();
  for (const auto& input : found->inputs) {
    inputs.push_back(
        {{"label", input.name},
         {"documentation",
          MarkdownJson("`" + input.text + "` " + input.description)}});
  }
  Json signature = {{"label", found->label},
                    {"documentation", found->description},
                    {"parameters", std::move(inputs)}};
  return {{"signatures", Json::array({std::move(signature)})},
          {"activeSignature", 0},
          {"activeParameter", found->active}};
}

Json AnswerCompletion(Session& session, const Json& params) {
  const Place place = PlaceOf(session, params);
  const modelica::Completions found = modelica::CompletionsAt(
      *session.workspace, *session.index, *place.document, place.offset);
  const Json range =
      RangeOf(PositionsIn(session, place.document->text()), found.replaced);
  const std::string path = place.document->path();
  Json items = Json::array();
  for (const modelica::Completion& item : found.items) {
    Json json = {{"label", item.label},
                 {"kind", ItemKindOf(item.kind)},
                 {"sortText", SortTextOf(item, items.size())},
                 {"textEdit",
                  {{"range", range},
                   {"newText", item.text.empty() ? item.label : item.text}}}};
    if (!item.detail.empty()) {
      json["detail"] = item.detail;
    }
    if (!item.description.empty()) {
      json["documentation"] = item.description;
    }
    if (!item.class_name.empty()) {
      json["data"] = {{"class", item.class_name}, {"path", path}};
    }
    items.push_back(std::move(json));
  }
  return {{"isIncomplete", !found.is_complete}, {"items", std::move(items)}};
}

Json AnswerResolveCompletion(Session& session, const Json& params) {
  Json item = params;
  if (!params.contains("data")) {
    return item;
  }
  const auto document =
      session.workspace->Read(params["data"].at("path").get<std::string>());
  const std::string text = modelica::DocumentationOfClass(
      *session.workspace,
      *document,
      params["data"].at("class").get<std::string>());
  if (!text.empty()) {
    const std::string summary = params.value("documentation", "");
    item["documentation"] =
        MarkdownJson(summary.empty() ? text : summary + "\n\n" + text);
  }
  return item;
}

Json AnswerInlayHint(Session& session, const Json& params) {
  const auto document = DocumentOf(session, params);
  const Positions positions = PositionsIn(session, document->text());
  const Json& range = params.at("range");
  Json list = Json::array();
  for (const modelica::UnitHint& hint :
       modelica::UnitHintsIn(*session.workspace,
                             *document,
                             {.begin = OffsetIn(positions, range.at("start")),
                             .end = OffsetIn(positions, range.at("end"))})) {
    list.push_back({{"position", AsJson(positions.PositionOf(hint.offset))},
                    {"label", "[" + hint.unit + "]"},
                    {"paddingLeft", true}});
  }
  return list;
}

}  // namespace orrery::lsp
