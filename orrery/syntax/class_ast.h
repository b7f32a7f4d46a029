#pragma once

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <variant>

#include "orrery/base/source_file.h"
#include "orrery/syntax/ast.h"

/// The declarative half of the syntax tree: classes and their elements.
namespace orrery::modelica::ast {

enum class ClassKind : std::uint8_t {
  kClass,
  kModel,
  kRecord,
  kBlock,
  kConnector,
  kType,
  kPackage,
  kFunction,
  kOperator,
};

enum class Purity : std::uint8_t { kUnspecified, kPure, kImpure };

struct ClassPrefixes {
  bool is_encapsulated = false;
  bool is_partial = false;
  bool is_operator = false;    ///< Records and functions only.
  bool is_expandable = false;  ///< Connectors only.
  Purity purity = Purity::kUnspecified;
  ClassKind kind = ClassKind::kClass;
};

enum class FlowPrefix : std::uint8_t { kNone, kFlow, kStream };

enum class Variability : std::uint8_t {
  kUnspecified,
  kDiscrete,
  kParameter,
  kConstant,
};

enum class Causality : std::uint8_t { kNone, kInput, kOutput };

struct TypePrefix {
  FlowPrefix flow = FlowPrefix::kNone;
  Variability variability = Variability::kUnspecified;
  Causality causality = Causality::kNone;
};

/// One name of a component clause.
struct ComponentDeclaration {
  Span span;
  Identifier name;
  Expressions subscripts;                      ///< After the name.
  const Modification* modification = nullptr;  ///< May be null.
  const Expression* condition = nullptr;       ///< `if`; may be null.
  Description description;
};

/// `parameter Real[3] a = 1, b[2] "second"`.
struct ComponentClause {
  Span span;
  TypePrefix prefix;
  Name type;
  Expressions subscripts;  ///< After the type: the first dimensions of all.
  List<ComponentDeclaration> components;
};

enum class ImportKind : std::uint8_t {
  kQualified,    ///< `import A.B;`
  kRenamed,      ///< `import D = A.B;`
  kUnqualified,  ///< `import A.B.*;`
  kList,         ///< `import A.B.{C, D};`
};

struct Import {
  ImportKind kind = ImportKind::kQualified;
  Name name;
  Identifier alias;        ///< For kRenamed.
  List<Identifier> names;  ///< For kList.
  Description description;
};

/// `extends Base(modifications)`; here arguments may be breaks.
struct Extends {
  Name base;
  const ClassModification* modification = nullptr;  ///< May be null.
  const ClassModification* annotation = nullptr;    ///< May be null.
};

enum class Visibility : std::uint8_t { kPublic, kProtected };

struct Element {
  Span span;
  Visibility visibility = Visibility::kPublic;
  bool is_redeclare = false;
  bool is_final = false;
  bool is_inner = false;
  bool is_outer = false;
  bool is_replaceable = false;
  std::variant<const Import*,
               const Extends*,
               const ClassDefinition*,
               const ComponentClause*>
      node;
  const ConstrainingClause* constraint = nullptr;  ///< May be null.
};

/// Elements behind one `public` or `protected`, or at a class's beginning.
struct ElementSection {
  Visibility visibility = Visibility::kPublic;
  bool has_keyword = false;
  List<Element> elements;  ///< A part of the class's elements.
};

struct EquationSection {
  bool is_initial = false;
  List<Equation> equations;
};

struct AlgorithmSection {
  bool is_initial = false;
  List<Statement> statements;
};

struct Section {
  Span span;
  std::variant<ElementSection, EquationSection, AlgorithmSection> node;
};

/// `external "C" y = f(x) annotation(...)`.
struct External {
  Span span;
  std::optional<StringLiteral> language;
  std::optional<ComponentReference> result;
  Identifier function;  ///< Empty without a call.
  Expressions arguments;
  const ClassModification* annotation = nullptr;  ///< May be null.
};

/// `model A ... end A`, or `model extends A(modification) ... end A`, which
/// redeclares an inherited class and extends it at once.
struct LongClass {
  bool is_extension = false;
  const ClassModification* modification = nullptr;  ///< Extensions only.
  List<Element> elements;                           ///< From all sections.
  List<Section> sections;                           ///< In source order.
  const External* external = nullptr;               ///< May be null.
};

/// `type A = input Real[3](unit="m")`.
struct ShortClass {
  Causality causality = Causality::kNone;
  Name base;
  Expressions subscripts;
  const ClassModification* modification = nullptr;  ///< May be null.
};

struct EnumerationLiteral {
  Identifier name;
  Description description;
};

/// `type A = enumeration(a, b)` or `enumeration(:)`.
struct Enumeration {
  bool is_open = false;  ///< Written ':', any enumeration.
  List<EnumerationLiteral> literals;
};

/// `function df = der(f, x, y)`: a partial derivative.
struct DerivativeClass {
  Name function;
  List<Identifier> variables;
};

struct ClassDefinition {
  Span span;
  ClassPrefixes prefixes;
  Identifier name;
  std::variant<LongClass, ShortClass, Enumeration, DerivativeClass> node;
  Description description;  ///< In a long class with the end's annotation.
};

struct StoredClass {
  bool is_final = false;
  const ClassDefinition* definition = nullptr;
};

/// A whole source text; owns its tree.
struct StoredDefinition {
  std::shared_ptr<const SourceFile> file;
  std::unique_ptr<std::pmr::monotonic_buffer_resource> memory;
  std::optional<Name> within;  ///< Without parts for a bare `within;`.
  List<StoredClass> classes;
};

}  // namespace orrery::modelica::ast
