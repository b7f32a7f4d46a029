#include "orrery/fmi/fmu.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>
#include <utility>

#include "orrery/base/error.h"

namespace orrery::fmi {
namespace {

constexpr std::string_view kDescriptionName = "modelDescription.xml";
constexpr std::string_view kBinaries = "binaries/";
constexpr std::string_view kSources = "sources/";

// The message for an archive without a description.
std::string WithoutDescription(const Archive& archive) {
  constexpr std::size_t kMost = 5;
  std::string names;
  const auto& files = archive.files();
  for (std::size_t i = 0; i < std::min(files.size(), kMost); ++i) {
    names += (i == 0 ? "" : ", ") + files[i].name;
  }
  if (files.size() > kMost) {
    names += " and " + std::to_string(files.size() - kMost) + " other files";
  }
  return "cannot read " + archive.name() + ": it has no " +
         std::string(kDescriptionName) + ", which an FMU has at the top; it " +
         (names.empty() ? "is empty" : "has " + names);
}

}  // namespace

std::string PlatformHere(FmiVersion version) {
#if defined(__x86_64__)
  return version == FmiVersion::k2 ? "linux64" : "x86_64-linux";
#else
  // FMI 2.0 names no other processors; its tools use the name of FMI 3.0.
  static_cast<void>(version);
  return "aarch64-linux";
#endif
}

Fmu ReadFmu(std::shared_ptr<const SourceFile> file, Diagnostics& diagnostics) {
  Fmu fmu;
  fmu.archive = std::make_shared<const Archive>(std::move(file));
  const Archive& archive = *fmu.archive;
  const Archive::Entry* const entry = archive.Find(kDescriptionName);
  if (entry == nullptr) {
    throw Error(ErrorCode::kInvalidModel, WithoutDescription(archive));
  }
  std::set<std::string> platforms;
  for (const Archive::Entry& its : archive.files()) {
    const std::string_view name = its.name;
    if (name.starts_with(kBinaries)) {
      const std::size_t end = name.find('/', kBinaries.size());
      if (end != std::string_view::npos) {
        platforms.emplace(
            name.substr(kBinaries.size(), end - kBinaries.size()));
      }
    }
    fmu.has_sources = fmu.has_sources || name.starts_with(kSources);
  }
  fmu.platforms.assign(platforms.begin(), platforms.end());
  Diagnostics findings;
  fmu.description = ReadDescription(
      std::make_shared<const SourceFile>(archive.name() + "/" + entry->name,
                                         archive.Read(*entry)),
      findings);
  findings.ThrowIfErrors();
  for (const Diagnostic& finding : findings.list()) {
    diagnostics.Add(finding);
  }
  return fmu;
}

}  // namespace orrery::fmi
