#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/solver/problem/method_name.h"

namespace orrery::fmi {

/// The content of an exported FMU beside its description: the compiled model
/// and the way it is solved. Its file is `kModelFile` among the resources.
struct ExportedModel {
  std::string token;  ///< instantiationToken; FMI 2.0: guid.
  Method method = Method::kAuto;
  double step = 0;  ///< For a method with a fixed step, s; else 0.
  std::optional<double> tolerance = {};
  /// Value references and values of what is set in place of the model's own.
  std::vector<std::pair<std::uint32_t, double>> settings = {};
  std::shared_ptr<const Program> program;
};

inline constexpr std::string_view kModelFile = "model.orrery";

/// @throws Error kUnsupported as BytesOf of a program.
[[nodiscard]] std::string BytesOf(const ExportedModel& model);

/// @throws Error kInvalidModel if the bytes are damaged or of another version.
[[nodiscard]] ExportedModel ModelFromBytes(std::string_view bytes);

/// The valueReference of a scalar of a program: its place among all scalars.
/// The time has the one after these.
[[nodiscard]] std::uint32_t ReferenceNumber(const Program& program,
                                            NamedScalar scalar) noexcept;

/// The scalar with this valueReference.
/// @param reference less than the number of scalars.
[[nodiscard]] NamedScalar ScalarOf(const Program& program,
                                   std::uint32_t reference);

}  // namespace orrery::fmi
