#include "orrery/modelica/values/lowering_context.h"

#include <algorithm>

namespace orrery::modelica::internal {

const LoweringContext::Local* LoweringContext::FindLocal(
    std::string_view name) const {
  for (std::size_t i = locals.size(); i-- > 0;) {
    if (locals[i].name == name) {
      return &locals[i];
    }
  }
  return nullptr;
}

bool LoweringContext::IsReached() const {
  return std::ranges::none_of(iterators, [this](Expr iterator) {
    return session.graph.IteratorRange(iterator).count == 0;
  });
}

LoweringMark LoweringContext::Save() const noexcept {
  return {.locals = locals.size(),
          .ends = ends.size(),
          .iterators = iterators.size(),
          .fixes_parameters = fixes_parameters};
}

void LoweringContext::Restore(const LoweringMark& mark) {
  locals.resize(mark.locals);
  ends.resize(mark.ends);
  iterators.resize(mark.iterators);
  fixes_parameters = mark.fixes_parameters;
}

}  // namespace orrery::modelica::internal
