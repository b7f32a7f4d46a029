#pragma once

#include <string>
#include <vector>

namespace orrery::modelica::internal {

/// Where the code of an external function is, as annotations of it say
/// (specification 3.6, section 12.9.4).
struct ForeignCode {
  std::string function;                ///< Its name for the linker.
  std::vector<std::string> libraries;  ///< "m" stands for libm.so.
  std::vector<std::string> library_folders;
  std::string include;  ///< C text, often "#include ...".
  std::vector<std::string> include_folders;
};

/// Its address: in the libraries, in what is loaded already, else in the C text
/// once that is compiled by the C compiler, $CC or cc. What was opened stays
/// open.
/// @throws Error kUnsupported, saying what was looked for and what the compiler
///     said; always if $ORRERY_EXTERNAL is "off".
[[nodiscard]] void* FindCode(const ForeignCode& code);

}  // namespace orrery::modelica::internal
