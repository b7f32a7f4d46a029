#include "orrery/modelica/library_texts/syntax_cache.h"

#include <string>

#include "orrery/syntax/parser.h"

namespace orrery::modelica::internal {

const SyntaxCache::Parsed& SyntaxCache::Parse(
    const std::shared_ptr<const SourceFile>& file) {
  const auto [found, is_new] = trees_.try_emplace(file);
  if (is_new) {
    Diagnostics diagnostics;
    found->second.tree = modelica::Parse(file, diagnostics);
    found->second.findings = diagnostics.list();
  }
  return found->second;
}

const std::shared_ptr<const SourceFile>& SyntaxCache::FileOf(
    const LibraryText& text) {
  const auto [found, is_new] = built_in_.try_emplace(&text);
  if (is_new) {
    found->second = std::make_shared<SourceFile>(std::string(text.file),
                                                 std::string(text.text));
  }
  return found->second;
}

void SyntaxCache::Forget(const std::shared_ptr<const SourceFile>& file) {
  trees_.erase(file);
}

}  // namespace orrery::modelica::internal
