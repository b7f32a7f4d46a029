#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/base/text/shared_text.h"
#include "orrery/model/flat_model.h"
#include "orrery/modelica/classes/class_tree.h"
#include "orrery/modelica/session/value.h"
#include "orrery/symbolic/graph.h"
#include "orrery/syntax/ast.h"

namespace orrery::modelica::internal {

struct Component;
struct Session;

/// The scope and the instance in which an expression is evaluated.
struct Context {
  Instance* instance = nullptr;
  Scope* scope = nullptr;
};

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
  std::vector<std::int64_t> sizes;  ///< Of these arrays, as many as `at` has.
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
/// class from there, as of B in `A a(B(x = 1))`, and those of the package that
/// inherits the class, as of B in `package P = Q(B(x = 1))` (specification 3.6,
/// section 7.2).
const Modifier* MergeClassModifiers(Session& session,
                                    const Modifier* modifier,
                                    const ClassNode& type,
                                    Instance* around);

/// The modifier for every element of an array: with 'each' on its parts.
const Modifier* ForEach(Session& session, const Modifier& modifier);

/// The part of a modifier of an array of that shape that element `at` gets.
const Modifier* Distribute(Session& session,
                           const Modifier* modifier,
                           const Shape& shape,
                           const std::vector<std::int64_t>& at);

/// An instance whose components are known but not yet elaborated.
Instance* NewInstance(Session& session,
                      ClassNode* type,
                      Instance* parent,
                      std::string path,
                      const Modifier* modifier);

/// The instance that holds a package's constants.
Instance* ConstantsOf(Session& session, ClassNode* node);

/// The enumeration `type`, for users.
[[nodiscard]] std::shared_ptr<const Enumeration> EnumerationOf(
    Session& session, const ClassNode& type);

/// The inner component of an outer one; else the component itself.
Component& Target(Component& component);

/// The subscripts of element `flat` of an array of `shape`, from 1.
[[nodiscard]] std::vector<std::int64_t> SubscriptsOf(const Shape& shape,
                                                     std::int64_t flat);

/// The number of elements; none if it exceeds `limit`.
[[nodiscard]] std::optional<std::int64_t> CountElements(const Shape& shape,
                                                        std::int64_t limit);

}  // namespace orrery::modelica::internal
