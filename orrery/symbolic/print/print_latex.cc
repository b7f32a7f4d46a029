#include "orrery/symbolic/print/print_latex.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string_view>

#include "orrery/base/text/number_text.h"
#include "orrery/symbolic/print/formula_writer.h"
#include "orrery/symbolic/print/print.h"
#include "orrery/symbolic/statement.h"

namespace orrery {

namespace internal = symbolic::internal;

namespace {

using internal::FormulaWriter;
using internal::Level;

constexpr std::array<std::string_view, 34> kGreek = {
    "alpha", "beta",  "gamma",   "delta",  "epsilon", "zeta",   "eta",
    "theta", "iota",  "kappa",   "lambda", "mu",      "nu",     "xi",
    "pi",    "rho",   "sigma",   "tau",    "upsilon", "phi",    "chi",
    "psi",   "omega", "Gamma",   "Delta",  "Theta",   "Lambda", "Xi",
    "Pi",    "Sigma", "Upsilon", "Phi",    "Psi",     "Omega"};

// Escapes characters that are commands in LaTeX.
std::string Escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view("_#$%&{} ").find(c) != std::string_view::npos) {
      result += '\\';
    }
    result += c == '^' ? "^\\wedge " : std::string(1, c);
  }
  return result;
}

// Returns a word as a subscript or a symbol: letters are symbols, words
// upright.
std::string Word(std::string_view word) {
  if (std::ranges::find(kGreek, word) != kGreek.end()) {
    return "\\" + std::string(word);
  }
  const bool is_number = std::ranges::all_of(
      word, [](unsigned char c) { return std::isdigit(c) != 0; });
  if (word.size() == 1 || is_number) {
    return Escaped(word);
  }
  return "\\mathrm{" + Escaped(word) + "}";
}

// A quantity's name: its letter or word, and its subscripts.
struct Name {
  std::string main;
  std::string subscripts;
};

std::string TextOf(const Name& name) {
  return name.main +
         (name.subscripts.empty() ? "" : "_{" + name.subscripts + "}");
}

// Splits `spring.k` into k with the subscript "spring", `x1` into x with 1,
// `v_in` into v with "in". The name of a formula, as the relation `x > 0.5`,
// stays one word.
Name SplitName(std::string_view name) {
  constexpr std::string_view kPre = "pre(";
  if (name.starts_with(kPre) && name.ends_with(')')) {
    const Name of =
        SplitName(name.substr(kPre.size(), name.size() - kPre.size() - 1));
    return {.main = "\\mathrm{pre}\\left(" + TextOf(of) + "\\right)",
            .subscripts = {}};
  }
  if (name.find_first_of(" (<>=") != std::string_view::npos) {
    return {.main = "\\mathrm{" + Escaped(name) + "}", .subscripts = {}};
  }
  std::string_view path;
  const std::size_t dot = name.rfind('.');
  if (dot != std::string_view::npos) {
    path = name.substr(0, dot);
    name = name.substr(dot + 1);
  }
  std::string_view tail;
  const std::size_t underscore = name.find('_');
  if (underscore != std::string_view::npos && underscore > 0 &&
      underscore + 1 < name.size()) {
    tail = name.substr(underscore + 1);
    name = name.substr(0, underscore);
  } else {
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    if (digits > 0 && digits < name.size()) {
      tail = name.substr(digits);
      name = name.substr(0, digits);
    }
  }
  Name result{.main = name == "time" ? "t" : Word(name), .subscripts = {}};
  if (!path.empty()) {
    result.subscripts = "\\mathrm{" + Escaped(path) + "}";
  }
  if (!tail.empty()) {
    result.subscripts += (path.empty() ? "" : ", ") + Word(tail);
  }
  return result;
}

std::string Number(double value, ValueType type) {
  std::string text = internal::ConstantText(value, type);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) {
    return text;
  }
  const std::string mantissa = text.substr(0, e);
  std::string power =
      "10^{" + std::to_string(std::stoi(text.substr(e + 1))) + "}";
  if (mantissa == "1") {
    return power;
  }
  return mantissa == "-1" ? "-" + power : mantissa + " \\cdot " + power;
}

class LatexWriter final : public FormulaWriter {
 public:
  explicit LatexWriter(std::size_t max_length)
      : FormulaWriter(max_length, "\\left(", "\\right)") {}

 private:
  [[nodiscard]] Level LevelOf(Expr node) const override {
    switch (node.op()) {
      case Op::kConstant: {
        if (std::signbit(node.value())) {
          return Level::kSum;
        }
        const bool has_power =
            Number(node.value(), node.type()).find('^') != std::string::npos;
        return has_power ? Level::kProduct : Level::kPrimary;
      }
      case Op::kSum:
        return Level::kSum;
      case Op::kProduct:
        return Level::kProduct;
      case Op::kExp:
      case Op::kDivide:  // Its bar encloses it, but not as a base.
        return Level::kPower;
      default:
        return UsualLevel(node.op());
    }
  }

