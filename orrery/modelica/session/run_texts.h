#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "orrery/model/flat_model.h"
#include "orrery/modelica/session/value.h"
#include "orrery/symbolic/graph.h"

namespace orrery::modelica::internal {

/// A text that only the run knows, of a function: one of several messages.
struct RunText {
  struct Choice {
    Expr condition;  ///< Selects this text; empty: always.
    Message message;
  };

  std::vector<Choice> choices;  ///< The condition of exactly one holds.
};

/// Choices of a text at most; more would come of many conditions.
inline constexpr std::size_t kMaxTexts = 1'000;

/// True if the value is a text, known now or in the run.
[[nodiscard]] bool IsText(const Value& value);

/// The choices of a text.
[[nodiscard]] RunText ChoicesOf(const Value& text);

/// A text of these choices: a known one if they leave nothing to the run.
[[nodiscard]] Value TextOf(RunText text);

/// The conditions and values of a text's choices, in order.
[[nodiscard]] std::vector<Expr> FormulasIn(const RunText& text);

/// The text with its formulas, in order, replaced.
[[nodiscard]] RunText WithFormulas(RunText text, std::span<const Expr> others);

/// A key of the text without its formulas.
[[nodiscard]] std::string FormOf(const RunText& text);

/// `a` before `b`.
[[nodiscard]] Value Joined(ExprGraph& graph, const Value& a, const Value& b);

/// `a` where `condition` holds, else `b`.
[[nodiscard]] Value Chosen(ExprGraph& graph,
                           Expr condition,
                           const Value& a,
                           const Value& b);

/// True if `test` holds for the order of two texts: below, equal to or above 0.
[[nodiscard]] Expr Compared(ExprGraph& graph,
                            const Value& a,
                            const Value& b,
                            const std::function<bool(int)>& test);

/// The number that `find` computes from the messages once their values are
/// known.
[[nodiscard]] Expr FoundIn(
    ExprGraph& graph,
    std::string name,
    std::span<const Message> messages,
    std::function<double(std::span<const std::string>)> find);

/// A formula that throws the message.
[[nodiscard]] Expr ThrowerOf(ExprGraph& graph, const Message& message);

[[nodiscard]] bool HasValues(const Message& message);

}  // namespace orrery::modelica::internal
