#include "orrery/sdk/classes/devs_model.h"

#include <vector>

#include "orrery/sdk/classes/number_ports.h"

namespace orrery {

namespace internal = sdk::internal;

namespace {

constexpr std::string_view kPart = "model";

// A coupled model whose only component is an atomic one, with the same ports.
class Enclosed : public devs::Coupled {
 public:
  Enclosed(std::string_view name, std::unique_ptr<devs::Model> part)
      : Coupled(name) {
    const devs::Model& inner = *part;
    Adopt(kPart, std::move(part));
    for (const devs::Port* port = inner.first_port(); port != nullptr;
         port = port->next()) {
      ports_.push_back(internal::MakePortLike(*port, *this, port->name()));
      if (port->direction() == devs::PortDirection::kIn) {
        Couple(ports_.back()->port(), *port);
      } else {
        Couple(*port, ports_.back()->port());
      }
    }
  }

 private:
  std::vector<std::unique_ptr<internal::OwnedPort>> ports_;
};

}  // namespace

std::unique_ptr<devs::Coupled> DevsModel::Make(Parameters& parameters) const {
  std::unique_ptr<devs::Model> model = factory_.Make(parameters);
  if (model->ops() != nullptr) {
    return std::make_unique<Enclosed>(name(), std::move(model));
  }
  return std::unique_ptr<devs::Coupled>(
      static_cast<devs::Coupled*>(model.release()));
}

Record DevsModel::ResultsOf(const devs::Coupled& model,
                            const devs::Simulator& run) const {
  const auto* const enclosed = dynamic_cast<const Enclosed*>(&model);
  return factory_.ResultsOf(enclosed == nullptr
                                ? static_cast<const devs::Model&>(model)
                                : *enclosed->FindPart(kPart),
                            run);
}

}  // namespace orrery
