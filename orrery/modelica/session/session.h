#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "orrery/base/files/file_set.h"
#include "orrery/base/text/shared_text.h"
#include "orrery/model/flat_model.h"
#include "orrery/modelica/classes/class_tree.h"
#include "orrery/modelica/session/clocks.h"
#include "orrery/modelica/session/connection_graph.h"
#include "orrery/modelica/session/events.h"
#include "orrery/modelica/session/settings.h"
#include "orrery/modelica/session/streams.h"
#include "orrery/modelica/session/texts.h"
#include "orrery/modelica/session/value.h"

namespace orrery {
struct Function;
}

namespace orrery::modelica::internal {

struct Component;

/// Ends the work on one equation, binding or declaration whose error has been
/// reported. Caught where the next one begins; never leaves the module.
struct Abandoned {};

/// Ends the lowering of a loop's body that needs known values of the iterator:
/// the loop is then unrolled. Never leaves the module.
struct NeedsUnrolling {};

/// Ends the lowering of a statement with a slice whose size only the run knows:
/// the statement is then lowered for each size. Never leaves the module.
struct NeedsSize {
  Expr size;              ///< 0 or less for an empty slice.
  std::int64_t most = 0;  ///< The largest possible size.
};

/// An assumed value of such a size, while a statement is lowered for it.
struct SizeInRun {
  Expr size;
  std::int64_t value = 0;
};

/// Ends the lowering of a formula that selects a nonexistent element in a loop
/// without passes. Never leaves the module.
struct NeverReached {};

/// Ends the lowering of a function's body that needs the value of an argument.
struct NeedsArgument {
  Expr symbol;
  bool may_vary = false;        ///< The body can do without the value.
  bool ends_recursion = false;  ///< Perhaps; loops around are unrolled.
};

/// The scope and the instance in which an expression is evaluated.
struct Context {
  Instance* instance = nullptr;
  Scope* scope = nullptr;
};

/// A function and its surroundings at the call: the instance whose components
/// the defaults of its inputs may name, as in `function g = f(k = k)`. Null if
/// there is none, as around functions.
struct Callee {
  ClassNode* node = nullptr;
  Instance* around = nullptr;
  /// For a function that is an argument: it has values of its own inputs.
  std::shared_ptr<const FunctionValue> argument;
};

/// The properties of a function argument that select a specialisation.
struct FunctionKey {
  const ClassNode* node = nullptr;
  const Instance* around = nullptr;
  std::vector<std::string_view> given;  ///< The names of its inputs.

  friend bool operator==(const FunctionKey&, const FunctionKey&) = default;
};

/// The number of an argument and its value, row-major.
using KnownArgument = std::pair<std::size_t, std::vector<double>>;

/// A modification of an element, from outside or in its declaration: a value,
/// modifiers of its own elements, a redeclaration.
struct Modifier {
  const ast::Expression* value = nullptr;
  Context context;  ///< The value's.
  ast::Span span;   ///< The argument's.
  bool is_each = false;
  bool is_final = false;
  bool is_break = false;  ///< `= break`: removes the value.
  /// Selects an element of the value: one group of subscripts for each array of
  /// components over which the modifier was distributed.
  std::vector<std::int64_t> at;
  std::vector<std::pair<std::string_view, const Modifier*>> parts;
  const ast::Argument* redeclaration = nullptr;
  Context redeclared_in;
  /// Modifications from the constraining types of redeclarations; they hold for
  /// every redeclaration. Null if there are none.
  const Modifier* kept = nullptr;
  /// The redeclarations that `redeclaration` replaces, the last one first.
  std::vector<const Modifier*> replaced;

  [[nodiscard]] const Modifier* Find(std::string_view name) const;
};

/// Components that an instance has beside those of its class, in the order in
/// which they were added: from connections of an expandable connector, from
/// `inner outer` declarations, and inner ones added at the top.
class AddedComponents {
 public:
  /// Adds a component. It is found by the member's name unless an earlier one
  /// is.
  Component& Add(Member* member);

  /// The component named so; null if there is none.
  [[nodiscard]] Component* Find(std::string_view name) const;

  [[nodiscard]] auto begin() noexcept { return list_.begin(); }

