#include "orrery/server/results/stored_code.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "orrery/sdk/fmu/fmu_file.h"

namespace orrery::server {
namespace {

namespace fs = std::filesystem;

// Empty if it cannot be read.
std::string TextAt(const fs::path& path) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) {
    return "";
  }
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::string StoredCode(ExperimentStore& store,
                       ExperimentId id,
                       const std::string& folder) {
  const ExperimentRecord record = store.Read(id);
  const RunDocument document = RunDocumentFromJson(record.document);
  if (IsCode(document) || IsFmu(document.file) || IsFmuSystem(document.file)) {
    return document.file;
  }
  const auto found =
      std::ranges::find_if(record.attachments, [&](const AttachmentInfo& file) {
        const std::string text = store.ReadAttachment(id, file.name);
        return text.find("external") != std::string::npos &&
               text != TextAt(fs::path(folder) / file.name);
      });
  return found == record.attachments.end() ? "" : found->name;
}

}  // namespace orrery::server
