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

#include "orrery/base/file_set.h"
#include "orrery/base/shared_text.h"
#include "orrery/model/flat_model.h"
#include "orrery/modelica/internal/class_tree.h"
#include "orrery/modelica/internal/clocks.h"
#include "orrery/modelica/internal/connection_graph.h"
#include "orrery/modelica/internal/events.h"
#include "orrery/modelica/internal/settings.h"
#include "orrery/modelica/internal/streams.h"
#include "orrery/modelica/internal/texts.h"
#include "orrery/modelica/internal/value.h"

namespace orrery {
struct Function;
}

namespace orrery::modelica::internal {

struct Component;

/// Ends the work on one equation, binding or declaration whose error has been
/// reported. Caught where the next one begins; never leaves the module.
struct Abandoned {};

/// Ends the lowering of a loop's body that must be known for each value of an
/// iterator by itself: the loop is then written out. Never leaves the module.
struct NeedsUnrolling {};

/// Ends the lowering of a statement with a slice whose size only the run knows:
/// it is lowered for each size by itself. Never leaves the module.
struct NeedsSize {
  Expr size;              ///< No more than 0 of an empty slice.
  std::int64_t most = 0;  ///< Elements that there are to be picked.
};

/// What such a size is, where a statement is lowered for it.
struct SizeInRun {
  Expr size;
  std::int64_t value = 0;
};

/// What is in scope of a lowering, to go back to after NeedsUnrolling.
struct LoweringMark {
  std::size_t locals = 0;
  std::size_t ends = 0;
  std::size_t iterators = 0;
  bool fixes_parameters = false;
};

/// Values for a function's inputs. Those with more dimensions than their input
/// stand for a call of each element.
struct CallArguments {
  std::vector<Value> values;
  std::vector<bool> is_vectorized;
  Shape vectorized;  ///< The additional dimensions; empty if there are none.
};

/// The elements of an array of components that subscripts select.
struct SelectedElements {
  std::vector<Instance*> instances;
  Shape shape;
};

/// What `assert` and `terminate` are given.
struct Check {
  Expr condition;  ///< Empty for `terminate`.
  /// By the values that the model gives, if they decide. Where they do for
  /// good, and it holds, there is no message.
  std::optional<bool> holds;
  Message message;
  bool is_warning = false;
};

/// Ends the lowering of a formula that picks an element that does not exist, in
/// a loop that is never gone through. Never leaves the module.
struct NeverReached {};

/// Ends the lowering of a function's body that needs the value of an argument.
struct NeedsArgument {
  Expr symbol;
  bool may_vary = false;        ///< The body can do without, in another way.
  bool ends_recursion = false;  ///< Perhaps: loops around are written out.
};

/// Where an expression is written, and of which instance it speaks.
struct Context {
  Instance* instance = nullptr;
  Scope* scope = nullptr;
};

/// A function and what is around it where it is called: the instance whose
/// components the defaults of its inputs may name, as in
/// `function g = f(k = k)`. Null if there is none, as around functions.
struct Callee {
  ClassNode* node = nullptr;
  Instance* around = nullptr;
  /// Of a function that is an argument: it brings inputs of its own.
  std::shared_ptr<const FunctionValue> argument;
};

/// What of a function as an argument decides what is made of it.
struct FunctionKey {
  const ClassNode* node = nullptr;
  const Instance* around = nullptr;
  std::vector<std::string_view> given;  ///< The names of its inputs.

  friend bool operator==(const FunctionKey&, const FunctionKey&) = default;
};

/// The number of an argument and its value, row-major.
using KnownArgument = std::pair<std::size_t, std::vector<double>>;

/// What is said about an element from outside or in its declaration: a value,
/// modifiers of its own elements, a redeclaration.
struct Modifier {
  const ast::Expression* value = nullptr;
  Context context;  ///< Of the value.
  ast::Span span;   ///< Of the argument.
  bool is_each = false;
  bool is_final = false;
  bool is_break = false;  ///< `= break`: takes the value away.
  /// Which element of the value is meant: one group of subscripts for each
  /// array of components that the modifier was distributed over.
  std::vector<std::int64_t> at;
  std::vector<std::pair<std::string_view, const Modifier*>> parts;
  const ast::Argument* redeclaration = nullptr;
  Context redeclared_in;
  /// What holds whatever it is redeclared as: of the constraining types of
  /// redeclarations. Null if none has one.
  const Modifier* kept = nullptr;
  /// The redeclarations that `redeclaration` replaces, the last one first.
  std::vector<const Modifier*> replaced;

