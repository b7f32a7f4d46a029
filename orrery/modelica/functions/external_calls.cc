#include "orrery/modelica/functions/external_calls.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <numeric>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/modelica/expressions/component_values.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/expressions/texts.h"
#include "orrery/modelica/external/foreign_code.h"
#include "orrery/modelica/external/foreign_function.h"
#include "orrery/modelica/functions/functions.h"
#include "orrery/modelica/functions/resources.h"
#include "orrery/modelica/library_texts/standard_library.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/session/texts.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/text_values.h"
#include "orrery/symbolic/transform.h"
#include "orrery/syntax/annotations.h"

namespace orrery::modelica::internal {
namespace {

using Type = ForeignFunction::Type;

bool IsSize(const ast::Expression& argument) {
  const auto* const call = std::get_if<ast::Call>(&argument.node);
  return call != nullptr && call->function.parts.size() == 1 &&
         call->function.parts.front().name.text == "size";
}

// Removes folders that occur twice, perhaps in different spellings.
void MakeUnique(std::vector<std::string>& folders) {
  std::vector<std::string> unique;
  for (const std::string& folder : folders) {
    std::error_code none;
    const std::string path = std::filesystem::weakly_canonical(
                                 std::filesystem::absolute(folder), none)
                                 .string();
    if (std::ranges::find(unique, path) == unique.end()) {
      unique.push_back(path);
    }
  }
  folders = std::move(unique);
}

bool IsBuiltIn(const SourceFile* file) {
  return file != nullptr &&
         std::ranges::any_of(StandardLibrary(), [&](const LibraryText& text) {
           return text.text == file->text();
         });
}

class ExternalCall {
 public:
  ExternalCall(Session& session,
               ClassNode& node,
               Instance& instance,
               Function& function)
      : session_(session),
        node_(node),
        external_(*node.external),
        instance_(instance),
        function_(function),
        lowering_(session, {&instance, node.external_scope}) {}

  void Write() {
    if (!node_.sections.empty()) {
      Fail("function " + node_.name +
               " is external and cannot have an algorithm as well",
           "take one of them away");
    }
    TakeLanguage();
    foreign_.name = external_.function.text.empty()
                        ? std::string(node_.definition->name.text)
                        : std::string(external_.function.text);
    if (external_.function.text.empty()) {
      AddAllArguments();
    } else {
      for (const ast::Expression* const argument : external_.arguments) {
        Add(*argument);
      }
    }
    if (external_.result) {
      TakeResult(OutputNamed(*external_.result));
    }
    AddLengths();
    FindIt();
    AddStatements();
  }

 private:
  void TakeLanguage() {
    constexpr std::array<std::string_view, 4> kC = {"C", "C89", "C99", "C11"};
    const std::string language =
        external_.language ? ast::Unescape(external_.language->raw) : "C";
    is_fortran_ = language == "FORTRAN 77";
    if (!is_fortran_ && std::ranges::find(kC, language) == kC.end()) {
      Fail("external functions in '" + language +
               "' are not supported yet: " + node_.name + " is one",
           "C and FORTRAN 77 are");
    }
  }

  // Without a call the arguments are the inputs, then the outputs; arrays are
  // followed by their sizes. A single scalar output is returned.
  void AddAllArguments() {
    const auto outputs = MembersOf(node_, ast::Causality::kOutput);
    const bool is_returned =
        outputs.size() == 1 &&
        instance_.Find(outputs.front()->name)->shape.empty();
    for (const auto causality :
         {ast::Causality::kInput, ast::Causality::kOutput}) {
      for (const Member* const member : MembersOf(node_, causality)) {
        Component& component = *instance_.Find(member->name);
        if (causality == ast::Causality::kOutput && is_returned) {
          TakeResult(component);
          continue;
        }
        Add(component);
        for (const std::int64_t size : component.shape) {
          AddNumbers(IntegerOf(session_.graph, size), SizeType());
        }
      }
    }
  }

  // Arguments ---------------------------------------------------------------

