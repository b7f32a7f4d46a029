#include "orrery/lsp/session/session.h"

#include <cstddef>
#include <utility>

namespace orrery::lsp {
namespace {

constexpr std::size_t kFilesAtOnce = 8;

}  // namespace

void Reply(Session& session, const Json& id, Json result) {
  session.send({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

void Refuse(Session& session,
            const Json& id,
            int code,
            const std::string& why) {
  session.send({{"jsonrpc", "2.0"},
                {"id", id},
                {"error", {{"code", code}, {"message", why}}}});
}

void Notify(Session& session, const std::string& method, Json params) {
  session.send(
      {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

bool WorkOnIndex(Session& session) {
  return session.index != nullptr && session.index->Work(kFilesAtOnce);
}

void FinishIndex(Session& session) {
  while (WorkOnIndex(session)) {
  }
}

}  // namespace orrery::lsp
