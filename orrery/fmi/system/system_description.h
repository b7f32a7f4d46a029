#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"

namespace orrery::fmi {

/// y = factor*x + offset, or a table of values, or of names of the items of
/// enumerations.
struct SignalTransformation {
  double factor = 1;
  double offset = 0;
  std::map<double, double> table;            ///< Empty: none.
  std::map<std::string, std::string> items;  ///< Empty: none.

  /// For numbers.
  /// @returns nothing for a value that the table lacks.
  [[nodiscard]] std::optional<double> Apply(double x) const;
};

/// A value for a variable of a component, in the order in which they hold:
/// later ones take the place of earlier ones.
struct SystemParameter {
  std::string variable;
  std::string value;  ///< As of `--set`, without unit.
  std::string unit;   ///< Empty: that of the variable.
  SignalTransformation change;
  SourceSpan place;
};

/// An FMU in a system.
struct SystemComponent {
  std::string path;  ///< Dotted: `axle.wheel`.
  std::shared_ptr<const SourceFile> file;
  std::string kind;  ///< `CoSimulation`, `ModelExchange`, `any`; empty: any.
  std::vector<SystemParameter> parameters;
  SourceSpan place;
};

/// A signal from an output of a component to an input of another one.
struct SystemConnection {
  std::size_t from = 0;  ///< A component.
  std::string output;
  std::size_t to = 0;
  std::string input;
  std::vector<SignalTransformation> changes;  ///< In the order of the signal.
  std::string from_unit;  ///< As the system says; empty: the
  std::string to_unit;    ///< FMU's.
  bool converts_units = true;
  SourceSpan place;
};

/// A system of FMUs as one text of SSP 1.0 or 2.0 (SystemStructure.ssd) says,
/// without hierarchy. Plain data.
struct SystemDescription {
  std::string name;
  std::optional<double> start;  ///< s
  std::optional<double> stop;   ///< s
  std::vector<SystemComponent> components;
  std::vector<SystemConnection> connections;
};

/// Reads a file by its name relative to the text that names it.
using ReadNamed =
    std::function<std::shared_ptr<const SourceFile>(const std::string& name)>;

/// Reads a system of SSP 1.0 or 2.0. All findings are told at once.
/// @param text a description.
/// @param read gives FMUs, parameters and mappings.
/// @throws Error kInvalidModel with all errors.
[[nodiscard]] SystemDescription ReadSystem(
    const std::shared_ptr<const SourceFile>& text,
    const ReadNamed& read,
    Diagnostics& diagnostics);

/// The same of a file: an archive, or a description beside its files.
/// @param file the bytes of the archive, or the description.
/// @param variant name of the description in an archive; empty: the usual one.
/// @param read gives files beside a description.
/// @throws Error kInvalidModel as above, and as Archive; kInvalidArgument for a
///     variant that there is not, or of a file that is no archive.
[[nodiscard]] SystemDescription ReadSystemFile(
    const std::shared_ptr<const SourceFile>& file,
    const std::string& variant,
    const ReadNamed& read,
    Diagnostics& diagnostics);

}  // namespace orrery::fmi
