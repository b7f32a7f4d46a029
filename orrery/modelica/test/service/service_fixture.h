#pragma once

#include <memory>
#include <string>

#include "orrery/modelica/workspace/workspace.h"

namespace orrery::modelica {

/// A workspace with one open text.
class OneText {
 public:
  explicit OneText(const std::string& text,
                   const std::string& path = "/nowhere/text.mo")
      : path_(path) {
    workspace.Open(path, text);
  }

  [[nodiscard]] std::shared_ptr<const Document> document() {
    return workspace.Read(path_);
  }

  /// The offset of the `number`-th place where `word` stands, from 0.
  [[nodiscard]] std::uint32_t At(const std::string& word, int number = 0) {
    const std::string text(document()->text());
    std::size_t at = text.find(word);
    for (; number > 0; --number) {
      at = text.find(word, at + 1);
    }
    return static_cast<std::uint32_t>(at);
  }

  Workspace workspace{{}};

 private:
  std::string path_;
};

}  // namespace orrery::modelica