  void Add(const ast::Expression& argument) {
    if (const auto* const reference =
            std::get_if<ast::ComponentReference>(&argument.node)) {
      Component* const variable = FindVariable(*reference);
      if (variable != nullptr) {
        AddVariable(*variable);
        return;
      }
    }
    const Value value = KnownText(
        lowering_, LowerExpression(lowering_, argument), argument.span);
    if (value.text != nullptr) {
      AddText(*value.text);
    } else if (AreTexts(value)) {
      AddTexts(value, argument.span);
    } else if (value.is_number()) {
      AddNumbers(value.expr,
                 IsSize(argument) ? SizeType()
                                  : TypeOf(value.expr, value.enumeration));
    } else {
      lowering_.Fail(
          argument.span,
          "an external function cannot be given " + Describe(value) + " yet",
          "give it numbers, Booleans, Strings or arrays of them");
    }
  }

  void Add(Component& component) {
    if (component.causality == ast::Causality::kOutput) {
      CheckNumbers(component);
      AddVariable(component);
      return;
    }
    const Value value =
        KnownText(lowering_,
                  ReadInput(lowering_, component, component.member->span),
                  component.member->span);
    if (value.text != nullptr) {
      AddText(*value.text);
      return;
    }
    if (AreTexts(value)) {
      AddTexts(value, component.member->span);
      return;
    }
    CheckNumbers(component);
    AddNumbers(value.expr, TypeOf(value.expr, value.enumeration));
  }

  void AddText(std::string text) {
    foreign_.arguments.push_back(
        {.type = Type::kText, .text = std::move(text)});
  }

  // An array of Strings, which is known.
  void AddTexts(const Value& value, const ast::Span& span) {
    ForeignFunction::Argument argument{.type = Type::kText, .is_address = true};
    for (const double number : EvaluateOrUnroll(
             lowering_, value.expr, span, "an array of Strings for C")) {
      argument.texts.push_back(*TextAt(session_, number).text);
    }
    foreign_.arguments.push_back(std::move(argument));
  }

  void AddNumbers(Expr numbers, Type type) {
    if (type == Type::kSize && !numbers.shape().empty()) {
      Fail("an external function is given sizes one by one",
           "write size(A, 1), size(A, 2), ...");
    }
    foreign_.arguments.push_back(
        {.type = type,
         .is_address = is_fortran_ || !numbers.shape().empty(),
         .count = static_cast<std::size_t>(NumElements(numbers.shape()))});
    AddInputs(numbers);
  }

  // Adds a variable that the function may write to: an output, or a local as
  // workspace. A start value is passed in.
  void AddVariable(Component& variable) {
    const bool is_output = variable.causality == ast::Causality::kOutput;
    const auto& variables = is_output ? function_.outputs : function_.locals;
    const auto declared = std::ranges::find(
        variables, variable.symbol, &Function::Variable::symbol);
    const bool has_start =
        declared != variables.end() && static_cast<bool>(declared->initial);
    foreign_.arguments.push_back(
        {.type = IsText(variable) ? Type::kText : TypeOf(variable.symbol),
         .is_address = is_fortran_ || is_output || !variable.shape.empty(),
         .count =
             static_cast<std::size_t>(NumElements(variable.symbol.shape())),
         .is_given = has_start,
         .is_result = is_output});
    if (has_start) {
      AddInputs(variable.symbol);
    }
    if (is_output) {
      results_.push_back(&variable);
    }
  }

  void AddInputs(Expr numbers) {
    for (const std::int64_t number : Order(numbers.shape())) {
      inputs_.push_back(ElementOf(numbers, number));
    }
  }

  // Fortran takes the lengths of texts after all arguments.
  void AddLengths() {
    const std::size_t count = foreign_.arguments.size();
    for (std::size_t i = 0; i < count && is_fortran_; ++i) {
      if (foreign_.arguments[i].type == Type::kText) {
        foreign_.arguments.push_back({.type = Type::kSize});
        inputs_.push_back(IntegerOf(
            session_.graph,
            static_cast<std::int64_t>(foreign_.arguments[i].text.size())));
      }
    }
  }

  void TakeResult(Component& output) {
    if (!output.shape.empty()) {
      Fail("an external function returns a scalar, not '" + output.path() + "'",
           "let it be an argument");
    }
    foreign_.result = IsText(output)
                          ? Type::kText
                          : TypeOf(output.symbol, output.type->enumeration);
    results_.push_back(&output);
  }

