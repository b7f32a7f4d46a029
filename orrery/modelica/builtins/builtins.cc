#include "orrery/modelica/builtins/builtins.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/modelica/builtins/built_in_call.h"
#include "orrery/modelica/builtins/builtins_arrays.h"
#include "orrery/modelica/builtins/builtins_clocks.h"
#include "orrery/modelica/builtins/builtins_connectors.h"
#include "orrery/modelica/builtins/builtins_derivatives.h"
#include "orrery/modelica/builtins/builtins_events.h"
#include "orrery/modelica/builtins/builtins_scalars.h"
#include "orrery/modelica/builtins/builtins_sizes.h"
#include "orrery/modelica/builtins/builtins_states.h"
#include "orrery/modelica/builtins/builtins_streams.h"
#include "orrery/modelica/builtins/builtins_transport.h"
#include "orrery/modelica/expressions/reductions.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/syntax/elementary.h"

namespace orrery::modelica::internal {
namespace {

constexpr std::array<std::string_view, 3> kUnsupported = {
    "rooted", "branch", "root"};

BuiltInArguments MatchEntry(const BuiltInCall& call,
                            const BuiltInEntry& entry) {
  BuiltInArguments arguments;
  for (const ast::CallArgument& argument : call.written.arguments) {
    const std::string_view name = argument.name.text;
    if (name.empty()) {
      arguments.push_back(argument.value);
      continue;
    }
    const auto at = std::ranges::find(entry.names, name);
    if (at == entry.names.end()) {
      call.context.Fail(argument.name.span,
                        "no argument '" + std::string(name) + "' in '" +
                            ast::ToString(call.written.function) + "'");
    }
    const auto number =
        static_cast<std::size_t>(at - entry.names.begin()) % entry.most;
    arguments.resize(std::max(arguments.size(), number + 1), nullptr);
    arguments[number] = argument.value;
  }
  if (arguments.size() < entry.least || arguments.size() > entry.most ||
      (!entry.leaves_out &&
       std::ranges::find(arguments, nullptr) != arguments.end())) {
    call.Fail(
        "'" + ast::ToString(call.written.function) + "' takes " +
        std::to_string(entry.least) +
        (entry.most == kAnyNumber    ? " or more"
         : entry.most != entry.least ? " to " + std::to_string(entry.most)
                                     : "") +
        (entry.least == 1 && entry.most == 1 ? " argument" : " arguments") +
        ", not " + std::to_string(arguments.size()));
  }
  return arguments;
}

std::optional<Value> RunElementary(const BuiltInCall& call,
                                   std::string_view name) {
  const auto found = ElementaryFunctions().find(name);
  if (found == ElementaryFunctions().end()) {
    return std::nullopt;
  }
  const std::size_t count = found->second.is_binary ? 2 : 1;
  const BuiltInEntry entry{name, nullptr, count, count, {}};
  const BuiltInArguments arguments = MatchEntry(call, entry);
  const Expr a = NumbersArgument(call, arguments, 0);
  if (!found->second.is_binary) {
    return NumberValue(call.graph.Unary(found->second.op, a));
  }
  const Expr b = NumbersArgument(call, arguments, 1);
  if (!a.is_scalar() && !b.is_scalar() && a.shape() != b.shape()) {
    call.Fail("'" + std::string(name) + "' takes arrays of one size, not " +
              Describe(NumberValue(a)) + " and " + Describe(NumberValue(b)));
  }
  return NumberValue(call.graph.Binary(found->second.op, a, b));
}

Value RunReduction(const BuiltInCall& call, std::string_view name) {
  static const std::unordered_map<std::string_view, Op> reductions = {
      {"sum", Op::kSum},
      {"product", Op::kProduct},
      {"min", Op::kMinimum},
      {"max", Op::kMaximum},
      {"array", Op::kBuild}};
  const auto found = reductions.find(name);
  if (found == reductions.end()) {
    call.Fail("'" + std::string(name) + "' cannot be used with iterators",
              "sum, product, min, max and array can");
  }
  return LowerReduction(call.context,
                        *call.written.arguments.front().value,
                        call.written.iterators,
                        found->second,
                        call.span);
}

const std::unordered_map<std::string_view, const BuiltInEntry*>& AllEntries() {
  static const auto all = [] {
    std::unordered_map<std::string_view, const BuiltInEntry*> entries;
    for (const std::span<const BuiltInEntry> subject : {ArrayBuiltIns(),
                                                        ClockBuiltIns(),
                                                        ConnectorBuiltIns(),
                                                        DerivativeBuiltIns(),
                                                        EventBuiltIns(),
                                                        ScalarBuiltIns(),
                                                        SizeBuiltIns(),
                                                        StateBuiltIns(),
                                                        StreamBuiltIns(),
                                                        TransportBuiltIns()}) {
      for (const BuiltInEntry& entry : subject) {
        const bool is_new = entries.emplace(entry.name, &entry).second;
        ORRERY_CHECK(is_new);
      }
    }
    return entries;
  }();
  return all;
}

}  // namespace

std::vector<std::string> BuiltInNames() {
  std::vector<std::string> names = {"String"};
  for (const auto& [name, entry] : AllEntries()) {
    names.emplace_back(name);
  }
  for (const auto& [name, elementary] : ElementaryFunctions()) {
    names.emplace_back(name);
  }
  std::ranges::sort(names);
  return names;
}

std::optional<Value> RunBuiltIn(LoweringContext& context,
                                std::string_view name,
                                const ast::Call& written,
                                const ast::Span& span) {
  const BuiltInCall call{.context = context,
                         .written = written,
                         .span = span,
                         .graph = context.session.graph};
  if (std::ranges::find(kUnsupported, name) != kUnsupported.end()) {
    call.Fail("'" + std::string(name) + "' is not supported yet");
  }
  if (!written.iterators.empty()) {
    return RunReduction(call, name);
  }
  if (name == "String") {
    return LowerStringBuiltIn(call);
  }
  const auto entry = AllEntries().find(name);
  if (entry != AllEntries().end()) {
    return entry->second->run(call, MatchEntry(call, *entry->second));
  }
  return RunElementary(call, name);
}

std::vector<Value> RunBuiltInOfSeveral(LoweringContext& context,
                                       const ast::Call& written,
                                       const ast::Span& span) {
  if (ast::ToString(written.function) != "spatialDistribution" ||
      !written.iterators.empty()) {
    return {};
  }
  const BuiltInCall call{.context = context,
                         .written = written,
                         .span = span,
                         .graph = context.session.graph};
  return LowerTransport(call, MatchEntry(call, TransportBuiltIns().front()));
}

}  // namespace orrery::modelica::internal