  void Describe(Expr node) override {
    switch (node.op()) {
      case Op::kConstant:
        return Put(
            node.type() == ValueType::kBoolean
                ? (node.value() != 0 ? "\\mathrm{true}" : "\\mathrm{false}")
                : Number(node.value(), node.type()));
      case Op::kSymbol:
        return PutName(node, /*is_dotted=*/false);
      case Op::kIterator:
        return Put(Word(node.graph().IteratorName(node)));
      case Op::kSelect:
        return DescribeSelect(node);
      case Op::kOutput:
        return DescribeOutput(node);
      case Op::kCall:
        return DescribeCall(node,
                            Operator(node.graph().FunctionOf(node)->name));
      case Op::kOpaque:
        return DescribeCall(node, Operator(node.graph().OpaqueOf(node)->name));
      case Op::kDer:
        return DescribeDer(node);
      case Op::kNegate:
      case Op::kNot:
      case Op::kAbs:
      case Op::kSqrt:
      case Op::kExp:
      case Op::kFloor:
      case Op::kCeil:
        return DescribeUnary(node);
      default:
        break;
    }
    if (ElementwiseOperands(node.op()) == 2) {
      return DescribeBinary(node);
    }
    if (ElementwiseOperands(node.op()) == 1) {
      return DescribeCall(node, FunctionName(node.op()));
    }
    DescribeArray(node);
  }

  static std::string Operator(const std::string& name) {
    return "\\operatorname{" + Escaped(name) + "}";
  }

  static std::string FunctionName(Op op) {
    switch (op) {
      case Op::kLog:
        return "\\ln";
      case Op::kLog10:
        return "\\log_{10}";
      case Op::kAsin:
        return "\\arcsin";
      case Op::kAcos:
        return "\\arccos";
      case Op::kAtan:
        return "\\arctan";
      case Op::kSin:
      case Op::kCos:
      case Op::kTan:
      case Op::kSinh:
      case Op::kCosh:
      case Op::kTanh:
      case Op::kMin:
      case Op::kMax:
        return "\\" + std::string(OpName(op));
      default:
        return Operator(std::string(OpName(op)));
    }
  }

  // Returns the name, with a dot if it is a derivative's or is to be one.
  static Name NameOf(Expr symbol, bool is_dotted) {
    const auto [text, is_derivative] =
        internal::SplitDerivative(symbol.graph().NameOf(symbol));
    Name name = SplitName(text);
    if (is_derivative || is_dotted) {
      name.main =
          (is_derivative && is_dotted ? "\\ddot{" : "\\dot{") + name.main + "}";
    }
    return name;
  }

  void PutName(Expr symbol, bool is_dotted) {
    Put(TextOf(NameOf(symbol, is_dotted)));
  }

  void PutEnclosed(std::string open, Expr expr, std::string close) {
    Put(std::move(open));
    PutFormula(expr, Level::kAnything);
    Put(std::move(close));
  }

  void DescribeUnary(Expr node) {
    const Expr a = node.operand(0);
    switch (node.op()) {
      case Op::kNegate:
        Put("-");
        return PutFormula(a, Level::kProduct);
      case Op::kNot:
        Put("\\lnot ");
        return PutFormula(a, Level::kPrimary);
      case Op::kAbs:
        return PutEnclosed("\\left|", a, "\\right|");
      case Op::kSqrt:
        return PutEnclosed("\\sqrt{", a, "}");
      case Op::kExp:
        return PutEnclosed("e^{", a, "}");
      case Op::kFloor:
        return PutEnclosed("\\left\\lfloor ", a, "\\right\\rfloor ");
      default:
        return PutEnclosed("\\left\\lceil ", a, "\\right\\rceil ");
    }
  }

  void DescribeBinary(Expr node) {
    const Expr a = node.operand(0);
    const Expr b = node.operand(1);
    switch (node.op()) {
      case Op::kAdd:
        if (b.is_constant() && std::signbit(b.value())) {
          PutFormula(a, Level::kSum);
          return Put(" - " + Number(-b.value(), b.type()));
        }
        return PutInfix(node, " + ", Level::kSum, Level::kProduct);
      case Op::kSubtract:
        return PutInfix(node, " - ", Level::kSum, Level::kProduct);
      case Op::kMultiply: {
        // Two numbers side by side would read as one.
        const bool digits = b.is_constant() || b.op() == Op::kPower;
        return PutInfix(
            node, digits ? " \\cdot " : "\\,", Level::kProduct, Level::kPower);
      }
      case Op::kDivide:
        PutEnclosed("\\frac{", a, "}{");
        PutFormula(b, Level::kAnything);
        return Put("}");
      case Op::kPower:
        PutFormula(a, Level::kPrimary);
        return PutEnclosed("^{", b, "}");
      case Op::kLess:
        return PutRelation(node, " < ", " > ");
      case Op::kLessEqual:
        return PutRelation(node, " \\le ", " \\ge ");
      case Op::kEqual:
        return PutInfix(node, " = ", Level::kSum, Level::kSum);
      case Op::kNotEqual:
        return PutInfix(node, " \\ne ", Level::kSum, Level::kSum);
      case Op::kAnd:
        return PutInfix(node, " \\land ", Level::kAnd, Level::kNot);
      case Op::kOr:
        return PutInfix(node, " \\lor ", Level::kOr, Level::kAnd);
      default:
        return DescribeCall(node, FunctionName(node.op()));
    }
  }

