#include "orrery/modelica/scene/icon_texts.h"

#include <algorithm>
#include <cctype>
#include <deque>
#include <string_view>

namespace orrery::modelica::internal {
namespace {

std::string ValueText(ViewEvaluator& evaluator,
                      const InstanceView& view,
                      std::string_view dotted) {
  InstanceView at = view;
  std::deque<InstanceView> kept;
  while (dotted.find('.') != std::string_view::npos) {
    const std::size_t dot = dotted.find('.');
    Member* const member =
        at.node == nullptr ? nullptr : at.node->Find(dotted.substr(0, dot));
    if (member == nullptr || member->clause == nullptr) {
      return std::string(dotted);
    }
    kept.push_back(at);
    at = evaluator.ViewOf(kept.back(), *member);
    dotted.remove_prefix(dot + 1);
  }
  const BoundExpression bound = evaluator.ValueOf(at, dotted);
  if (bound.expression == nullptr) {
    return std::string(dotted);
  }
  const auto* const literal =
      std::get_if<ast::StringLiteral>(&bound.expression->node);
  return literal != nullptr ? ast::Unescape(literal->raw) : WrittenText(bound);
}

// Replaces %name, %class, %parameter, %{a.b} and %%.
std::string Filled(ViewEvaluator& evaluator,
                   const InstanceView& view,
                   const std::string& name,
                   const std::string& text) {
  std::string filled;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%' || i + 1 == text.size()) {
      filled += text[i];
      continue;
    }
    if (text[i + 1] == '%') {
      filled += '%';
      ++i;
      continue;
    }
    std::size_t begin = i + 1;
    std::size_t end = begin;
    std::size_t next = 0;
    if (text[begin] == '{') {
      end = text.find('}', begin);
      end = end == std::string::npos ? text.size() : end;
      ++begin;
      next = std::min(end + 1, text.size());
    } else {
      while (end < text.size() &&
             (std::isalnum(static_cast<unsigned char>(text[end])) != 0 ||
              text[end] == '_')) {
        ++end;
      }
      next = end;
    }
    const std::string word = text.substr(begin, end - begin);
    if (word == "name") {
      filled += name;
    } else if (word == "class") {
      filled += view.node->name.substr(view.node->name.rfind('.') + 1);
    } else if (word.empty()) {
      filled += '%';
    } else {
      filled += ValueText(evaluator, view, word);
    }
    i = next - 1;
  }
  return filled;
}

}  // namespace

std::vector<SlotText> TextsOf(ViewEvaluator& evaluator,
                              const InstanceView& view,
                              const std::string& name,
                              const Icon& icon) {
  std::vector<SlotText> texts;
  for (std::size_t i = 0; i < icon.graphics.size(); ++i) {
    if (icon.graphics[i].kind == Graphic::Kind::kText) {
      texts.push_back(
          {.slot = i,
           .text = Filled(evaluator, view, name, icon.graphics[i].text)});
    }
  }
  return texts;
}

}  // namespace orrery::modelica::internal
