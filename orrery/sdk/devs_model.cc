#include "orrery/sdk/devs_model.h"

#include <cstdint>
#include <exception>
#include <vector>

#include "orrery/sdk/internal/number_ports.h"

namespace orrery {
namespace {

constexpr std::string_view kPart = "model";

// A model whose only part is an atomic one, with the ports of this.
class Enclosed : public devs::Coupled {
 public:
  Enclosed(std::string_view name, std::unique_ptr<devs::Model> part)
      : Coupled(name) {
    const devs::Model& inner = *part;
    Adopt(kPart, std::move(part));
    for (const devs::Port* port = inner.first_port(); port != nullptr;
         port = port->next()) {
      ports_.push_back(internal::MakePortLike(*port, *this));
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

// What `function` does; whatever it throws is the model's fault, unless
// `is_told` says that it is told already.
template <typename Function, typename IsTold>
auto Blaming(const std::string& what, Function function, IsTold is_told) {
  const auto blame = [&](const std::string& why) {
    return Error(ErrorCode::kInvalidModel, "cannot " + what + ": " + why);
  };
  try {
    return function();
  } catch (const std::exception& error) {
    if (is_told()) {
      throw;
    }
    throw blame(error.what());
  } catch (...) {
    throw blame("it throws what is no std::exception; throw one of these");
  }
}

}  // namespace

std::string DevsModel::Bare(std::string_view name) {
  const std::size_t arguments = name.find('<');
  const std::size_t scope = name.substr(0, arguments).rfind("::");
  return std::string(scope == std::string_view::npos ? name
                                                     : name.substr(scope + 2));
}

std::unique_ptr<devs::Coupled> DevsModel::Make(Parameters& parameters) const {
  std::unique_ptr<devs::Model> model = Blaming(
      "make model " + name_,
      [&] { return make_(parameters); },
      [&] { return parameters.has_refused(); });
  parameters.CheckAllDeclared(name_);
  if (model->ops() != nullptr) {
    return std::make_unique<Enclosed>(name_, std::move(model));
  }
  return std::unique_ptr<devs::Coupled>(
      static_cast<devs::Coupled*>(model.release()));
}

Record DevsModel::ResultsOf(const devs::Coupled& model,
                            const devs::Simulator& run) const {
  Record results;
  if (add_results_) {
    const auto* const enclosed = dynamic_cast<const Enclosed*>(&model);
    const devs::Model& made = enclosed == nullptr
                                  ? static_cast<const devs::Model&>(model)
                                  : *enclosed->FindPart(kPart);
    Blaming(
        "tell the results of " + name_,
        [&] { add_results_(made, run, results); },
        [] { return false; });
  }
  return results;
}

}  // namespace orrery
