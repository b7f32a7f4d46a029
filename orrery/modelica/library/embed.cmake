# Writes the library's texts as one C++ source.
#   cmake -DFOLDER=... -DFILES=A/package.mo;A/B.mo -DOUTPUT=... -P embed.cmake
set(content "")
foreach(file IN LISTS FILES)
  file(READ "${FOLDER}/${file}" text)
  string(REGEX REPLACE "(/package)?\\.mo$" "" name "${file}")
  string(REPLACE "/" "." name "${name}")
  string(APPEND content
    "    {\"${name}\", \"${file}\",\nR\"orrery(${text})orrery\"},\n")
endforeach()
file(WRITE "${OUTPUT}"
"// Made from the .mo files by embed.cmake.
#include \"orrery/modelica/library_texts/standard_library.h\"

#include <array>

namespace orrery::modelica::internal {
namespace {

constexpr std::array kTexts = std::to_array<LibraryText>({
${content}});

}  // namespace

std::span<const LibraryText> StandardLibrary() noexcept {
  return kTexts;
}

}  // namespace orrery::modelica::internal
")
