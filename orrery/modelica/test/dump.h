#pragma once

#include <string>

#include "orrery/model/flat_model.h"

namespace orrery::modelica {

/// A flat model as compact text, one item a line:
///
///     parameter k = 2, start 1, fixed, unit m/s, min 0
///     Real x[3], start 1
///     x[i] = k*i for i in 1:3
///     initial x = 1
///     connect a.p.v, -b.p.v flow
///     when b and not pre(b): reinit v = -e*v
///     assert x > 0: "x is " x
///     warn x > 0: "x is " x
///     terminate x > 9: "done"
///
/// The model's own end of a flow's connection (outside) has a minus.
[[nodiscard]] std::string Dump(const FlatModel& model);

/// Flattens `text` and dumps it; an error in it is a test failure.
[[nodiscard]] std::string DumpOf(const std::string& text,
                                 const std::string& class_name = {});

/// The rendered errors in `text`.
[[nodiscard]] std::string ErrorsOf(const std::string& text,
                                   const std::string& class_name = {});

}  // namespace orrery::modelica
