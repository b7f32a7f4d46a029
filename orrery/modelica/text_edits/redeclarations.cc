#include "orrery/modelica/text_edits/redeclarations.h"

#include <algorithm>
#include <variant>

#include "orrery/modelica/text_edits/modifier_edits.h"

namespace orrery::modelica::internal {
namespace {

// True if an argument says something of the class `name` as a whole.
bool IsOf(const ast::Argument& argument, const std::string& name) {
  if (const auto* const its =
          std::get_if<const ast::ClassDefinition*>(&argument.node)) {
    return (*its)->name.text == name;
  }
  const auto* const said =
      std::get_if<ast::ElementModification>(&argument.node);
  return said != nullptr && ast::ToString(said->name) == name;
}

}  // namespace

void ChooseClass(const ast::Modification* modification,
                 std::uint32_t name_end,
                 const ClassChoice& choice,
                 std::vector<TextEdit>& edits) {
  const ast::ClassModification* const arguments =
      modification == nullptr ? nullptr : modification->arguments;
  const std::string text = choice.type ? "redeclare " + choice.kind + " " +
                                             choice.name + " = " + *choice.type
                                       : std::string();
  if (arguments == nullptr) {
    if (choice.type) {
      edits.push_back({.span = {.begin = name_end, .end = name_end},
                       .text = "(" + text + ")"});
    }
    return;
  }
  const auto& list = arguments->arguments;
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const auto& its) {
        return IsOf(its, choice.name);
      });
  if (found == list.end()) {
    if (choice.type) {
      AddArgument(*arguments, text, edits);
    }
    return;
  }
  if (!choice.type && list.size() == 1) {
    edits.push_back({.span = arguments->span, .text = ""});
    return;
  }
  if (!choice.type) {
    RemoveArgument(
        *arguments, static_cast<std::size_t>(found - list.begin()), edits);
    return;
  }
  const auto* const given =
      std::get_if<const ast::ClassDefinition*>(&found->node);
  const auto* const known = given == nullptr
                                ? nullptr
                                : std::get_if<ast::ShortClass>(&(*given)->node);
  if (known == nullptr) {
    edits.push_back({.span = found->span, .text = text});
    return;
  }
  const ast::ClassModification* const its = known->modification;
  edits.push_back(
      {.span = {.begin = known->base.span.begin,
                .end = its == nullptr ? known->base.span.end : its->span.end},
       .text = *choice.type});
}

void SetModifierOf(const ast::ShortClass& chosen,
                   const std::vector<std::string>& path,
                   const std::optional<std::string>& text,
                   std::vector<TextEdit>& edits) {
  const ast::ClassModification* const arguments = chosen.modification;
  // As if the arguments were those of a component of that name.
  const ast::Modification modification = {
      .span = arguments == nullptr ? ast::Span{} : arguments->span,
      .arguments = arguments};
  SetModifier(arguments == nullptr ? nullptr : &modification,
              chosen.base.span.end,
              path,
              text,
              edits);
}

}  // namespace orrery::modelica::internal
