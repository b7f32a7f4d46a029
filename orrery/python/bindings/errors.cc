#include "orrery/python/bindings/errors.h"

#include <exception>
#include <string>

#include "orrery/base/system/stop_scope.h"
#include "orrery/process/tasks/task.h"
#include "orrery/python/bindings/py_value.h"

namespace py = pybind11;

namespace orrery::python {
namespace {

const char* NameOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidModel:
      return "invalid model";
    case ErrorCode::kInvalidArgument:
      return "invalid argument";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kIo:
      return "io";
    case ErrorCode::kInternal:
      return "internal";
  }
  return "internal";
}

py::object ErrorsModule() {
  return py::module_::import("orrery.errors");
}

// The rest is left to pybind11.
void Translate(std::exception_ptr thrown) {
  try {
    if (thrown) {
      std::rethrow_exception(thrown);
    }
  } catch (const Error&) {
    SetRaised();
  } catch (const PythonError&) {
    SetRaised();
  } catch (const process::Interrupted&) {
    SetRaised();
  } catch (const process::Cancelled&) {
    SetRaised();
  } catch (const Stopped&) {
    SetRaised();
  }
}

}  // namespace

py::list ToPython(std::span<const Diagnostic> diagnostics) {
  py::list result;
  const py::object make = ErrorsModule().attr("Diagnostic");
  for (const Diagnostic& d : diagnostics) {
    result.append(make(std::string(orrery::NameOf(d.severity)),
                       d.message,
                       d.hint,
                       d.path,
                       d.file,
                       d.line,
                       d.column,
                       d.length,
                       Render(d)));
  }
  return result;
}

py::object ToPython(const Error& error) {
  return ErrorsModule().attr("error_of")(
      NameOf(error.code()), error.what(), ToPython(error.diagnostics()));
}

void BindErrors(py::module_& m) {
  static_cast<void>(m);
  py::register_exception_translator(&Translate);
}

}  // namespace orrery::python
