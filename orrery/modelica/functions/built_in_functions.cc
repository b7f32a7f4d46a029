#include "orrery/modelica/functions/built_in_functions.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/modelica/builtins/builtins.h"
#include "orrery/modelica/functions/functions.h"
#include "orrery/modelica/values/convert_to.h"
#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {
namespace {

/// Writes the body of one function.
class BuiltInBody {
 public:
  BuiltInBody(Session& session, ClassNode& node, Instance& instance)
      : node_(node),
        external_(*node.external),
        instance_(instance),
        lowering_(session, {&instance, node.external_scope}) {}

  void Write(Function& function) {
    if (external_.function.text.empty()) {
      TakeInputs();
    } else {
      for (const ast::Expression* const argument : external_.arguments) {
        arguments_.push_back({.name = {}, .value = argument});
      }
    }
    Component& output = Output();
    Value value = ConvertTo(lowering_,
                            Call(),
                            output.type,
                            &output.shape,
                            external_.span,
                            "output '" + output.path() + "'");
    function.body.push_back({.step = Assignment{.target = output.symbol,
                                                .subscripts = {},
                                                .value = value.expr},
                             .span = At(node_.external_scope, external_.span)});
  }

 private:
  // Without a call, the arguments are the inputs.
  void TakeInputs() {
    const auto inputs = MembersOf(node_, ast::Causality::kInput);
    parts_.reserve(inputs.size());
    expressions_.reserve(inputs.size());
    for (const Member* const input : inputs) {
      parts_.push_back({.name = {.text = input->name, .span = external_.span},
                        .subscripts = {}});
      expressions_.push_back(
          {.span = external_.span,
           .node = ast::ComponentReference{.span = external_.span,
                                           .is_global = false,
                                           .parts = {&parts_.back(), 1}}});
      arguments_.push_back({.name = {}, .value = &expressions_.back()});
    }
  }

  // The output that receives the call's value: the named one, or the only one.
  Component& Output() {
    const auto outputs = MembersOf(node_, ast::Causality::kOutput);
    const std::string named =
        external_.result ? ast::ToString(*external_.result) : std::string();
    for (const Member* const output : outputs) {
      const bool is_it =
          named.empty() ? outputs.size() == 1 : output->name == named;
      if (is_it) {
        Component& component = *instance_.Find(output->name);
        if (component.symbol) {
          return component;
        }
      }
    }
    lowering_.Fail(
        external_.span,
        "a built-in function gives one output a value, and " + node_.name +
            (named.empty() ? " does not have one output of numbers"
                           : " has no output '" + named + "' of numbers"),
        "write 'external \"builtin\" y = f(x)', where y is the output");
  }

  Value Call() {
    const std::string_view name = external_.function.text.empty()
                                      ? node_.definition->name.text
                                      : external_.function.text;
    const ast::ReferencePart part{
        .name = {.text = name, .span = external_.span}, .subscripts = {}};
    const ast::Call call{.function = {.span = external_.span,
                                      .is_global = false,
                                      .parts = {&part, 1}},
                         .arguments = {arguments_.data(), arguments_.size()},
                         .iterators = {}};
    if (std::optional<Value> value =
            RunBuiltIn(lowering_, name, call, external_.span)) {
      return *std::move(value);
    }
    lowering_.Fail(external_.span,
                   "no function '" + std::string(name) +
                       "' is built into the language: function " + node_.name +
                       " calls it as external \"builtin\"",
                   Suggest(name, BuiltInNames()));
  }

  ClassNode& node_;
  const ast::External& external_;
  Instance& instance_;
  LoweringContext lowering_;
  std::vector<ast::CallArgument> arguments_;
  std::vector<ast::ReferencePart> parts_;
  std::vector<ast::Expression> expressions_;
};

}  // namespace

bool IsBuiltIn(const ast::External& external) {
  return external.language &&
         ast::Unescape(external.language->raw) == "builtin";
}

void LowerBuiltIn(Session& session,
                  ClassNode& node,
                  Instance& instance,
                  Function& function) {
  BuiltInBody(session, node, instance).Write(function);
}

}  // namespace orrery::modelica::internal
