#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::modelica::internal {

/// The location of an external function's code according to its annotations
/// (specification 3.6, section 12.9.4).
struct ForeignCode {
  std::string function;                ///< Its name for the linker.
  bool is_ours = false;                ///< A built-in text calls it.
  std::vector<std::string> libraries;  ///< "m" means libm.so.
  std::vector<std::string> library_folders;
  std::string include;  ///< C text, often "#include ...".
  std::vector<std::string> include_folders;
  std::string home;  ///< The folder of the model, or of its whole library.
};

/// The rights of models to run code and write files, from the environment
/// variable ORRERY_EXTERNAL.
enum class ModelRights : std::uint8_t {
  kAll,      ///< Unset: they may do both.
  kTrusted,  ///< "trusted:FOLDER:...": they may run code if they are in one of
             ///< the folders.
  kNothing,  ///< "describe": nothing is run or written while they are examined.
  kRefused   ///< "off": such a model is refused.
};

[[nodiscard]] ModelRights RightsOfModels();

/// The cases of refusal, for messages.
inline constexpr std::string_view kWhereNot =
    "where the environment variable ORRERY_EXTERNAL is 'off', nor by a worker "
    "without --plugins";

/// Says why code of a model in folder `home` may not be run; empty if it may,
/// or if models may do nothing and are only examined.
[[nodiscard]] std::string WhyNotRun(const std::string& home);

/// Finds the function's address. Searches the libraries, then the C text,
/// compiled by $CC or cc, then C sources beside the library's folders, then the
/// loaded libraries. Opened libraries stay open.
/// @returns null if models may do nothing, unless the function is ours.
/// @throws Error kUnsupported with the places searched and the compiler's
///     messages; also if the model may not run the function.
[[nodiscard]] void* FindCode(const ForeignCode& code);

}  // namespace orrery::modelica::internal