  [[nodiscard]] const Modifier* Find(std::string_view name) const;
};

/// The elements of one class as they are in one place of the model.
struct Instance {
  ClassNode* type = nullptr;
  Instance* parent = nullptr;      ///< Null for the model and for packages.
  Component* component = nullptr;  ///< Whose value or element it is.
  std::vector<std::int64_t> at;    ///< Which element.
  SharedText path;                 ///< Dotted; empty at the top.
  std::size_t depth = 0;
  bool holds_constants = false;  ///< A package: only its constants exist.
  bool is_function = false;      ///< Of a call: variables are the function's.
  std::vector<const Modifier*> parts;  ///< The modifier of each class part.
  std::vector<Component> components;   ///< By member; classes have none.
  /// What connections give an expandable connector beside what it declares, and
  /// what components that are `inner outer` are for what is inside.
  std::list<Component> added;

  /// The component named so; null if there is none.
  Component* Find(std::string_view name);
};

/// A declared component in one instance.
struct Component {
  Member* member = nullptr;  ///< Null stands for a class: not a component.
  Instance* owner = nullptr;
  const Modifier* modifier = nullptr;

  enum class State : std::uint8_t { kNew, kBusy, kDone, kFailed };
  State state = State::kNew;
  bool is_absent = false;      ///< Its condition is false.
  Component* inner = nullptr;  ///< What an outer component stands for.
  Component* own = nullptr;    ///< What it is for what is inside.
  bool is_own = false;         ///< It is that of another one.

  ClassNode* type = nullptr;
  Shape shape;  ///< Of a predefined type: of the symbol.
  /// By what each dimension is indexed: Boolean or an enumeration, null for
  /// numbers; none where the size is declared ':'.
  std::vector<std::optional<const ClassNode*>> index_types;
  Variability variability = Variability::kContinuous;
  ast::Causality causality = ast::Causality::kNone;
  bool is_flow = false;
  bool is_stream = false;
  bool is_protected = false;
  bool is_structural = false;
  /// A parameter whose value shapes equations wherever it stands: it is said
  /// `Evaluate = true` of it, or of all that its final value consists of.
  bool is_evaluated = false;
  bool is_final = false;
  bool is_varied = false;  ///< Runs give what its value was made of others.
  bool is_of_run = false;  ///< An input of a function that a call varies.
  /// A function's, which has the value of its declaration: no statement assigns
  /// to it.
  bool keeps_value = false;

  Expr symbol;                      ///< Of a predefined type, except String.
  std::vector<Instance*> elements;  ///< Of other types, row-major.
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

/// How often a class's connect-equations name each connector; those of
/// predefined types by the ids of their formulas.
struct ConnectionCounts {
  bool is_counting = true;  ///< Not yet known.
  std::unordered_map<const Instance*, std::int64_t> of_instances;
  std::unordered_map<std::uint32_t, std::int64_t> of_signals;
};

/// Bounds on what a model may ask for; beyond them is an error.
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
  FileSet files;  ///< Where tables come from.
  ExprGraph& graph;
  ClassTree tree;
  std::deque<Instance> instances;
  std::deque<Modifier> modifiers;
  TextNumbers text_numbers;
  /// Of the instances around connectors whose cardinality was asked for.
  std::unordered_map<const Instance*, ConnectionCounts> connection_counts;
  std::unordered_map<std::uint32_t, Component*> component_of;  // By symbol id.
  /// Variables that were made up for derivatives of others, whose symbols' ids
  /// are the keys.
  std::unordered_map<std::uint32_t, Expr> rates;
  /// Whole values of modifiers that arrays of components share.
  std::map<std::pair<const ast::Expression*, const Instance*>, Value> shared;

  struct Lowered {
    std::vector<double> key;             ///< The shapes of the arguments.
    std::vector<std::string> texts;      ///< Those that are Strings.
    std::vector<FunctionKey> functions;  ///< Those that are functions.
    std::vector<KnownArgument> needed;   ///< Those whose values decide sizes.
    std::shared_ptr<const Function> function;
    Instance* instance = nullptr;
  };

  std::unordered_map<const ClassNode*, std::vector<Lowered>> functions;