  [[nodiscard]] auto end() noexcept { return list_.end(); }

  [[nodiscard]] auto begin() const noexcept { return list_.begin(); }

  [[nodiscard]] auto end() const noexcept { return list_.end(); }

 private:
  std::list<Component> list_;
  std::unordered_map<std::string_view, Component*> named_;
};

/// The elements of one class at one place of the model.
struct Instance {
  ClassNode* type = nullptr;
  Instance* parent = nullptr;      ///< Null for the model and for packages.
  Component* component = nullptr;  ///< Contains this instance.
  std::vector<std::int64_t> at;    ///< The subscripts of the element.
  SharedText path;                 ///< Dotted; empty at the top.
  std::size_t depth = 0;
  bool holds_constants = false;        ///< A package: only its constants exist.
  bool is_function = false;            ///< Its variables are a function's.
  std::vector<const Modifier*> parts;  ///< The modifier of each class part.
  std::vector<Component> components;  ///< By member; empty entries for classes.
  AddedComponents added;

  /// The component named so; null if there is none.
  Component* Find(std::string_view name);
};

/// A declared component in one instance.
struct Component {
  Member* member = nullptr;  ///< Null in the entry of a class.
  Instance* owner = nullptr;
  const Modifier* modifier = nullptr;

  enum class State : std::uint8_t { kNew, kBusy, kDone, kFailed };
  State state = State::kNew;
  bool is_absent = false;      ///< Its condition is false.
  Component* inner = nullptr;  ///< The inner component of an outer one.
  Component* own = nullptr;    ///< If `inner outer`: what its parts see.
  bool is_own = false;         ///< It was added as an inner component.

  ClassNode* type = nullptr;
  Shape shape;  ///< For predefined types: the symbol's shape.
  /// The index type of each dimension: Boolean or an enumeration, null for
  /// numbers; none if the size is declared ':'.
  std::vector<std::optional<const ClassNode*>> index_types;
  Variability variability = Variability::kContinuous;
  ast::Causality causality = ast::Causality::kNone;
  bool is_flow = false;
  bool is_stream = false;
  bool is_protected = false;
  bool is_structural = false;
  /// A parameter whose value is inserted wherever it is used: it has
  /// `Evaluate = true`, or is final and depends only on such parameters.
  bool is_evaluated = false;
  bool is_final = false;
  bool is_varied = false;  ///< Runs give what its value was made of others.
  bool is_of_run = false;  ///< An input of a function that a call varies.
  /// A function's variable that always has its declared value: no statement
  /// assigns it.
  bool keeps_value = false;

  Expr symbol;                      ///< For predefined types except String.
  std::vector<Instance*> elements;  ///< For other types, row-major.
  std::size_t variable = 0;         ///< Its number in the flat model.

  State binding_state = State::kNew;
  Value binding;            ///< Empty if there is none.
  bool loses_unit = false;  ///< The binding, of a constant that is a number.
  State value_state = State::kNew;
  std::vector<double> value;  ///< A parameter's or constant's, once needed.

  [[nodiscard]] std::string path() const;

  [[nodiscard]] bool is_predefined() const noexcept {
    return type != nullptr && type->built_in != BuiltIn::kNone;
  }
};

/// The number of connect-equations of a class that name each connector;
/// connectors of predefined types go by the ids of their formulas.
struct ConnectionCounts {
  bool is_counting = true;  ///< Counting is under way.
  std::unordered_map<const Instance*, std::int64_t> of_instances;
  std::unordered_map<std::uint32_t, std::int64_t> of_signals;
};

/// Limits of a model; exceeding one is an error.
inline constexpr std::size_t kMaxDepth = 200;
inline constexpr std::size_t kMaxInstances = 1'000'000;
inline constexpr std::int64_t kMaxArraySize = 100'000'000;
inline constexpr std::int64_t kMaxUnrolled = 10'000'000;

/// Everything that one flattening shares.
struct Session {
  Session(const std::vector<const ast::StoredDefinition*>& definitions,
          FlatModel& flat_model,
          std::span<const Setting> set,
          FileSet file_set,
          Diagnostics& findings)
      : diagnostics(findings),
        flat(flat_model),
        settings(set),
        files(std::move(file_set)),
        graph(*flat_model.graph),
        tree(definitions,
             definitions.empty() ? LibraryFolders()
                                 : LibraryFolders(*definitions.front(), files),
             findings) {}

