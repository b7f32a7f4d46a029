#include "orrery/python/bindings/blocks/blocks.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "orrery/base/error.h"
#include "orrery/model/diagram.h"
#include "orrery/model/flat_block.h"
#include "orrery/modelica/modelica_block.h"
#include "orrery/python/bindings/arrays.h"
#include "orrery/python/bindings/blocks/py_block.h"
#include "orrery/python/bindings/model.h"

namespace py = pybind11;

namespace orrery::python {
namespace {

const std::array<std::pair<std::string_view, QuantityKind>, 8> kKinds = {{
    {"parameter", QuantityKind::kParameter},
    {"input", QuantityKind::kInput},
    {"output", QuantityKind::kOutput},
    {"state", QuantityKind::kState},
    {"variable", QuantityKind::kLocal},
    {"discrete", QuantityKind::kDiscrete},
    {"event", QuantityKind::kEvent},
    {"clock", QuantityKind::kClock},
}};

std::string_view NameOf(QuantityKind kind) {
  for (const auto& [name, known] : kKinds) {
    if (known == kind) {
      return name;
    }
  }
  return "variable";
}

template <typename T>
T Option(const py::dict& options, const char* name, T otherwise) {
  return options.contains(name) && !options[name].is_none()
             ? py::cast<T>(options[name])
             : otherwise;
}

Attributes AttributesOf(const py::dict& options) {
  const auto number = [&](const char* name) {
    return Option<std::optional<double>>(options, name, std::nullopt);
  };
  const auto type = Option<std::string>(options, "type", "Real");
  return {.unit = Option<std::string>(options, "unit", ""),
          .description = Option<std::string>(options, "description", ""),
          .default_value = number("default"),
          .min = number("min"),
          .max = number("max"),
          .nominal = number("nominal"),
          .fixed = Option<std::optional<bool>>(options, "fixed", std::nullopt),
          .is_protected = Option<bool>(options, "hidden", false),
          .type = type == "Boolean"   ? ValueType::kBoolean
                  : type == "Integer" ? ValueType::kInteger
                                      : ValueType::kReal};
}

Direction DirectionOf(const std::string& name) {
  if (name == "rising") {
    return Direction::kRising;
  }
  if (name == "falling") {
    return Direction::kFalling;
  }
  if (name != "either") {
    throw py::value_error("cannot declare an event with the direction '" +
                          name + "'; known: rising, falling, either");
  }
  return Direction::kEither;
}

ClockTimes TimesOf(const py::dict& options) {
  ClockTimes times;
  times.end = Option<double>(options, "end", times.end);
  times.runs_before_start = Option<bool>(options, "before_start", false);
  return times;
}

template <QuantityKind kKind>
void DeclareValue(Block& block,
                  const std::string& name,
                  Shape shape,
                  std::vector<double> values,
                  const py::dict& options) {
  const QuantityWithValue<kKind> declared(&block,
                                          name,
                                          std::move(shape),
                                          Values(std::move(values)),
                                          AttributesOf(options));
}

void Declare(BlockCore& core,
             const std::string& kind,
             const std::string& name,
             const Shape& shape,
             const std::vector<double>& values,
             const py::dict& options) {
  Block& block = *core.block;
  if (kind == "parameter") {
    DeclareValue<QuantityKind::kParameter>(block, name, shape, values, options);
  } else if (kind == "state") {
    DeclareValue<QuantityKind::kState>(block, name, shape, values, options);
  } else if (kind == "variable") {
    DeclareValue<QuantityKind::kLocal>(block, name, shape, values, options);
  } else if (kind == "discrete") {
    DeclareValue<QuantityKind::kDiscrete>(block, name, shape, values, options);
  } else if (kind == "input") {
    const Block::Input declared(&block, name, shape, AttributesOf(options));
  } else if (kind == "output") {
    const Block::Output declared(&block, name, shape, AttributesOf(options));
  } else if (kind == "event") {
    const Event declared(
        &block,
        name,
        DirectionOf(Option<std::string>(options, "direction", "either")),
        Option<double>(options, "tolerance", 0));
  } else {
    const Clock declared(&block,
                         name,
                         values.at(0),
                         Option<double>(options, "offset", 0),
                         TimesOf(options));
  }
}

py::object ValueOf(const PyQuantity& q) {
  const Declaration& declaration = q.quantity.declaration();
  if (!HasValue(declaration.kind) || declaration.has_formula) {
    return py::none();
  }
  const auto convert = [&](double value) -> py::object {
    switch (declaration.attributes->type) {
      case ValueType::kBoolean:
        return py::bool_(value != 0);
      case ValueType::kInteger:
        return py::int_(static_cast<std::int64_t>(value));
      default:
        return py::float_(value);
    }
  };
  if (declaration.shape.empty()) {
    return convert(declaration.values.at(0));
  }
  py::array_t<double> array(declaration.shape);
  const auto count = static_cast<std::size_t>(array.size());
  for (std::size_t i = 0; i < count; ++i) {
    array.mutable_data()[i] =
        declaration.values.at(declaration.values.size() == 1 ? 0 : i);
  }
  return py::object(array);
}

// Classes of the extension --------------------------------------------------

ModelicaBlock::Arguments ArgumentsOf(const py::list& pairs) {
  ModelicaBlock::Arguments arguments;
  for (const py::handle item : pairs) {
    const auto [name, formula] =
        py::cast<std::pair<std::string, std::string>>(item);
    arguments.push_back({name, ModelicaValue(formula)});
  }
  return arguments;
}

PyQuantity ElementAt(const PyQuantity& quantity, const py::tuple& keys) {
  PyQuantity element = quantity;
  const Shape& shape = quantity.quantity.shape();
  const std::size_t depth = quantity.at.size();
  if (keys.size() + depth > shape.size()) {
    throw py::index_error(quantity.quantity.path() + " has " +
                          std::to_string(shape.size()) + " dimensions, not " +
                          std::to_string(keys.size() + depth));
  }
  for (std::size_t d = 0; d < keys.size(); ++d) {
    const std::int64_t extent = shape[depth + d];
    const auto index = py::cast<std::int64_t>(keys[d]);
    if (index < -extent || index >= extent) {
      throw py::index_error(quantity.quantity.path() + " has no element " +
                            std::to_string(index) + " among " +
                            std::to_string(extent) + ", counted from 0");
    }
    element.at.push_back((index < 0 ? index + extent : index) + 1);
  }
  return element;
}

PortEnd EndOf(const PyQuantity& q) {
  return q.at.empty() ? PortEnd(q.quantity)
                      : PortEnd(Element(q.quantity, q.at));
}

void BindQuantity(py::module_& m) {
  py::class_<PyQuantity> quantity(m, "Quantity");
  BindOperators(quantity);
  const auto attribute = [&](const char* name, auto get) {
    quantity.def_property_readonly(name, [get](const PyQuantity& q) {
      return get(*q.quantity.declaration().attributes);
    });
  };
  attribute("unit", [](const Attributes& a) { return a.unit.str(); });
  attribute("description",
            [](const Attributes& a) { return a.description.str(); });
  attribute("min", [](const Attributes& a) { return a.min; });
  attribute("max", [](const Attributes& a) { return a.max; });
  attribute("nominal", [](const Attributes& a) { return a.nominal; });
  attribute("default", [](const Attributes& a) { return a.default_value; });
  quantity
      .def_property_readonly(
          "name", [](const PyQuantity& q) { return q.quantity.name(); })
      .def_property_readonly(
          "path", [](const PyQuantity& q) { return EndOf(q).path(); })
      .def_property_readonly("kind",
                             [](const PyQuantity& q) {
                               return std::string(NameOf(q.quantity.kind()));
                             })
      .def_property_readonly(
          "shape",
          [](const PyQuantity& q) {
            const Shape& all = q.quantity.shape();
            const auto first = static_cast<std::ptrdiff_t>(q.at.size());
            return py::tuple(py::cast(Shape(all.begin() + first, all.end())));
          })
      .def_property_readonly("value", &ValueOf)
      .def_readonly("owner", &PyQuantity::owner)
      .def("__repr__",
           [](const PyQuantity& q) {
             return "<" + std::string(NameOf(q.quantity.kind())) + " " +
                    EndOf(q).path() + ">";
           })
      .def("_element", &ElementAt)
      .def("_formula", &PyQuantity::formula);
}

void AddToDiagram(BlockCore& core, const std::string& name, BlockCore& part) {
  auto* const diagram = dynamic_cast<Diagram*>(core.block);
  ORRERY_CHECK(diagram != nullptr);
  if (part.owned == nullptr) {
    throw py::value_error("cannot add " + part.block->path() + " to " +
                          diagram->path() +
                          ": it is a part already; make another block");
  }
  diagram->AddPart(name, std::move(part.owned));
}

}  // namespace

Formula PyQuantity::formula() const {
  const auto* const block = dynamic_cast<const PyBlock*>(&quantity.owner());
  if (block == nullptr || block->trace() == nullptr) {
    throw py::value_error(
        "cannot use " + EndOf(*this).path() +
        " in a formula: it stands for a formula only in the equations of its "
        "own block; connect it to a port of another block, or read .value");
  }
  const Expr expr = at.empty() ? Expr(quantity) : Expr(Element(quantity, at));
  return {expr, block->trace()};
}

void BindBlocks(py::module_& m) {
  BindQuantity(m);
  m.def("model_of_block", [](BlockCore& core) {
    return std::make_shared<EquationModel>(MakeModel(*core.block));
  });
  py::class_<SourceFile, std::shared_ptr<SourceFile>>(m, "SourceFile")
      .def(py::init<std::string, std::string>());
  py::class_<BlockCore>(m, "BlockCore")
      .def_static("block",
                  [](const std::string& name, py::handle self) {
                    return BlockCore(std::make_unique<PyBlock>(name, self));
                  })
      .def_static("diagram",
                  [](const std::string& name) {
                    return BlockCore(std::make_unique<Diagram>(name));
                  })
      .def_static("modelica",
                  [](const std::string& name, const py::list& arguments) {
                    return BlockCore(std::make_unique<ModelicaBlock>(
                        ModelicaClass(name), ArgumentsOf(arguments)));
                  })
      .def_static("of_model",
                  [](const EquationModel& model) {
                    return BlockCore(std::make_unique<FlatBlock>(
                        FlatModelOf(model.model())));
                  })
      .def_property_readonly("name",
                             [](const BlockCore& c) { return c.block->name(); })
      .def_property_readonly("path",
                             [](const BlockCore& c) { return c.block->path(); })
      .def("names",
           [](const BlockCore& c) {
             std::vector<std::string> names;
             for (const Declaration& q : c.block->quantities()) {
               names.push_back(q.name);
             }
             return names;
           })
      .def("declare", &Declare)
      .def("quantity",
           [](BlockCore& c, const std::string& name, py::object owner) {
             return PyQuantity{std::move(owner), (*c.block)[name]};
           })
      .def("set_value",
           [](BlockCore& c,
              const std::string& name,
              const std::vector<double>& values) {
             c.block->SetValue((*c.block)[name], Values(values));
           })
      .def("counts",
           [](const BlockCore& c) {
             return py::make_tuple(c.block->num_states(),
                                   c.block->num_inputs(),
                                   c.block->num_outputs(),
                                   c.block->num_events());
           })
      .def("outputs_at",
           [](BlockCore& c, double t, const Numbers& x, const Numbers& u) {
             return c.block->output_function(t, SpanOf(x), SpanOf(u));
           })
      .def("slopes_at",
           [](BlockCore& c, double t, const Numbers& x, const Numbers& u) {
             return c.block->state_update_function(t, SpanOf(x), SpanOf(u));
           })
      .def("events_at",
           [](BlockCore& c, double t, const Numbers& x, const Numbers& u) {
             return c.block->event_function(t, SpanOf(x), SpanOf(u));
           })
      .def("feedthrough_inputs",
           [](BlockCore& c, std::optional<std::size_t> output) {
             return output ? c.block->feedthrough_inputs(*output)
                           : c.block->feedthrough_inputs();
           })
      .def("add", &AddToDiagram)
      .def("connect",
           [](BlockCore& c, const PyQuantity& from, const PyQuantity& to) {
             dynamic_cast<Diagram&>(*c.block).Connect(EndOf(from), EndOf(to));
           });
}

}  // namespace orrery::python
