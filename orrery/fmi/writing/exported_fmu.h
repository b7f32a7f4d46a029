#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/values/setting.h"
#include "orrery/fmi/description.h"
#include "orrery/program/program.h"
#include "orrery/solver/problem/method_name.h"

namespace orrery::fmi {

/// The kinds of use that an FMU is for.
enum class ExportedUse : std::uint8_t {
  kAny,  ///< Co-Simulation and, if the model allows it, Model Exchange.
  kCoSimulation,
  kModelExchange
};

/// Whose elementary functions (sin, exp, ...) the code of an FMU calls.
enum class Elementary : std::uint8_t {
  kSame,  ///< SLEEF's, as all of Orrery; its library lies beside the code.
  kLibm  ///< The C library's. Last digits may differ; the FMU is half as large.
};

/// Options of an export. Plain data.
struct ExportOptions {
  FmiVersion version = FmiVersion::k3;
  ExportedUse use = ExportedUse::kAny;
  Elementary elementary = Elementary::kSame;
  Method method = Method::kAuto;
  std::optional<double> step = {};  ///< For a method with a fixed step, s.
  std::optional<double> tolerance = {};
  std::vector<Setting> settings =
      {};  ///< Start values in place of the model's.
};

/// The name of a model as a C identifier, which an FMU's code is called by:
/// `Modelica_Blocks_X`.
[[nodiscard]] std::string IdentifierOf(std::string_view model_name);

/// What an FMU consists of.
struct FmuContent {
  Description description;  ///< Without a token.
  std::string identifier;   ///< The name of its code.
  std::string code;         ///< The bytes of a shared library.
  bool needs_sleef = true;  ///< The library of SLEEF lies beside the code.
  /// The model, `kModelFile`, for the FMU's token; called twice, first with an
  /// empty one.
  std::function<std::string(const std::string& token)> model;
  /// Names and contents of files beside the code.
  std::vector<std::pair<std::string, std::string>> beside = {};
};

/// The bytes of an FMU for this machine.
[[nodiscard]] std::string PackFmu(const FmuContent& content);

/// The bytes of an FMU for these kinds of use: the program, its description,
/// and the code that runs it, for this machine.
/// @throws Error kUnsupported "cannot export X: ..." for what an FMU cannot
///     hold, kInvalidArgument for options that do not fit, kInvalidModel if the
///     model has no initial values.
[[nodiscard]] std::string ExportFmu(
    const std::shared_ptr<const Program>& program,
    const ExportOptions& options);

}  // namespace orrery::fmi
