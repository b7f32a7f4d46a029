#pragma once

#include <span>
#include <string>
#include <vector>

#include <pybind11/numpy.h>

namespace orrery::python {

/// A read-only array that looks at `values`, which live as long as `owner`.
[[nodiscard]] pybind11::array ViewOf(std::span<const double> values,
                                     const pybind11::handle& owner);

/// The same for numbers that stand `stride` bytes apart.
template <typename T>
[[nodiscard]] pybind11::array ViewOf(const T* first,
                                     std::size_t count,
                                     std::size_t stride,
                                     const pybind11::handle& owner) {
  pybind11::array view(
      pybind11::dtype::of<T>(), {count}, {stride}, first, owner);
  pybind11::detail::array_proxy(view.ptr())->flags &=
      ~pybind11::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return view;
}

/// A read-only array of these numbers.
[[nodiscard]] pybind11::array Frozen(std::vector<double> values);

/// One number, `count` times, without memory for each.
[[nodiscard]] pybind11::array Repeated(double value, std::size_t count);

using Numbers =
    pybind11::array_t<double,
                      pybind11::array::c_style | pybind11::array::forcecast>;

[[nodiscard]] inline std::span<const double> SpanOf(const Numbers& numbers) {
  return {numbers.data(), static_cast<std::size_t>(numbers.size())};
}

/// Checks a part of a pickle, `what`.
/// @throws Error kInvalidArgument unless it holds.
void Require(bool holds, const std::string& what);

}  // namespace orrery::python
