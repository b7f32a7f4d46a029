#include "orrery/python/bindings/blocks/opaque.h"

#include <algorithm>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/numpy.h>

#include "orrery/python/bindings/blocks/formulas.h"
#include "orrery/symbolic/transform.h"

namespace py = pybind11;

namespace orrery::python {
namespace {

/// The last exception of a function in this thread, until somebody takes it.
/// Only with the GIL.
thread_local PyObject* last_failure = nullptr;

/// A function of Python that is given away to threads without the GIL.
class Callable {
 public:
  explicit Callable(py::object function)
      : function_(new py::object(std::move(function)), [](py::object* f) {
          const py::gil_scoped_acquire gil;
          delete f;  // NOLINT(cppcoreguidelines-owning-memory): a deleter.
        }) {}

  /// Calls it with numbers; checks that it gives as many as `results` has.
  void operator()(std::span<const double> values,
                  std::span<double> results) const {
    const py::gil_scoped_acquire gil;
    py::tuple arguments(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      arguments[i] = py::float_(values[i]);
    }
    py::object answer;
    try {
      answer = (*function_)(*arguments);
    } catch (py::error_already_set& error) {
      Py_XDECREF(last_failure);
      if (error.trace()) {
        PyException_SetTraceback(error.value().ptr(), error.trace().ptr());
      }
      last_failure = error.value().inc_ref().ptr();
      throw std::runtime_error(py::str("{}: {}").format(
          error.type().attr("__name__"), error.value()));
    }
    if (results.size() == 1 && PyFloat_Check(answer.ptr())) {
      results[0] = PyFloat_AS_DOUBLE(answer.ptr());
      return;
    }
    const auto numbers =
        py::array_t<double, py::array::c_style | py::array::forcecast>(answer);
    if (static_cast<std::size_t>(numbers.size()) != results.size()) {
      throw py::value_error(std::string(py::repr(*function_)) + " gave " +
                            std::to_string(numbers.size()) +
                            " numbers; orrery.opaque was told " +
                            "outputs=" + std::to_string(results.size()));
    }
    std::ranges::copy_n(numbers.data(), numbers.size(), results.begin());
  }

 private:
  std::shared_ptr<py::object> function_;
};

/// Arrays as their elements.
void AddElements(Expr expr, Elements& elements, std::vector<Expr>& list) {
  for (const Expr& element : elements.All(expr)) {
    list.push_back(element);
  }
}

}  // namespace

void BindOpaque(py::module_& m) {
  m.def("take_failure", []() -> py::object {
    PyObject* const failure = std::exchange(last_failure, nullptr);
    return failure == nullptr ? py::none()
                              : py::reinterpret_steal<py::object>(failure);
  });
  m.def("call_opaque",
        [](py::object function,
           const std::string& name,
           std::size_t outputs,
           const py::args& given) {
          std::shared_ptr<Trace> trace = TraceOf(given);
          trace = trace == nullptr ? Trace::Current() : trace;
          ExprGraph& graph = trace->equations->graph();
          Elements elements(graph);
          std::vector<Expr> arguments;
          for (const py::handle argument : given) {
            AddElements(ToExpr(argument, trace), elements, arguments);
          }
          auto opaque = std::make_shared<OpaqueFunction>();
          opaque->name = name;
          opaque->num_inputs = arguments.size();
          opaque->num_outputs = outputs;
          opaque->evaluate = Callable(std::move(function));
          const Expr call = graph.Opaque(std::move(opaque), arguments);
          py::list results;
          for (std::size_t i = 0; i < outputs; ++i) {
            results.append(Formula(graph.Output(call, i), trace));
          }
          return results;
        });
}

}  // namespace orrery::python
