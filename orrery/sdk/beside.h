#pragma once

#include <string>
#include <string_view>
#include <typeinfo>

namespace orrery {

namespace internal {

[[nodiscard]] std::string PathBeside(const void* code, std::string_view name);

}  // namespace internal

/// The path of a file that lies beside the library or program that class `T` is
/// in, wherever this is and whatever the current folder: how a model that is a
/// plug-in finds what it reads.
///
///     Add(Compile(LoadFile(PathBeside<Station>("tank.mo"))));
///
/// `orrery_add_model(station station.cc FILES tank.mo)` puts it there.
///
/// @tparam T of one's own: defined in a source of that library or program.
/// @param name may have folders: "models/tank.mo".
/// @returns an absolute path; whether the file is there is not looked at. Where
///     a symbolic link leads to the library, it is followed.
template <typename T>
[[nodiscard]] std::string PathBeside(std::string_view name) {
  return internal::PathBeside(&typeid(T), name);
}

}  // namespace orrery
