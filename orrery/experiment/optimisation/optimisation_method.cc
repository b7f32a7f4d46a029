#include "orrery/experiment/optimisation/optimisation_method.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "orrery/base/error.h"

namespace orrery {
namespace {

using enum OptimisationMethod;

constexpr std::array kMethods = {
    OptimisationMethodInfo{.method = kAuto,
                           .name = "auto",
                           .takes_inequalities = true,
                           .takes_equalities = true},
    OptimisationMethodInfo{
        .method = kBobyqa, .name = "bobyqa", .least_dimension = 2},
    OptimisationMethodInfo{.method = kCobyla,
                           .name = "cobyla",
                           .takes_inequalities = true,
                           .takes_equalities = true},
    OptimisationMethodInfo{.method = kNelderMead, .name = "nelder-mead"},
    OptimisationMethodInfo{.method = kSubplex, .name = "subplex"},
    OptimisationMethodInfo{.method = kSlsqp,
                           .name = "slsqp",
                           .uses_slopes = true,
                           .takes_inequalities = true,
                           .takes_equalities = true},
    OptimisationMethodInfo{
        .method = kLbfgs, .name = "l-bfgs", .uses_slopes = true},
    OptimisationMethodInfo{.method = kMma,
                           .name = "mma",
                           .uses_slopes = true,
                           .takes_inequalities = true},
    OptimisationMethodInfo{.method = kCcsaq,
                           .name = "ccsaq",
                           .uses_slopes = true,
                           .takes_inequalities = true},
    OptimisationMethodInfo{
        .method = kDirectL, .name = "direct-l", .is_global = true},
    OptimisationMethodInfo{.method = kCrs2, .name = "crs2", .is_global = true},
    OptimisationMethodInfo{.method = kIsres,
                           .name = "isres",
                           .is_global = true,
                           .takes_inequalities = true,
                           .takes_equalities = true},
    OptimisationMethodInfo{.method = kEsch, .name = "esch", .is_global = true},
    OptimisationMethodInfo{.method = kMlsl,
                           .name = "mlsl",
                           .is_global = true,
                           .least_dimension = 2}};

}  // namespace

std::span<const OptimisationMethodInfo> OptimisationMethods() noexcept {
  return kMethods;
}

const OptimisationMethodInfo& InfoOf(OptimisationMethod method) noexcept {
  return kMethods[static_cast<std::size_t>(method)];
}

OptimisationMethod OptimisationMethodOf(std::string_view name) {
  const auto* const found =
      std::ranges::find(kMethods, name, &OptimisationMethodInfo::name);
  if (found != kMethods.end()) {
    return found->method;
  }
  std::vector<std::string> known;
  std::string all;
  known.reserve(kMethods.size());
  for (const OptimisationMethodInfo& info : kMethods) {
    known.emplace_back(info.name);
    all += (all.empty() ? "" : ", ") + known.back();
  }
  // They are too many for Suggest to list.
  const std::string nearest = Nearest(name, known);
  throw Error(ErrorCode::kInvalidArgument,
              "cannot optimise by '" + std::string(name) +
                  "': there is no such method; " +
                  (nearest.empty() ? "known: " + all
                                   : "did you mean '" + nearest + "'?"));
}

}  // namespace orrery
