#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "orrery/model/flat_model.h"
#include "orrery/modelica/session/value.h"

namespace orrery::modelica::internal {

struct Session;

/// Numbers texts, each once. Arrays of Strings are arrays of these numbers, as
/// if String were an enumeration of all texts.
class TextNumbers {
 public:
  std::int64_t NumberOf(const std::string& text);
  [[nodiscard]] const std::string& At(double number) const;

 private:
  std::deque<std::string> texts_;
  std::unordered_map<std::string, std::int64_t> numbers_;
};

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

/// True for an array of Strings, or an element that is not known yet.
[[nodiscard]] bool AreTexts(const Value& value);

/// A text as the number that it has in arrays; other values as they are.
[[nodiscard]] Value AsElement(Session& session, const Value& value);

/// The text that has this number.
[[nodiscard]] Value TextAt(const Session& session, double number);

}  // namespace orrery::modelica::internal
