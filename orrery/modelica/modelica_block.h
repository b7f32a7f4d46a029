#pragma once

#include <concepts>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/source_file.h"
#include "orrery/model/flat_block.h"

namespace orrery {

/// A value in Modelica notation, for a modification of a block.
class ModelicaValue {
 public:
  // NOLINTBEGIN(google-explicit-constructor): a number is a value here.

  /// All constructors from numbers:
  /// @throws Error kInvalidArgument if a number is not finite.
  ModelicaValue(double number);

  template <std::integral T>
  ModelicaValue(T number) : ModelicaValue(static_cast<double>(number)) {}

  ModelicaValue(bool value);

  /// A vector.
  ModelicaValue(std::initializer_list<double> numbers);
  ModelicaValue(const std::vector<double>& numbers);
  ModelicaValue(const std::vector<bool>& values);

  /// A matrix, row by row.
  ModelicaValue(const std::vector<std::vector<double>>& rows);

  /// A formula: "2*Modelica.Constants.pi", "{1, 2}", "Init.NoInit" by its full
  /// name. For a String see `Text`.
  ModelicaValue(std::string formula) : formula_(std::move(formula)) {}

  ModelicaValue(const char* formula) : formula_(formula) {}

  // NOLINTEND(google-explicit-constructor)

  /// A String.
  [[nodiscard]] static ModelicaValue Text(std::string_view text);

  [[nodiscard]] const std::string& formula() const noexcept { return formula_; }

 private:
  std::string formula_;
};

/// `name = value`. The name may be dotted: "I.k" is a part's parameter,
/// "x.start" an attribute. "redeclare ..." works as in Modelica.
struct ModelicaModification {
  std::string name;
  ModelicaValue value;
};

/// The class of a block: one of the standard library, or one of the given text.
struct ModelicaClass {
  // NOLINTBEGIN(google-explicit-constructor): a name is a class here.
  ModelicaClass(std::string full_name,
                std::shared_ptr<const SourceFile> text = nullptr)
      : name(std::move(full_name)), file(std::move(text)) {}

  ModelicaClass(const char* full_name) : name(full_name) {}

  // NOLINTEND(google-explicit-constructor)

  std::string name;  ///< Dotted, from the top: "Modelica.Blocks.Math.Gain".
  std::shared_ptr<const SourceFile> file;  ///< Null for the library alone.
};

/// A block of the Modelica library, or any other Modelica class, in a diagram
/// in C++:
///
///     auto& gain = d.Add<ModelicaBlock>(
///         "gain", "Modelica.Blocks.Math.Gain", {{"k", 3}});
///     auto& pump = d.Add<ModelicaBlock>(
///         "pump", {"Pump", SourceFile::Read("pump.mo")});
///     d.Connect(gain["y"], pump["u"]);
///
/// Inputs, outputs and parameters are found by their names. Modifications work
/// as in `Modelica.Blocks.Math.Gain gain(k = 3)`. Those that size or select
/// equations (`nin`, `initType`) must be given there; others can be set later:
/// `gain.SetValue(gain["k"], 4)`. The equations, events and assertions of the
/// class and of its parts become part of the model around the block. The block
/// has its own copy of every `outer` component.
///
/// The library's blocks have classes with named members: orrery/sdk/blocks.
class ModelicaBlock : public FlatBlock {
 public:
  using Class = ModelicaClass;
  using Arguments = std::vector<ModelicaModification>;

  /// @throws Error kInvalidModel listing all errors: an unknown class or
  ///     parameter, a value that does not fit, a mistake in the text.
  explicit ModelicaBlock(const ModelicaClass& type,
                         const Arguments& modifications = {});

  /// The class's full name.
  [[nodiscard]] const std::string& class_name() const noexcept {
    return class_name_;
  }

 private:
  std::string class_name_;
};

}  // namespace orrery