  // An output or a protected variable of numbers; null if it is none.
  Component* FindVariable(const ast::ComponentReference& reference) {
    Component* const component =
        instance_.Find(reference.parts.front().name.text);
    if (reference.parts.size() != 1 ||
        !reference.parts.front().subscripts.empty()) {
      if (component != nullptr && component->member != nullptr &&
          component->causality == ast::Causality::kOutput) {
        lowering_.Fail(reference.span,
                       "an external function gives whole outputs, not '" +
                           ast::ToString(reference) + "'");
      }
      return nullptr;
    }
    if (component == nullptr || component->member == nullptr ||
        component->causality == ast::Causality::kInput ||
        component->variability <= Variability::kParameter) {
      return nullptr;
    }
    if (component->causality == ast::Causality::kOutput) {
      CheckNumbers(*component);
    }
    return component->symbol ? component : nullptr;
  }

  Component& OutputNamed(const ast::ComponentReference& reference) {
    Component* const variable = FindVariable(reference);
    if (variable == nullptr || variable->causality != ast::Causality::kOutput) {
      lowering_.Fail(reference.span,
                     "'" + ast::ToString(reference) +
                         "' is no output of function " + node_.name);
    }
    return *variable;
  }

  void CheckNumbers(const Component& component) {
    if (!component.is_predefined() || !component.symbol) {
      Fail(
          "records and arrays of Strings that an external function gives "
          "are not supported yet: '" +
              component.path() + "'",
          "let it give the numbers in it, or Strings one by one");
    }
  }

  // The code ----------------------------------------------------------------

  void FindIt() {
    ForeignCode code{.function = foreign_.name,
                     .is_ours = IsBuiltIn(node_.external_scope->file.get()),
                     .libraries = TextsOf("Library"),
                     .library_folders = FoldersOf("LibraryDirectory"),
                     .include = {},
                     .include_folders = FoldersOf("IncludeDirectory"),
                     .home = {}};
    foreign_.is_apart = !code.is_ours;
    for (const std::string& text : TextsOf("Include")) {
      code.include += text + "\n";
    }
    if (is_fortran_) {
      std::ranges::transform(
          code.function, code.function.begin(), [](unsigned char c) {
            return static_cast<char>(std::tolower(c));
          });
      code.function += "_";
    }
    AddUsualFolders(code);
    for (auto* const folders : {&code.library_folders, &code.include_folders}) {
      MakeUnique(*folders);
    }
    try {
      foreign_.code = FindCode(code);
    } catch (const Error& error) {
      Fail(error.what());
    }
  }

  // Adds the folders beside the text, and the resources of its library.
  void AddUsualFolders(ForeignCode& code) const {
    const SourceFile* const file = node_.external_scope->file.get();
    if (file == nullptr) {
      return;
    }
    const std::filesystem::path beside =
        std::filesystem::absolute(file->name()).parent_path();
    std::filesystem::path top = beside;
    while (
        top.has_parent_path() &&
        session_.files.Contains((top.parent_path() / "package.mo").string())) {
      top = top.parent_path();
    }
    code.home = top.string();
    code.library_folders.push_back((top / "Resources" / "Library").string());
    code.library_folders.push_back(beside.string());
    code.include_folders.push_back((top / "Resources" / "Include").string());
    code.include_folders.push_back(beside.string());
  }

  // The value of an annotation: a String or an array of Strings.
  std::vector<std::string> TextsOf(std::string_view name) {
    std::vector<std::string> texts;
    const ast::Expression* const said = ValueIn(external_.annotation, name);
    if (said == nullptr) {
      return texts;
    }
    if (const auto* const several =
            std::get_if<ast::ArrayConstructor>(&said->node)) {
      for (const ast::Expression* const one : several->elements) {
        texts.push_back(LowerText(lowering_, *one));
      }
    } else {
      texts.push_back(LowerText(lowering_, *said));
    }
    return texts;
  }

  std::vector<std::string> FoldersOf(std::string_view name) {
    std::vector<std::string> folders = TextsOf(name);
    for (std::string& folder : folders) {
      folder = ResourceNamed(lowering_, std::move(folder), external_.span);
    }
    return folders;
  }

  // The body ----------------------------------------------------------------

