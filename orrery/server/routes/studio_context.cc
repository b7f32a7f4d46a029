#include "orrery/server/routes/studio_context.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace orrery::server {
namespace {

// Half of this machine's; models that need more end before it stands still.
std::size_t HalfOfMemory() {
  constexpr std::size_t kLeast = std::size_t{2} << 30U;
  const auto pages = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES));
  const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return std::max(kLeast, pages * size / 2);
}

// Events of a studio have numbers above those of the studios before it: a page
// that knew one of those learns that it has missed some. None publishes a
// thousand a second all its life.
std::uint64_t NumberBeforeTheFirstEvent() {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(
          std::chrono::system_clock::now().time_since_epoch())
          .count());
}

}  // namespace

StudioContext::StudioContext(const StudioOptions& given)
    : options(given),
      folder(given.folder),
      drafts(given.state, folder.path()),
      trust(given.programs + "/orrery", folder.path()),
      events(EventRing::kCapacity,
             EventRing::kMostBytes,
             NumberBeforeTheFirstEvent()),
      runs({.command = given.programs + "/orrery",
            .folder = folder.path(),
            .most_memory = HalfOfMemory()},
           events),
      language({.argv = given.language_server.empty()
                            ? std::vector{given.programs + "/orrery-lsp"}
                            : given.language_server,
                .folder = folder.path()},
               events),
      results(folder.path() + "/orrery.db"),
      traces(results),
      plans({.command = given.programs + "/orrery",
             .folder = folder.path(),
             .most_memory = HalfOfMemory()}) {}

}  // namespace orrery::server
