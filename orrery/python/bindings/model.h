#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <pybind11/pybind11.h>

#include "orrery/base/files/file_set.h"
#include "orrery/program/program.h"
#include "orrery/sdk/model/model.h"

namespace orrery::python {

/// A model of equations with its program, which is compiled when it is first
/// needed. Several threads may use one at once.
class EquationModel {
 public:
  /// @param file, class_name, files where it was read; empty for a model that
  ///     was made in Python.
  explicit EquationModel(Model model,
                         std::string file = {},
                         std::string class_name = {},
                         FileSet files = {})
      : model_(std::move(model)),
        file_(std::move(file)),
        class_name_(std::move(class_name)),
        files_(std::move(files)) {}

  [[nodiscard]] const Model& model() const noexcept { return model_; }

  [[nodiscard]] const std::string& file() const noexcept { return file_; }

  [[nodiscard]] const std::string& class_name() const noexcept {
    return class_name_;
  }

  [[nodiscard]] const FileSet& files() const noexcept { return files_; }

  /// The program that ends when the condition `until` holds; without a
  /// condition if that is empty. The last one is kept. Call it without the GIL.
  /// @throws Error as Compile does.
  [[nodiscard]] std::shared_ptr<const Program> ProgramWith(
      const std::string& until = {}) {
    const std::scoped_lock lock(mutex_);
    auto& program = until.empty() ? program_ : ending_program_;
    if (program == nullptr || (!until.empty() && until != until_)) {
      program = Compile(model_, {}, until);
      until_ = until.empty() ? until_ : until;
    }
    return program;
  }

 private:
  Model model_;
  std::string file_;
  std::string class_name_;
  FileSet files_;
  std::mutex mutex_;
  std::shared_ptr<const Program> program_;
  std::shared_ptr<const Program> ending_program_;
  std::string until_;  // The condition of `ending_program_`.
};

/// EquationModel::ProgramWith() without the GIL; Ctrl-C ends it. With the GIL.
/// @throws likewise, and the exception of Python that ended it.
[[nodiscard]] std::shared_ptr<const Program> ProgramOf(
    EquationModel& model, const std::string& until = {});

/// Adds models of equations to the extension.
void BindModel(pybind11::module_& m);

}  // namespace orrery::python
