#include "orrery/modelica/session/run_texts.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/text/value_format.h"
#include "orrery/symbolic/print/print.h"

/// Texts that only the run knows: one of several messages, each of texts and
/// numbers, by conditions.
namespace orrery::modelica::internal {
namespace {

/// A message without the formulas of its values.
class Form {
 public:
  explicit Form(const Message& message) {
    for (const Message::Part& part : message.parts) {
      Part& own = parts_.emplace_back();
      own.text = part.text;
      if (part.value) {
        own.type = part.value.type();
        own.format = part.format;
      }
    }
  }

  /// @param numbers of the values; those behind them are left.
  [[nodiscard]] std::string Write(std::span<const double>& numbers) const {
    std::string text;
    for (const Part& part : parts_) {
      text += part.text;
      if (part.type) {
        text += orrery::ToText(*part.type, numbers.front(), part.format);
        numbers = numbers.subspan(1);
      }
    }
    return text;
  }

 private:
  struct Part {
    std::string text;
    std::optional<ValueType> type = {};
    ValueFormat format = {};
  };

  std::vector<Part> parts_;
};

void Append(Message& message, const Message::Part& part) {
  auto& parts = message.parts;
  if (parts.empty() || parts.back().value) {
    parts.push_back(part);
    return;
  }
  const std::string before = std::move(parts.back().text);
  parts.back() = part;
  parts.back().text.insert(0, before);
}

Expr Both(ExprGraph& graph, Expr a, Expr b) {
  return a && b ? graph.Binary(Op::kAnd, a, b) : a ? a : b;
}

std::string TextWithoutValues(const Message& message) {
  std::span<const double> none;
  return Form(message).Write(none);
}

}  // namespace

bool HasValues(const Message& message) {
  return std::ranges::any_of(message.parts, [](const Message::Part& part) {
    return static_cast<bool>(part.value);
  });
}

bool IsText(const Value& value) {
  return value.text != nullptr || value.run_text != nullptr;
}

RunText ChoicesOf(const Value& text) {
  if (text.run_text != nullptr) {
    return *text.run_text;
  }
  return {.choices = {
              {.condition = {}, .message = {.parts = {{.text = *text.text}}}}}};
}

// Constant conditions decide, constant values are written.
Value TextOf(RunText text) {
  RunText open;
  for (RunText::Choice& choice : text.choices) {
    if (choice.condition && choice.condition.is_constant(0)) {
      continue;
    }
    RunText::Choice own{.condition = choice.condition, .message = {}};
    for (Message::Part& part : choice.message.parts) {
      if (part.value && part.value.is_constant()) {
        part.text +=
            orrery::ToText(part.value.type(), part.value.value(), part.format);
        part.value = {};
      }
      Append(own.message, part);
    }
    if (own.condition && own.condition.is_constant()) {
      own.condition = {};
      open.choices = {std::move(own)};
      break;
    }
    open.choices.push_back(std::move(own));
  }
  if (open.choices.size() == 1) {
    RunText::Choice& only = open.choices.front();
    only.condition = {};
    if (!HasValues(only.message)) {
      return {.text = std::make_shared<const std::string>(
                  TextWithoutValues(only.message))};
    }
  }
  return {.run_text = std::make_shared<const RunText>(std::move(open))};
}

std::vector<Expr> FormulasIn(const RunText& text) {
  std::vector<Expr> formulas;
  for (const RunText::Choice& choice : text.choices) {
    if (choice.condition) {
      formulas.push_back(choice.condition);
    }
    for (const Message::Part& part : choice.message.parts) {
      if (part.value) {
        formulas.push_back(part.value);
      }
    }
  }
  return formulas;
}

RunText WithFormulas(RunText text, std::span<const Expr> others) {
  auto next = others.begin();
  for (RunText::Choice& choice : text.choices) {
    if (choice.condition) {
      choice.condition = *next++;
    }
    for (Message::Part& part : choice.message.parts) {
      if (part.value) {
        part.value = *next++;
      }
    }
  }
  return text;
}

std::string FormOf(const RunText& text) {
  std::string form;
  const auto add = [&form](const std::string& part) {
    form += std::to_string(part.size()) + ":" + part;
  };
  for (const RunText::Choice& choice : text.choices) {
    form += choice.condition ? "?" : "!";
    for (const Message::Part& part : choice.message.parts) {
      add(part.text);
      if (part.value) {
        const ValueFormat& format = part.format;
        add(std::to_string(static_cast<int>(part.value.type())) + " " +
            std::to_string(format.digits) + " " +
            std::to_string(format.least_length) + " " +
            std::to_string(static_cast<int>(format.is_left)) + format.pattern);
      }
    }
  }
  return form;
}

Value Joined(ExprGraph& graph, const Value& a, const Value& b) {
  RunText joined;
  const RunText after = ChoicesOf(b);
  for (const RunText::Choice& first : ChoicesOf(a).choices) {
    for (const RunText::Choice& second : after.choices) {
      RunText::Choice& both = joined.choices.emplace_back();
      both.condition = Both(graph, first.condition, second.condition);
      both.message = first.message;
      for (const Message::Part& part : second.message.parts) {
        Append(both.message, part);
      }
    }
  }
  return TextOf(std::move(joined));
}

Value Chosen(ExprGraph& graph, Expr condition, const Value& a, const Value& b) {
  RunText chosen;
  const auto add = [&](const Value& text, Expr holds) {
    for (RunText::Choice& choice : ChoicesOf(text).choices) {
      choice.condition = Both(graph, holds, choice.condition);
      chosen.choices.push_back(std::move(choice));
    }
  };
  add(a, condition);
  add(b, graph.Unary(Op::kNot, condition));
  return TextOf(std::move(chosen));
}

Expr FoundIn(ExprGraph& graph,
             std::string name,
             std::span<const Message> messages,
             std::function<double(std::span<const std::string>)> find) {
  std::vector<Expr> values;
  std::vector<Form> forms;
  for (const Message& message : messages) {
    forms.emplace_back(message);
    for (const Message::Part& part : message.parts) {
      if (part.value) {
        values.push_back(part.value);
      }
    }
  }
  auto function = std::make_shared<OpaqueFunction>();
  function->name = std::move(name);
  function->num_inputs = values.size();
  function->num_outputs = 1;
  function->evaluate = [forms = std::move(forms), find = std::move(find)](
                           std::span<const double> numbers,
                           std::span<double> found) {
    std::vector<std::string> texts;
    for (const Form& form : forms) {
      texts.push_back(form.Write(numbers));
    }
    found[0] = find(texts);
  };
  return graph.Output(graph.Opaque(std::move(function), values), 0);
}

Expr ThrowerOf(ExprGraph& graph, const Message& message) {
  return FoundIn(graph,
                 "an assertion in it",
                 std::span(&message, 1),
                 [](std::span<const std::string> texts) -> double {
                   throw std::runtime_error(texts.front());
                 });
}

Expr Compared(ExprGraph& graph,
              const Value& a,
              const Value& b,
              const std::function<bool(int)>& test) {
  const auto holds = [test](const std::string& one, const std::string& other) {
    return test(one.compare(other));
  };
  Expr result = graph.Boolean(false);
  const RunText others = ChoicesOf(b);
  for (const RunText::Choice& one : ChoicesOf(a).choices) {
    for (const RunText::Choice& other : others.choices) {
      const std::array messages = {one.message, other.message};
      const bool is_known = std::ranges::none_of(messages, HasValues);
      const Expr truth =
          is_known ? graph.Boolean(holds(TextWithoutValues(one.message),
                                         TextWithoutValues(other.message)))
                   : graph.Binary(
                         Op::kLess,
                         graph.Constant(0),
                         FoundIn(graph,
                                 "a comparison of texts",
                                 messages,
                                 [holds](std::span<const std::string> texts) {
                                   return holds(texts[0], texts[1]) ? 1.0 : 0.0;
                                 }));
      const Expr condition = Both(graph, one.condition, other.condition);
      result = graph.Binary(Op::kOr, result, Both(graph, condition, truth));
    }
  }
  return result;
}

}  // namespace orrery::modelica::internal
