#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/base/values/parameters.h"
#include "orrery/sdk/classes/plugin.h"
#include "orrery/symbolic/op.h"

namespace orrery::sdk::internal {

/// A quantity of a model that is a class, as an FMU has it.
struct ClassVariable {
  enum class Role : std::uint8_t {
    kParameter,    ///< Declared by the class.
    kSeed,         ///< Of all random numbers.
    kInput,        ///< The number in the next message to a port.
    kInputCount,   ///< Of these messages: a new one sends a message.
    kOutput,       ///< The number in the last message from a port.
    kOutputCount,  ///< Of these messages.
    kResource,     ///< Of tasks.
    kResult        ///< What the class tells of a run, so far.
  };

  std::string name;
  Role role = Role::kParameter;
  orrery::ValueType type = orrery::ValueType::kReal;
  bool is_text = false;  ///< Instead of a number of `type`.
  std::string unit = {};
  std::string meaning = {};
  Record::Value start = {};  ///< Before anything happens; may be none.
};

/// A run of a DEVS model or of a model of tasks that somebody else takes from
/// one time to the next. It begins at 0 s. For one thread.
class ClassRun {
 public:
  ClassRun() = default;
  virtual ~ClassRun() = default;
  ClassRun(const ClassRun&) = delete;
  ClassRun& operator=(const ClassRun&) = delete;

  /// All quantities but parameters, and their present values as `start`.
  [[nodiscard]] virtual std::vector<ClassVariable> Quantities() const = 0;

  /// Goes on to a time and completes all that is due there.
  /// @throws Error kInvalidModel if the model fails.
  virtual void AdvanceTo(Duration end) = 0;

  /// Sends a message to an input, at the present time.
  /// @throws Error kInvalidArgument for a number that is none for this port.
  virtual void Send(const std::string& port, double value) = 0;

  /// The present value of a quantity; nothing if it has none.
  [[nodiscard]] virtual Record::Value Value(
      const ClassVariable& quantity) const = 0;

  [[nodiscard]] const Parameters& parameters() const noexcept {
    return parameters_;
  }

  /// Of all random numbers.
  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }

 protected:
  ClassRun(std::vector<ParameterText> settings, std::uint64_t seed)
      : parameters_(std::move(settings)), seed_(seed) {}

  Parameters parameters_;

 private:
  std::uint64_t seed_ = 1;
};

inline constexpr const char* kSeedName = "seed";

/// Makes a run and completes the instant of its start.
/// @param settings parameters; `seed` unless the class declares it.
/// @throws Error as DevsModel::Make; kUnsupported for a Simulation.
[[nodiscard]] std::unique_ptr<ClassRun> MakeClassRun(
    const ClassModel& model, std::vector<ParameterText> settings);

/// The parameters of a run, the seed, and its other quantities.
[[nodiscard]] std::vector<ClassVariable> VariablesOf(const ClassRun& run);

/// A value as a number: seconds for a time, 0 or 1 for a truth; NaN for none.
[[nodiscard]] double NumberOf(const Record::Value& value);

}  // namespace orrery::sdk::internal