  /// A function that is being lowered, for one set of arguments.
  struct OpenFunction {
    const ClassNode* node = nullptr;
    const std::vector<double>* shapes = nullptr;  ///< As in Lowered::key.
    const std::vector<FunctionKey>* functions = nullptr;
    const std::vector<Component*>* inputs = nullptr;  ///< Their leaves.
  };

  std::vector<OpenFunction> open_functions;  ///< The innermost last.
  /// Whether a function's declarations are lowered, not its statements: its
  /// variables still have the values they are declared with.
  bool declares_function = false;
  std::shared_ptr<const Function> to_integer;  ///< Of integer(x).
  std::int64_t unrolled = 0;                   ///< Passes of loops written out.
  std::size_t num_evaluated = 0;  ///< Readings of evaluated parameters.
  /// Readings, as numbers, of parameters that runs give other values.
  std::size_t num_varied_read = 0;
  /// Readings of constants that have a unit, which become numbers.
  std::size_t num_units_lost = 0;
  std::unordered_map<const Component*, std::string> units_of_constants;
  /// Constants of packages that the flat model lists for their units.
  std::unordered_set<const Component*> listed_constants;
  bool is_full = false;  ///< A bound on components was met and reported.
  EventTable events{*this};
  ClockTable clocks{*this};
  ConnectionGraph connection_graph;
  StreamConnections streams{*this};

  std::set<std::tuple<const SourceFile*, std::uint32_t, std::string>> reported;
  /// Parameters that are set, and whose values shaped the equations.
  std::set<std::string> shaping;
  /// Why the parameter last asked for has no known value; may be empty.
  std::string unknown_because;

  /// Reports an error and ends the work on the current item.
  [[noreturn]] void Fail(const SourceSpan& where,
                         std::string message,
                         std::string hint = {}) {
    // An error in a class is one error, however many instances it has.
    if (reported.emplace(where.file.get(), where.begin, message).second) {
      diagnostics.Error(where, std::move(message), std::move(hint));
    }
    throw Abandoned{};
  }

  /// Likewise of what the instance of `context` was given: others of its class
  /// may be right.
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

/// Reports what the modifier of a component names that its class does not have,
/// or hides (specification 3.6, section 4.1).
void CheckNames(Session& session, ClassNode& node, const Modifier& modifier);

const Modifier* BuildModifier(Session& session,
                              const ast::ClassModification* arguments,
                              const Context& context);
const Modifier* BuildModifier(Session& session,
                              const ast::Modification* modification,
                              const Context& context);

/// What both say, `outer` where they disagree. Either may be null.
const Modifier* Merge(Session& session,
                      const Modifier* outer,
                      const Modifier* inner);

/// `modifier` of an instance in `around`, with what modifications of its class
/// there say, as of B in `A a(B(x = 1))`.
const Modifier* MergeClassModifiers(Session& session,
                                    const Modifier* modifier,
                                    const ClassNode& type,
                                    const Instance* around);

/// `modifier` as it is for every element of arrays: with its parts said 'each'.
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

/// Of a component that does not exist: why, and what would change that.
[[nodiscard]] std::string WhyAbsent(const Component& component);
[[nodiscard]] std::string HowToHave(const Component& component);

/// Whether connections may add components to those of this class.
[[nodiscard]] bool IsExpandable(const ClassNode& type);

/// Adds what the outer classes of `type` stand for in `around`.
/// @param user for the report of one that has no inner class: "'b', whose class
///     B", which is at `where`. Throws Abandoned.
void AddInnerClasses(Session& session,
                     const ClassNode& type,
                     const Instance* around,
                     const SourceSpan& where,
                     const std::string& user,
                     std::vector<Redeclaration>& redeclarations);

/// What an outer component stands for; itself if it is none.
Component& Target(Component& component);

/// The value that a modifier gives, for its element of an array of components.
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

/// The numbers that a formula over constants and parameters has, which then
/// are structural. Reports `why` it is needed and throws Abandoned if it
/// depends on more. Row-major.
std::vector<double> Evaluate(Session& session,
                             Expr expr,
                             const Context& context,
                             const ast::Span& span,
                             std::string_view why);

/// Whether parameters that runs give other values decide a formula's value.
bool DependsOnVaried(Session& session, Expr expr);

/// As Evaluate(), but without a report: none if it cannot be evaluated.
std::optional<std::vector<double>> TryEvaluate(Session& session, Expr expr);

}  // namespace orrery::modelica::internal
