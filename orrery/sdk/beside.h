#pragma once

#include <string>
#include <string_view>
#include <typeinfo>

namespace orrery {

namespace sdk::internal {

[[nodiscard]] std::string PathBeside(const void* code, std::string_view name);

}  // namespace sdk::internal

/// Returns the path of a file in the folder of the library or program that
/// defines class `T`, independent of the current folder. A model that is a
/// plug-in finds its files by it.
///
///     Add(Compile(LoadFile(PathBeside<Station>("tank.mo"))));
///
/// `orrery_add_model(station station.cc FILES tank.mo)` puts it there.
///
/// @tparam T a class of your own, defined in a source of that library or
///     program.
/// @param name may have folders: "models/tank.mo".
/// @returns an absolute path; the file need not exist. Symbolic links to the
///     library are followed.
template <typename T>
[[nodiscard]] std::string PathBeside(std::string_view name) {
  return sdk::internal::PathBeside(&typeid(T), name);
}

}  // namespace orrery
