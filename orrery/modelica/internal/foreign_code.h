#pragma once

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
};

/// Whether models may run code of their own and write files: not where the
/// environment variable ORRERY_EXTERNAL is "off".
[[nodiscard]] bool MayModelsAct();

/// Where they may not, for messages.
inline constexpr std::string_view kWhereNot =
    "where the environment variable ORRERY_EXTERNAL is 'off', nor by a worker "
    "without --plugins";

/// Its address: in the libraries, in the C text once that is compiled by the C
/// compiler, $CC or cc, or in what is loaded already. What was opened stays
/// open.
/// @throws Error kUnsupported, saying what was looked for and what the compiler
///     said; always where models may not act, unless it is ours.
[[nodiscard]] void* FindCode(const ForeignCode& code);

}  // namespace orrery::modelica::internal
