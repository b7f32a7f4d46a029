#include "orrery/modelica/flattening/foreign_blocks.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/external/foreign_code.h"
#include "orrery/modelica/flattening/guarded.h"
#include "orrery/modelica/functions/resources.h"
#include "orrery/modelica/session/bindings.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/text_values.h"
#include "orrery/syntax/annotations.h"

namespace orrery::modelica::internal {
namespace {

// Finds what the text of a class says about a file with its equations; null if
// it says nothing.
const ast::Modification* SaidIn(const Scope& scope) {
  return scope.text == nullptr
             ? nullptr
             : ArgumentIn(scope.text->description.annotation, "__Orrery");
}

// A name without the quotes of 'a.b[1]'.
std::string Unquoted(std::string_view name) {
  const bool is_quoted =
      name.size() >= 2 && name.front() == '\'' && name.back() == '\'';
  return is_quoted ? ast::Unescape(name.substr(1, name.size() - 2))
                   : std::string(name);
}

// The file as it is read: beside the text if it is there.
std::string FileOf(LoweringContext& context,
                   const Scope& scope,
                   const std::string& name,
                   const ast::Span& span) {
  const std::filesystem::path path(ResourceNamed(context, name, span));
  if (path.is_relative() && scope.file != nullptr) {
    const std::filesystem::path text(scope.file->name());
    std::string beside = (text.parent_path() / path).string();
    if (context.session.files.Contains(beside)) {
      return beside;
    }
  }
  return path.string();
}

void ListText(LoweringContext& context,
              Component& component,
              ForeignBlock& block) {
  const ast::Span& span = component.member->span;
  const Value value =
      context.session.settings.Apply(context.session, component, [&] {
        return KnownText(context, BindingOf(context.session, component), span);
      });
  if (value.text != nullptr) {
    block.texts.push_back(
        {.name = Unquoted(component.member->name), .value = *value.text});
  }
}

// The time between communication points.
std::optional<double> CommunicationIn(LoweringContext& context,
                                      const ast::Modification& said) {
  const ast::Expression* const step = ValueIn(said.arguments, "communication");
  if (step == nullptr) {
    return std::nullopt;
  }
  return EvaluateOrUnroll(context,
                          LowerScalar(context, *step, ValueType::kReal),
                          step->span,
                          "'communication'")[0];
}

void ListBlock(Session& session,
               Instance& instance,
               std::uint32_t part,
               const ast::Modification& said) {
  Scope& scope = *instance.type->parts[part].scope;
  const ast::Expression* const file = ValueIn(said.arguments, "fmu");
  if (file == nullptr) {
    return;
  }
  LoweringContext context(session, {&instance, &scope});
  const std::string name = TextIn(said.arguments, "fmu");
  if (name.empty()) {
    context.Fail(file->span,
                 "'fmu' names a file by a text, as in fmu = \"Motor.fmu\"");
  }
  ForeignBlock block{.file = FileOf(context, scope, name, file->span),
                     .kind = TextIn(said.arguments, "kind"),
                     .communication = CommunicationIn(context, said),
                     .ports = {},
                     .texts = {},
                     .path = instance.path,
                     .span = At(&scope, file->span)};
  std::error_code none;
  const auto place = std::filesystem::absolute(block.file, none);
  if (const std::string why = WhyNotRun(place.parent_path().string());
      !why.empty()) {
    context.Fail(file->span, "cannot run " + block.file + ": " + why);
  }
  for (Component& component : instance.components) {
    if (component.member == nullptr || component.member->part != part ||
        component.state != Component::State::kDone || component.is_absent ||
        !component.is_predefined()) {
      continue;
    }
    if (component.type->built_in == BuiltIn::kString) {
      ListText(context, component, block);
    } else if (component.variability != Variability::kConstant) {
      block.ports.push_back({.name = Unquoted(component.member->name),
                             .symbol = component.symbol});
    }
  }
  session.flat.foreign_blocks.push_back(std::move(block));
}

}  // namespace

void ListForeignBlocks(Session& session, Instance& instance) {
  for (std::uint32_t i = 0; i < instance.type->parts.size(); ++i) {
    const Scope& scope = *instance.type->parts[i].scope;
    if (const ast::Modification* const said = SaidIn(scope)) {
      Guarded(session, At(&scope, scope.text->name.span), [&] {
        ListBlock(session, instance, i, *said);
      });
    }
  }
}

}  // namespace orrery::modelica::internal
