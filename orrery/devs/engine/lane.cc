#include "orrery/devs/engine/lane.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "orrery/devs/engine/run.h"

namespace orrery::devs::internal {

const Coupled& Lane::around() const {
  return *run_.models.slots[model].model->parent();
}

void Lane::Ask(bool is_of_parts, std::function<void(Coupled& around)> make) {
  changes.push_back({.caller = model,
                     .around = &around(),
                     .is_of_parts = is_of_parts,
                     .make = std::move(make)});
}

void Lane::AddPart(std::string_view name, std::unique_ptr<Model> part) {
  // Shared, as functions are copied and their models are not.
  const auto shared = std::make_shared<std::unique_ptr<Model>>(std::move(part));
  Ask(true, [name = std::string(name), shared](Coupled& around) {
    around.Adopt(name, std::move(*shared));
  });
}

void Lane::Remove(const Model& part) {
  Ask(true, [this, &part](Coupled& around) {
    run_.changes.Remove(run_, part, around);
  });
}

void Lane::Couple(const Port& from, const Port& to) {
  Ask(false, [&from, &to](Coupled& around) { around.Couple(from, to); });
}

void Lane::Uncouple(const Port& from, const Port& to) {
  Ask(false, [&from, &to](Coupled& around) { around.Uncouple(from, to); });
}

}  // namespace orrery::devs::internal