  // Computes all results before any output changes, since outputs may be
  // arguments.
  void AddStatements() {
    ExprGraph& graph = session_.graph;
    const auto opaque = ToOpaque(std::move(foreign_));
    const Expr call = graph.Opaque(opaque, inputs_);
    std::vector<Expr> given;
    for (std::size_t k = 0; k < opaque->num_outputs; ++k) {
      given.push_back(graph.Output(call, k));
    }
    if (results_.empty()) {
      const Expr done = graph.Symbol(
          {.name = "done", .type = ValueType::kBoolean, .shape = {}});
      function_.outputs.push_back({.symbol = done, .initial = {}});
      Assign(done, AsType(given.front(), ValueType::kBoolean));
      return;
    }
    const Expr all =
        graph.Symbol({.name = "given",
                      .type = ValueType::kReal,
                      .shape = {static_cast<std::int64_t>(given.size())}});
    function_.locals.push_back({.symbol = all, .initial = {}});
    Assign(all, graph.MakeArray(given));
    std::int64_t next = 0;
    for (const Component* const result : results_) {
      const Shape& shape = result->symbol.shape();
      const std::vector<std::int64_t> order = Order(shape);
      std::vector<Expr> elements(order.size());
      for (const std::int64_t number : order) {
        elements[static_cast<std::size_t>(number)] =
            AsType(ElementOf(all, next++), result->symbol.type());
      }
      if (!elements.empty()) {
        Assign(result->symbol,
               StackElements(graph, std::move(elements), shape));
      }
    }
  }

  void Assign(Expr symbol, Expr value) {
    function_.body.push_back(
        {.step = Assignment{.target = symbol, .subscripts = {}, .value = value},
         .span = At(node_.external_scope, external_.span)});
  }

  Expr AsType(Expr real, ValueType type) {
    if (type == ValueType::kReal) {
      return real;
    }
    const Expr integer = session_.graph.Unary(Op::kFloor, real);
    // In C, every value but 0 is true.
    return type == ValueType::kBoolean
               ? session_.graph.Binary(
                     Op::kNotEqual, integer, IntegerOf(session_.graph, 0))
               : integer;
  }

  // The elements in the order of the language: in Fortran, the first subscript
  // changes fastest.
  [[nodiscard]] std::vector<std::int64_t> Order(const Shape& shape) const {
    const std::int64_t count = NumElements(shape);
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    if (!is_fortran_) {
      return order;
    }
    for (std::int64_t& number : order) {
      std::int64_t rest = std::exchange(number, 0);
      std::int64_t step = count;
      for (const std::int64_t extent : shape) {
        step /= extent;
        number += rest % extent * step;
        rest /= extent;
      }
    }
    return order;
  }

  Expr ElementOf(Expr array, std::int64_t number) {
    ExprGraph& graph = session_.graph;
    if (array.shape().empty()) {
      return AsReal(array);
    }
    std::vector<Expr> at;
    for (const std::int64_t subscript : SubscriptsOf(array.shape(), number)) {
      at.push_back(IntegerOf(graph, subscript));
    }
    return AsReal(graph.Index(array, at));
  }

  Expr AsReal(Expr scalar) {
    return scalar.type() == ValueType::kBoolean
               ? AsNumber(session_.graph, scalar)
               : scalar;
  }

  static Type TypeOf(Expr number, const ClassNode* enumeration = nullptr) {
    if (ClassTree::IsObject(enumeration)) {
      return Type::kObject;
    }
    return number.type() == ValueType::kReal ? Type::kReal : Type::kInteger;
  }

  // A String that the function gives comes as numbers.
  static bool IsText(const Component& component) {
    return component.type->built_in == BuiltIn::kString;
  }

  [[nodiscard]] Type SizeType() const {
    return is_fortran_ ? Type::kInteger : Type::kSize;
  }

  [[noreturn]] void Fail(std::string message, std::string hint = {}) {
    lowering_.Fail(external_.span, std::move(message), std::move(hint));
  }

  Session& session_;
  ClassNode& node_;
  const ast::External& external_;
  Instance& instance_;
  Function& function_;
  LoweringContext lowering_;
  bool is_fortran_ = false;
  ForeignFunction foreign_;
  std::vector<Expr> inputs_;
  std::vector<Component*> results_;  // In the order of the outputs.
};

}  // namespace

void LowerExternal(Session& session,
                   ClassNode& node,
                   Instance& instance,
                   Function& function) {
  ExternalCall(session, node, instance, function).Write();
}

}  // namespace orrery::modelica::internal
