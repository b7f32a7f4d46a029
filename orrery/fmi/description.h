#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"

namespace orrery::fmi {

/// The versions that are read.
enum class FmiVersion : std::uint8_t { k2, k3 };

/// The type of a variable. FMI 2.0 has Real, Integer, Boolean, String and
/// Enumeration: these are kFloat64, kInt32, kBoolean, kString, kEnumeration.
enum class ValueType : std::uint8_t {
  kFloat32,
  kFloat64,
  kInt8,
  kUInt8,
  kInt16,
  kUInt16,
  kInt32,
  kUInt32,
  kInt64,
  kUInt64,
  kBoolean,
  kString,
  kBinary,
  kEnumeration,
  kClock
};

enum class Causality : std::uint8_t {
  kParameter,
  kCalculatedParameter,
  kStructuralParameter,
  kInput,
  kOutput,
  kLocal,
  kIndependent  ///< Time.
};

enum class Variability : std::uint8_t {
  kConstant,
  kFixed,     ///< After the initialisation.
  kTunable,   ///< Between events.
  kDiscrete,  ///< Changes at events.
  kContinuous
};

/// Where the value at the start comes from.
enum class Initial : std::uint8_t {
  kNone,   ///< Inputs and the time have none.
  kExact,  ///< `start`.
  kApprox,
  kCalculated
};

enum class IntervalVariability : std::uint8_t {
  kConstant,
  kFixed,
  kTunable,
  kChanging,
  kCountdown,
  kTriggered
};

/// The names in XML, as `Float64` and `calculatedParameter`. Enumerators are in
/// their order.
inline constexpr std::array<std::string_view, 15> kValueTypeNames = {
    "Float32",
    "Float64",
    "Int8",
    "UInt8",
    "Int16",
    "UInt16",
    "Int32",
    "UInt32",
    "Int64",
    "UInt64",
    "Boolean",
    "String",
    "Binary",
    "Enumeration",
    "Clock"};
inline constexpr std::array<std::string_view, 7> kCausalityNames = {
    "parameter",
    "calculatedParameter",
    "structuralParameter",
    "input",
    "output",
    "local",
    "independent"};
inline constexpr std::array<std::string_view, 5> kVariabilityNames = {
    "constant", "fixed", "tunable", "discrete", "continuous"};
inline constexpr std::array<std::string_view, 4> kInitialNames = {
    "", "exact", "approx", "calculated"};
inline constexpr std::array<std::string_view, 6> kIntervalVariabilityNames = {
    "constant", "fixed", "tunable", "changing", "countdown", "triggered"};

/// `NameOf(kCausalityNames, Causality::kInput)` is `input`.
template <std::size_t count, typename Enumerator>
[[nodiscard]] constexpr std::string_view NameOf(
    const std::array<std::string_view, count>& names, Enumerator its) {
  return names.at(static_cast<std::size_t>(its));
}

[[nodiscard]] constexpr bool IsFloat(ValueType type) noexcept {
  return type <= ValueType::kFloat64;
}

/// False for Strings, Binaries and Clocks.
[[nodiscard]] constexpr bool IsNumber(ValueType type) noexcept {
  return type != ValueType::kString && type != ValueType::kBinary &&
         type != ValueType::kClock;
}

/// A number of a variable, without loss.
using Number = std::variant<double, std::int64_t, std::uint64_t>;

[[nodiscard]] double AsDouble(const Number& number);

[[nodiscard]] std::string TextOf(const Number& number);

/// -1, 0 or 1, as a < b, a = b or a > b; 0 if one is not a number.
[[nodiscard]] int Compare(const Number& a, const Number& b);

/// Values of a variable, row by row if it is an array. Float32 and Float64 are
/// numbers with point; UInt64 has unsigned, and other whole numbers, Booleans
/// and Clocks have signed ones; Strings and Binaries are bytes.
using Values = std::variant<std::vector<double>,
                            std::vector<std::int64_t>,
                            std::vector<std::uint64_t>,
                            std::vector<std::string>>;

[[nodiscard]] std::size_t CountOf(const Values& values);

/// No values, of this type.
[[nodiscard]] Values EmptyOf(ValueType type);

/// The index of a variable in `Description::variables`.
using VariableIndex = std::uint32_t;

struct Dimension {
  std::uint64_t size = 0;  ///< By `start`, or that of `variable` as it stands.
  /// A structural parameter or constant.
  std::optional<VariableIndex> variable = {};
};

/// Facts of a Clock alone.
struct ClockTiming {
  IntervalVariability variability = IntervalVariability::kTriggered;
  std::optional<double> interval = {};  ///< s
  double shift = 0;                     ///< s
  std::optional<std::uint32_t> priority = {};
  bool can_be_deactivated = false;
  bool supports_fraction = false;
  std::uint64_t resolution = 0;
  std::uint64_t interval_counter = 0;
  std::uint64_t shift_counter = 0;
};

/// A variable, or another name of one.
struct Variable {
  std::string name = {};
  std::string description = {};
  std::uint32_t reference = 0;  ///< valueReference; FMI 2.0: for its type.
  ValueType type = ValueType::kFloat64;
  Causality causality = Causality::kLocal;
  Variability variability = Variability::kContinuous;
  Initial initial = Initial::kNone;
  std::optional<Values> start = {};
  std::optional<Number> min = {};
  std::optional<Number> max = {};
  std::optional<double> nominal = {};
  std::string unit = {};  ///< Also from its type; empty for none.
  std::string display_unit = {};
  std::string quantity = {};
  /// In `Description::types`.
  std::optional<std::uint32_t> declared_type = {};
  std::vector<Dimension> dimensions = {};  ///< None: a scalar.
  std::optional<VariableIndex> derivative_of = {};
  std::optional<VariableIndex> previous = {};
  /// The first with its reference.
  std::optional<VariableIndex> alias_of = {};
  std::vector<VariableIndex> clocks = {};
  std::shared_ptr<const ClockTiming> clock = {};  ///< For Clocks.
  bool reinit = false;  ///< A state that events may set anew.
  bool relative_quantity = false;
  bool unbounded = false;
  bool can_set_often = false;  ///< canHandleMultipleSetPerTimeInstant.
  bool intermediate_update = false;
  std::uint32_t begin = 0;  ///< Begin of its element, in the text.
};

/// The number of values of a variable, with sizes as they stand in the text.
[[nodiscard]] std::uint64_t SizeOf(const Variable& variable) noexcept;

/// The start values, as many as there are elements. A single value in the text
/// is that of each element; an element without a value has 0, or an empty text.
[[nodiscard]] Values StartOf(const Variable& variable);

/// The same as numbers, one an element; none of texts and bytes. Large whole
/// numbers are rounded.
[[nodiscard]] std::vector<double> StartNumbers(const Variable& variable);

/// False for a number below `min` or above `max`.
[[nodiscard]] bool IsInRange(const Variable& variable, const Number& number);

/// x in the unit = factor*x + offset in the unit of the base.
struct DisplayUnit {
  std::string name = {};
  double factor = 1;
  double offset = 0;
  bool is_inverse = false;
};

struct Unit {
  std::string name = {};
  bool has_base = false;
  std::array<int, 8> exponents{};  ///< kg, m, s, A, K, mol, cd, rad.
  double factor = 1;
  double offset = 0;
  std::vector<DisplayUnit> display_units = {};
};

struct EnumerationItem {
  std::string name = {};
  std::int64_t value = 0;
  std::string description = {};
};

struct TypeDefinition {
  std::string name = {};
  ValueType type = ValueType::kFloat64;
  std::string quantity = {};
  std::string unit = {};
  std::string display_unit = {};
  std::optional<Number> min = {};
  std::optional<Number> max = {};
  std::optional<double> nominal = {};
  bool relative_quantity = false;
  bool unbounded = false;
  std::vector<EnumerationItem> items = {};
  std::uint32_t begin = 0;
};

enum class InterfaceKind : std::uint8_t {
  kModelExchange,
  kCoSimulation,
  kScheduledExecution
};

inline constexpr std::array<std::string_view, 3> kInterfaceNames = {
    "Model Exchange", "Co-Simulation", "Scheduled Execution"};

/// A kind of use that an FMU offers, with what it can do in it. Names are of
/// FMI 3.0; those of FMI 2.0 that differ are given.
struct Interface {
  InterfaceKind kind = InterfaceKind::kModelExchange;
  std::string model_identifier = {};
  bool needs_execution_tool = false;
  bool can_be_instantiated_only_once = false;  ///< PerProcess
  bool can_get_and_set_state = false;          ///< canGetAndSetFMUState
  bool can_serialize_state = false;            ///< canSerializeFMUState
  bool provides_directional_derivatives = false;
  bool provides_adjoint_derivatives = false;
  bool provides_element_dependencies = false;
  // Model Exchange:
  bool needs_completed_step = true;  ///< 2.0: completedIntegratorStepNotNeeded.
  // Co-Simulation:
  bool can_handle_variable_step = false;
  std::optional<double> fixed_internal_step = {};  ///< s
  std::uint32_t max_output_derivative_order = 0;
  bool can_interpolate_inputs = false;  ///< 2.0
  bool can_run_asynchronously = false;  ///< 2.0: asynchronous doStep.
  bool provides_intermediate_update = false;
  bool might_return_early = false;
  bool can_return_early = false;  ///< canReturnEarlyAfterIntermediateUpdate
  bool has_event_mode = false;
  bool provides_evaluate_discrete_states = false;
  std::optional<double> recommended_intermediate_smoothness = {};
  std::uint32_t begin = 0;
};

enum class DependencyKind : std::uint8_t {
  kDependent,
  kConstant,
  kFixed,
  kTunable,
  kDiscrete
};

inline constexpr std::array<std::string_view, 5> kDependencyKindNames = {
    "dependent", "constant", "fixed", "tunable", "discrete"};

/// An entry of the model's structure.
struct Unknown {
  VariableIndex variable = 0;
  /// Variables it depends on; none: on all that it can.
  std::optional<std::vector<VariableIndex>> dependencies = {};
  /// As many as `dependencies`, or none: all are kDependent.
  std::vector<DependencyKind> kinds = {};
  std::uint32_t begin = 0;
};

struct ModelStructure {
  std::vector<Unknown> outputs = {};
  /// The derivatives of continuous states, in their order.
  std::vector<Unknown> derivatives = {};
  std::vector<Unknown> clocked_states = {};
  std::vector<Unknown> initial_unknowns = {};
  std::vector<Unknown> event_indicators = {};  ///< FMI 3.0
};

struct LogCategory {
  std::string name = {};
  std::string description = {};
};

/// Times are in seconds.
struct DefaultExperiment {
  std::optional<double> start = {};
  std::optional<double> stop = {};
  std::optional<double> tolerance = {};
  std::optional<double> step = {};
};

/// Contents of modelDescription.xml of an FMU, of FMI 2.0 and 3.0 alike. Plain
/// data.
struct Description {
  FmiVersion version = FmiVersion::k3;
  std::string version_text = {};
  std::string model_name = {};
  std::string token = {};  ///< instantiationToken; FMI 2.0: guid.
  std::string description = {};
  std::string author = {};
  std::string model_version = {};
  std::string copyright = {};
  std::string license = {};
  std::string tool = {};
  std::string generated_at = {};
  bool has_structured_names = false;
  std::vector<Interface> interfaces = {};  ///< At most one of a kind.
  std::vector<Unit> units = {};
  std::vector<TypeDefinition> types = {};
  std::vector<LogCategory> log_categories = {};
  DefaultExperiment experiment = {};
  std::vector<Variable> variables = {};
  ModelStructure structure = {};
  std::uint64_t num_event_indicators = 0;

  /// Null if it does not offer this kind.
  [[nodiscard]] const Interface* Find(InterfaceKind kind) const noexcept;
};

/// Reads modelDescription.xml. All findings are told at once: errors are what
/// makes values or references ambiguous, so that the FMU cannot be used;
/// warnings what the standard forbids besides.
/// @returns null if there is an error.
[[nodiscard]] std::unique_ptr<Description> ReadDescription(
    std::shared_ptr<const SourceFile> file, Diagnostics& diagnostics);

}  // namespace orrery::fmi
