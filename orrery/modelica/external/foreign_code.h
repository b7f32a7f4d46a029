#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::modelica::internal {

/// Where the code of an external function is, as annotations of it say
/// (specification 3.6, section 12.9.4).
struct ForeignCode {
  std::string function;                ///< Its name for the linker.
  bool is_ours = false;                ///< The text that is built in calls it.
  std::vector<std::string> libraries;  ///< "m" stands for libm.so.
  std::vector<std::string> library_folders;
  std::string include;  ///< C text, often "#include ...".
  std::vector<std::string> include_folders;
  std::string home;  ///< The folder of the model, or of its whole library.
};

/// What models may do beside computing, as the environment variable
/// ORRERY_EXTERNAL says.
enum class ModelRights : std::uint8_t {
  kAll,      ///< Unset: they run code of their own, and write files.
  kTrusted,  ///< "trusted:FOLDER:...": they run code if they are in one of
             ///< these.
  kNothing,  ///< "describe": nothing of that happens while they are looked at.
  kRefused   ///< "off": a model that would is refused.
};

[[nodiscard]] ModelRights RightsOfModels();

/// Where they may not, for messages.
inline constexpr std::string_view kWhereNot =
    "where the environment variable ORRERY_EXTERNAL is 'off', nor by a worker "
    "without --plugins";

/// Its address: in the libraries, in the C text once that is compiled by the C
/// compiler, $CC or cc, or in what is loaded already. What was opened stays
/// open.
/// @returns null where nothing is to happen, unless it is ours.
/// @throws Error kUnsupported, saying what was looked for and what the compiler
///     said; also where the model may not run it, unless it is ours.
[[nodiscard]] void* FindCode(const ForeignCode& code);

}  // namespace orrery::modelica::internal