  void DescribeSelect(Expr node) {
    Put("\\begin{cases} ");
    for (std::size_t length = 0; length <= max_length(); ++length) {
      PutFormula(node.operand(1), Level::kAnything);
      PutEnclosed(" & \\text{if } ", node.operand(0), " \\\\ ");
      if (node.operand(2).op() != Op::kSelect) {
        break;
      }
      node = node.operand(2);
    }
    PutFormula(node.operand(2), Level::kAnything);
    Put(" & \\text{otherwise} \\end{cases}");
  }

  void DescribeCall(Expr node, std::string name) {
    Put(std::move(name) + "\\left(");
    PutList(node, 0, ", ");
    Put("\\right)");
  }

  void DescribeOutput(Expr node) {
    const Expr call = node.operand(0);
    const std::size_t count =
        call.op() == Op::kOpaque
            ? node.graph().OpaqueOf(call)->num_outputs
            : node.graph().FunctionOf(call)->outputs.size();
    PutFormula(call, Level::kPrimary);
    if (count > 1) {
      Put("_{" + std::to_string(node.graph().OutputIndex(node) + 1) + "}");
    }
  }

  void DescribeDer(Expr node) {
    const Expr a = node.operand(0);
    if (a.op() == Op::kSymbol) {
      return PutName(a, /*is_dotted=*/true);
    }
    const bool is_element =
        a.op() == Op::kIndex && a.operand(0).op() == Op::kSymbol;
    if (is_element) {
      return DescribeElement(a, /*is_dotted=*/true);
    }
    PutEnclosed("\\frac{d}{dt}\\left(", a, "\\right)");
  }

  // Writes the subscripts below the name, after those of the name itself.
  void DescribeElement(Expr node, bool is_dotted) {
    const Name name = NameOf(node.operand(0), is_dotted);
    Put(name.main + "_{" + name.subscripts +
        (name.subscripts.empty() ? "" : ", "));
    PutList(node, 1, ", ");
    Put("}");
  }

  void DescribeArray(Expr node) {
    switch (node.op()) {
      case Op::kArrayConstant:
        return DescribeNumbers(node);
      case Op::kMakeArray:
        Put("\\left\\{");
        PutList(node, 0, ", ");
        return Put("\\right\\}");
      case Op::kIndex:
        if (node.operand(0).op() == Op::kSymbol) {
          return DescribeElement(node, /*is_dotted=*/false);
        }
        PutEnclosed("\\left(", node.operand(0), "\\right)_{");
        PutList(node, 1, ", ");
        return Put("}");
      case Op::kSum:
        return DescribeLoop(node, "\\sum");
      case Op::kProduct:
        return DescribeLoop(node, "\\prod");
      case Op::kMinimum:
        return DescribeLoop(node, "\\min");
      case Op::kMaximum:
        return DescribeLoop(node, "\\max");
      default:
        PutEnclosed("\\left(", node.operand(1), "\\right)");
        return Put("_{" + IterationToLatex(node.operand(0)) + "}");
    }
  }

  void DescribeLoop(Expr node, const std::string& sign) {
    const Range& range = node.graph().IteratorRange(node.operand(0));
    const bool has_limits =
        range.step == 1 && (node.op() == Op::kSum || node.op() == Op::kProduct);
    if (has_limits) {
      Put(sign + "_{" + Word(node.graph().IteratorName(node.operand(0))) + "=" +
          std::to_string(range.start) + "}^{" + std::to_string(range.last()) +
          "} ");
    } else {
      Put(sign + "_{" + IterationToLatex(node.operand(0)) + "} ");
    }
    PutFormula(node.operand(1), Level::kProduct);
  }

  void DescribeNumbers(Expr node) {
    std::string text = "\\left\\{";
    bool is_first = true;
    for (const double value : node.graph().ArrayValues(node)) {
      if (text.size() > max_length()) {
        break;
      }
      text += (is_first ? "" : ", ") + Number(value, node.type());
      is_first = false;
    }
    Put(text + "\\right\\}");
  }
};

}  // namespace

std::string IterationToLatex(Expr iterator) {
  const Range& range = iterator.graph().IteratorRange(iterator);
  std::string text = Word(iterator.graph().IteratorName(iterator)) + "=" +
                     std::to_string(range.start);
  if (range.step != 1) {
    text += "," + std::to_string(range.start + range.step);
  }
  return text + ",\\dots," + std::to_string(range.last());
}

std::string ToLatex(Expr expr, std::size_t max_length) {
  return LatexWriter(max_length).Write(expr);
}

}  // namespace orrery