  Diagnostics& diagnostics;
  FlatModel& flat;
  SettingTable settings;
  FileSet files;  ///< Sources of tables.
  ExprGraph& graph;
  ClassTree tree;
  std::deque<Instance> instances;
  std::deque<Modifier> modifiers;
  TextNumbers text_numbers;
  /// For instances around connectors whose cardinality was used.
  std::unordered_map<const Instance*, ConnectionCounts> connection_counts;
  std::unordered_map<std::uint32_t, Component*> component_of;  // By symbol id.
  /// Variables made up for derivatives, by the id of the differentiated symbol.
  std::unordered_map<std::uint32_t, Expr> rates;
  /// Whole values of modifiers that arrays of components share.
  std::map<std::pair<const ast::Expression*, const Instance*>, Value> shared;

  struct Lowered {
    std::vector<double> key;             ///< The shapes of the arguments.
    std::vector<std::string> texts;      ///< Keys of String arguments.
    std::vector<FunctionKey> functions;  ///< Function arguments.
    std::vector<KnownArgument> needed;   ///< Values that decide sizes.
    std::shared_ptr<const Function> function;
    Instance* instance = nullptr;
  };

  std::unordered_map<const ClassNode*, std::vector<Lowered>> functions;

  /// A function that is being lowered, for one set of arguments.
  struct OpenFunction {
    const ClassNode* node = nullptr;
    const std::vector<double>* shapes = nullptr;  ///< See Lowered::key.
    const std::vector<FunctionKey>* functions = nullptr;
    const std::vector<Component*>* inputs = nullptr;  ///< Their leaves.
  };

  std::vector<OpenFunction> open_functions;  ///< The innermost last.
  /// True while the declarations of a function, not its statements, are
  /// lowered: its variables still have their declared values.
  bool declares_function = false;
  std::shared_ptr<const Function> to_integer;  ///< For integer(x).
  std::int64_t unrolled = 0;                   ///< Unrolled passes of loops.
  std::size_t num_evaluated = 0;  ///< Reads of evaluated parameters.
  /// Reads, as numbers, of parameters that runs give other values.
  std::size_t num_varied_read = 0;
  /// Reads of constants that have a unit. These become numbers.
  std::size_t num_units_lost = 0;
  std::unordered_map<const Component*, std::string> units_of_constants;
  /// Constants of packages that the flat model lists for their units.
  std::unordered_set<const Component*> listed_constants;
  bool is_full = false;  ///< A limit was exceeded and reported.
  EventTable events{*this};
  ClockTable clocks{*this};
  ConnectionGraph connection_graph;
  StreamConnections streams{*this};

  std::set<std::tuple<const SourceFile*, std::uint32_t, std::string>> reported;
  /// Set parameters whose values shaped the equations.
  std::set<std::string> shaping;
  /// The reason why the last requested parameter has no known value; may be
  /// empty.
  std::string unknown_because;

  /// Reports an error and ends the work on the current item.
  [[noreturn]] void Fail(const SourceSpan& where,
                         std::string message,
                         std::string hint = {}) {
    // Report an error in a class once, however many instances it has.
    if (reported.emplace(where.file.get(), where.begin, message).second) {
      diagnostics.Error(where, std::move(message), std::move(hint));
    }
    throw Abandoned{};
  }

  /// The same for an error in values given to the instance of `context`,
  /// reported for each instance.
  [[noreturn]] void FailOf(const Context& context,
                           const ast::Span& span,
                           const std::string& message,
                           std::string hint = {}) {
    const SourceSpan where = At(context.scope, span);
    const std::string path =
        context.instance == nullptr ? "" : context.instance->path.str();
    if (reported.emplace(where.file.get(), where.begin, path + message)
            .second) {
      Diagnostic found =
          MakeDiagnostic(Severity::kError, where, message, std::move(hint));
      found.path = path;
      diagnostics.Add(std::move(found));
    }
    throw Abandoned{};
  }

