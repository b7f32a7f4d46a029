#include "orrery/modelica/library.h"

#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "orrery/python/bindings/blocks/library.h"

namespace py = pybind11;

namespace orrery::python {

void BindLibrary(py::module_& m) {
  m.def("list_library", [] {
    std::vector<std::pair<std::string, std::string>> blocks;
    for (const modelica::LibraryBlock& block : modelica::ListLibrary()) {
      blocks.emplace_back(block.name, block.meaning);
    }
    return blocks;
  });
  m.def("package_of_block", &modelica::CppPackageOf);
  m.def("describe_block", [](const std::string& name) -> py::object {
    const auto found = modelica::DescribeLibraryBlock(name);
    if (!found) {
      return py::none();
    }
    const auto fields = [](const std::vector<modelica::LibraryField>& list) {
      py::list result;
      for (const modelica::LibraryField& f : list) {
        result.append(py::make_tuple(f.name,
                                     f.value_type,
                                     f.unit,
                                     f.value.empty() ? f.guess : f.value,
                                     f.meaning,
                                     f.condition,
                                     f.num_dimensions));
      }
      return result;
    };
    return py::make_tuple(found->meaning,
                          fields(found->parameters),
                          fields(found->inputs),
                          fields(found->outputs),
                          found->equations);
  });
  m.def("describe_enumeration", [](const std::string& name) -> py::object {
    const auto found = modelica::DescribeLibraryEnumeration(name);
    if (!found) {
      return py::none();
    }
    std::vector<std::pair<std::string, std::string>> literals;
    for (const modelica::LibraryBlock& literal : found->literals) {
      literals.emplace_back(literal.name, literal.meaning);
    }
    return py::make_tuple(found->meaning, literals);
  });
}

}  // namespace orrery::python
