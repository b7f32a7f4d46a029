#include "orrery/sdk/documents/source_hash.h"

#include <string_view>

#include <fmt/format.h>

#include "orrery/base/numbers/random.h"
#include "orrery/base/source_file.h"

namespace orrery {
namespace {

std::string HashOf(std::string_view bytes) {
  return fmt::format("{:016x}", StableHash(bytes));
}

}  // namespace

std::string HashOfCode(const std::string& file) {
  return HashOf(SourceFile::Read(file)->text());
}

std::string SourceHashOf(const RunDocument& document) {
  if (document.made) {
    return "";
  }
  return IsCode(document) ? HashOfCode(document.file)
                          : HashOf(document.files.Read(document.file)->text());
}

}  // namespace orrery
