#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/files/file_set.h"
#include "orrery/base/source_file.h"
#include "orrery/base/values/setting.h"
#include "orrery/model/flat_model.h"
#include "orrery/modelica/classes/class_tree.h"
#include "orrery/modelica/library_texts/library_folders.h"
#include "orrery/modelica/session/clocks.h"
#include "orrery/modelica/session/connection_graph.h"
#include "orrery/modelica/session/events.h"
#include "orrery/modelica/session/instances.h"
#include "orrery/modelica/session/settings.h"
#include "orrery/modelica/session/state_machines.h"
#include "orrery/modelica/session/streams.h"
#include "orrery/modelica/session/texts.h"
#include "orrery/modelica/session/value.h"
#include "orrery/symbolic/graph.h"
#include "orrery/syntax/ast.h"
#include "orrery/syntax/class_ast.h"

namespace orrery {

struct Function;

}

namespace orrery::modelica::internal {

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

/// Ends the lowering of a function's statement that selects an element of an
/// array without elements: it may never be reached with arguments of this size.
struct SelectsOfNothing {
  SourceSpan span;
  std::string message;
};

/// Ends the lowering of a function's body that needs the value of an argument.
struct NeedsArgument {
  Expr symbol;
  bool may_vary = false;        ///< The body can do without the value.
  bool ends_recursion = false;  ///< Perhaps; loops around are unrolled.
};

/// Ends the lowering of functions that call each other down to the outermost:
/// they are to call each other in the run.
struct NeedsRecursionInRun {
  std::size_t outermost = 0;  ///< Its number in `Session::open_functions`.
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
        settings(set, flat_model.element_names),
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
    bool is_open = false;   ///< Its statements are not lowered yet.
    std::size_t order = 0;  ///< Later ones have greater numbers.
  };

  std::unordered_map<const ClassNode*, std::vector<Lowered>> functions;

  std::size_t num_lowered = 0;

  /// A function that is being lowered, for one set of arguments.
  struct OpenFunction {
    const ClassNode* node = nullptr;
    const std::vector<double>* shapes = nullptr;  ///< See Lowered::key.
    const std::vector<FunctionKey>* functions = nullptr;
    const std::vector<std::string>* texts = nullptr;  ///< See Lowered::texts.
    const std::vector<Component*>* inputs = nullptr;  ///< Their leaves.
    /// The function that it calls as itself; empty while it is declared.
    const Lowered* itself = nullptr;
  };

  std::vector<OpenFunction> open_functions;  ///< The innermost last.
  /// Functions that call themselves in the run: nothing known ends that.
  std::unordered_set<const ClassNode*> recursive_in_run;
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
  /// Shared by the variables of each type, see `EnumerationOf`.
  std::unordered_map<const ClassNode*, std::shared_ptr<const Enumeration>>
      enumerations;
  /// Constants of packages that the flat model lists for their units.
  std::unordered_set<const Component*> listed_constants;
  bool is_full = false;  ///< A limit was exceeded and reported.
  EventTable events{*this};
  ClockTable clocks{*this};
  StateMachineTable machines;
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

}  // namespace orrery::modelica::internal
