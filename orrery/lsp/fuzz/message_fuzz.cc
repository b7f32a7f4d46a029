#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "orrery/lsp/language_server.h"

// A session whose messages are the lines of the input. It opens a text first,
// so that requests have something to ask about.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static orrery::lsp::LanguageServer server(
      {.libraries = {},
       .cache = "/tmp/orrery-fuzz",
       .checks = false,
       .command = "/nowhere/orrery"},
      [](const orrery::lsp::Json& /*message*/) {});
  server.Take(R"({"id":0,"method":"initialize","params":{}})");
  server.Take(
      R"({"method":"textDocument/didOpen","params":{"textDocument":{)"
      R"("uri":"file:///nowhere/m.mo","version":1,"text":)"
      R"("model M\n  Real x(start=1);\nequation\n  der(x) = -x;\nend M;\n"}}})");
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    // These would end the session for the inputs to come, or start a process.
    const bool is_left_out =
        line.find("shutdown") != std::string_view::npos ||
        line.find("executeCommand") != std::string_view::npos ||
        line.find("orrery/equations") != std::string_view::npos;
    if (!is_left_out) {
      server.Take(line);
    }
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return 0;
}
