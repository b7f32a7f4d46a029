# Writes a source with the files of the page, packed by gzip.
#   cmake -DPAGE=web/dist -DPACKED=folder -DSOURCE=page_data.cc -P OrreryPage.cmake
# Without a page it has none. The assembler includes the files, which takes no
# time.

find_program(GZIP gzip REQUIRED)
file(GLOB_RECURSE paths RELATIVE "${PAGE}" "${PAGE}/*")
list(SORT paths)
set(texts "")
set(names "")
set(entries "")
set(number 0)
file(MAKE_DIRECTORY "${PACKED}")
foreach(path IN LISTS paths)
  if(path MATCHES "\\.map$")
    continue()
  endif()
  execute_process(COMMAND "${GZIP}" -9 -n -c "${PAGE}/${path}"
    OUTPUT_FILE "${PACKED}/${number}.gz" COMMAND_ERROR_IS_FATAL ANY)
  set(name "orrery_page_${number}")
  string(APPEND texts "asm(\".pushsection .rodata\\n\"
    \"${name}_begin:\\n.incbin \\\"${PACKED}/${number}.gz\\\"\\n\"
    \"${name}_end:\\n.byte 0\\n.popsection\\n\");
extern \"C\" __attribute__((visibility(\"hidden\"))) const char ${name}_begin[];
extern \"C\" __attribute__((visibility(\"hidden\"))) const char ${name}_end[];
")
  string(APPEND entries "      {\"${path}\", {${name}_begin,
        static_cast<std::size_t>(${name}_end - ${name}_begin)}},
")
  math(EXPR number "${number} + 1")
endforeach()

set(source "#include <cstddef>
#include <vector>

#include \"orrery/server/page/page.h\"

${texts}
namespace orrery::server {

std::span<const PageFile> BuiltInPage() {
  static const std::vector<PageFile> files = {
${entries}  };
  return files;
}

}  // namespace orrery::server
")
file(WRITE "${SOURCE}" "${source}")
