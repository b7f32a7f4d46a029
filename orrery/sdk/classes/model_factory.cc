#include "orrery/sdk/classes/model_factory.h"

namespace orrery::sdk::internal {

std::string BareName(std::string_view name) {
  const std::size_t arguments = name.find('<');
  const std::size_t scope = name.substr(0, arguments).rfind("::");
  return std::string(scope == std::string_view::npos ? name
                                                     : name.substr(scope + 2));
}

void Blame(const std::string& what) {
  std::string why = "it throws what is no std::exception; throw one of these";
  try {
    throw;
  } catch (const std::exception& error) {
    why = error.what();
  } catch (...) {  // Keep the reason above.
  }
  throw Error(ErrorCode::kInvalidModel, "cannot " + what + ": " + why);
}

}  // namespace orrery::sdk::internal
