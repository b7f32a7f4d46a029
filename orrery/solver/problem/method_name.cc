#include "orrery/solver/problem/method_name.h"

#include <cstddef>
#include <string>
#include <vector>

#include "orrery/base/error.h"

namespace orrery {

const MethodName& NameOf(Method method) noexcept {
  return kMethodNames[static_cast<std::size_t>(method)];
}

bool HasFixedStep(Method method) noexcept {
  switch (method) {
    case Method::kEuler:
    case Method::kImplicitEuler:
    case Method::kSymplecticEuler:
    case Method::kMidpoint:
    case Method::kHeun:
    case Method::kAdamsBashforth2:
    case Method::kRungeKutta4:
    case Method::kTrapezoid:
      return true;
    default:
      return false;
  }
}

bool IsExplicitWithFixedStep(Method method) noexcept {
  return HasFixedStep(method) && method != Method::kImplicitEuler &&
         method != Method::kTrapezoid;
}

Method MethodFromName(std::string_view name) {
  std::vector<std::string> names;
  for (const MethodName& known : kMethodNames) {
    if (known.name == name) {
      return known.method;
    }
    names.emplace_back(known.name);
  }
  std::string message =
      "cannot integrate by '" + std::string(name) + "': no such method; ";
  const std::string nearest = Nearest(name, names);
  if (!nearest.empty()) {
    message += "did you mean '" + nearest + "'? ";
  }
  message += "known: " + names.front();
  for (std::size_t i = 1; i < names.size(); ++i) {
    message += ", " + names[i];
  }
  throw Error(ErrorCode::kInvalidArgument, message);
}

}  // namespace orrery