  [[noreturn]] void Fail(const Scope* scope,
                         const ast::Span& span,
                         std::string message,
                         std::string hint = {}) {
    Fail(At(scope, span), std::move(message), std::move(hint));
  }
};

// Modifiers.

/// Reports names in a component's modifier that its class lacks or protects
/// (specification 3.6, section 4.1).
void CheckNames(Session& session, ClassNode& node, const Modifier& modifier);

const Modifier* BuildModifier(Session& session,
                              const ast::ClassModification* arguments,
                              const Context& context);
const Modifier* BuildModifier(Session& session,
                              const ast::Modification* modification,
                              const Context& context);

/// The union of both modifiers; `outer` wins conflicts. Either may be null.
const Modifier* Merge(Session& session,
                      const Modifier* outer,
                      const Modifier* inner);

/// Merges into `modifier`, of an instance in `around`, the modifications of its
/// class from there, as of B in `A a(B(x = 1))`.
const Modifier* MergeClassModifiers(Session& session,
                                    const Modifier* modifier,
                                    const ClassNode& type,
                                    const Instance* around);

/// The modifier for every element of an array: with 'each' on its parts.
const Modifier* ForEach(Session& session, const Modifier& modifier);

/// The part of a modifier of an array that element `at` gets.
const Modifier* Distribute(Session& session,
                           const Modifier* modifier,
                           const std::vector<std::int64_t>& at);

// Instances.

/// An instance whose components are known but not yet elaborated.
Instance* NewInstance(Session& session,
                      ClassNode* type,
                      Instance* parent,
                      std::string path,
                      const Modifier* modifier);

/// The instance that holds a package's constants.
Instance* ConstantsOf(Session& session, ClassNode* node);

/// Finds type, size and parts of a component. False if it failed (reported).
bool Elaborate(Session& session, Component& component);

/// Makes a component whose type, shape and modifier are known: its symbol, or
/// its elements. Throws Abandoned.
void MakeContents(Session& session, Component& component);

/// For an absent component: the reason, and a remedy.
[[nodiscard]] std::string WhyAbsent(const Component& component);
[[nodiscard]] std::string HowToHave(const Component& component);

/// True if connections may add components to a class.
[[nodiscard]] bool IsExpandable(const ClassNode& type);

/// Adds the inner classes in `around` for the outer classes of `type`.
/// @param user for the report of one that has no inner class: "'b', whose class
///     B", which is at `where`. Throws Abandoned.
void AddInnerClasses(Session& session,
                     const ClassNode& type,
                     const Instance* around,
                     const SourceSpan& where,
                     const std::string& user,
                     std::vector<Redeclaration>& redeclarations);

/// The inner component of an outer one; else the component itself.
Component& Target(Component& component);

/// The value that a modifier gives to its element of an array of components.
/// Throws Abandoned.
Value ModifierValue(Session& session, const Modifier& modifier);

/// The value given to a component, of its type and shape; empty if there is
/// none. Throws Abandoned.
const Value& BindingOf(Session& session, Component& given);

/// The value of a constant. Throws Abandoned.
Value ConstantValue(Session& session,
                    Component& component,
                    const Context& user,
                    const ast::Span& span);

/// The subscripts of element `flat` of an array of `shape`, from 1.
[[nodiscard]] std::vector<std::int64_t> SubscriptsOf(const Shape& shape,
                                                     std::int64_t flat);

/// The number of elements; none if it exceeds `limit`.
[[nodiscard]] std::optional<std::int64_t> CountElements(const Shape& shape,
                                                        std::int64_t limit);

/// The numbers of a formula over constants and parameters, row-major. The
/// parameters become structural. Reports `why` the value is needed and throws
/// Abandoned if the formula depends on more.
std::vector<double> Evaluate(Session& session,
                             Expr expr,
                             const Context& context,
                             const ast::Span& span,
                             std::string_view why);

/// True if a formula's value depends on parameters that runs give other values.
bool DependsOnVaried(Session& session, Expr expr);

/// Like Evaluate(), but without a report: none if it cannot be evaluated.
std::optional<std::vector<double>> TryEvaluate(Session& session, Expr expr);

}  // namespace orrery::modelica::internal
