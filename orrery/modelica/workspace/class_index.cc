#include "orrery/modelica/workspace/class_index.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/modelica/library_texts/standard_library.h"
#include "orrery/modelica/workspace/document.h"
#include "orrery/syntax/parser.h"

namespace orrery::modelica {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPackageMo = "package.mo";
constexpr std::size_t kMaxLevels = 50;
constexpr int kNoRank = 9;  // For a class that is not searched for.

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return lower;
}

std::vector<std::string> WordsOf(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : Lower(text) + ' ') {
    if (c != ' ') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  return words;
}

// The place of a class in the answer for these words, 0 the best; kNoRank for
// one that does not belong to it.
int RankOf(const ClassEntry& entry,
           const std::string& whole,
           const std::vector<std::string>& words) {
  const std::string_view all = entry.searched;
  const std::string_view name = all.substr(0, entry.name.size());
  const std::string_view last = name.substr(name.rfind('.') + 1);
  if (last == whole || name == whole) {
    return 0;
  }
  if (last.starts_with(whole)) {
    return 1;
  }
  if (last.find(whole) != std::string_view::npos) {
    return 2;
  }
  const auto all_in = [&words](std::string_view text) {
    return std::ranges::all_of(words, [text](const std::string& word) {
      return text.find(word) != std::string_view::npos;
    });
  };
  if (all_in(name)) {
    return 3;
  }
  return all_in(all) ? 4 : kNoRank;
}

std::vector<fs::path> EntriesOf(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    entries.push_back(at->path());
  }
  std::ranges::sort(entries);
  return entries;
}

}  // namespace

// The lines of a text, for places that come in order.
class ClassIndex::Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}

  // The number of the line of `offset`; `begin` becomes where it begins.
  std::uint32_t LineOf(std::uint32_t offset, std::uint32_t& begin) {
    for (; at_ < offset; ++at_) {
      const bool is_end =
          text_[at_] == '\n' ||
          (text_[at_] == '\r' && text_.substr(at_ + 1, 1) != "\n");
      if (is_end) {
        ++line_;
        begin_ = at_ + 1;
      }
    }
    begin = begin_;
    return line_;
  }

  [[nodiscard]] std::string_view text() const noexcept { return text_; }

 private:
  std::string_view text_;
  std::uint32_t at_ = 0;
  std::uint32_t line_ = 0;
  std::uint32_t begin_ = 0;
};

ClassIndex::ClassIndex(const std::vector<std::string>& folders) {
  std::set<std::string> libraries;
  for (const std::string& folder : folders) {
    // The newest of several versions is the last.
    std::vector<fs::path> entries = EntriesOf(folder);
    std::ranges::reverse(entries);
    for (const fs::path& entry : entries) {
      const std::string file = entry.filename().string();
      const std::string library = file.substr(0, file.find(' '));
      const bool is_new =
          fs::exists(entry / kPackageMo) && libraries.insert(library).second;
      if (is_new) {
        AddPackage(entry.string(), 0);
      } else if (entry.extension() == ".mo") {
        waiting_.push_back(entry.string());
      }
    }
  }
  for (const internal::LibraryText& text : internal::StandardLibrary()) {
    if (!libraries.contains(
            std::string(text.name.substr(0, text.name.find('.'))))) {
      Diagnostics ignored;
      Add(*Parse(std::make_shared<SourceFile>(std::string(text.file),
                                              std::string(text.text)),
                 ignored));
    }
  }
  std::ranges::reverse(waiting_);
}

void ClassIndex::AddPackage(const std::string& folder, std::size_t level) {
  if (level > kMaxLevels) {
    return;
  }
  waiting_.push_back((fs::path(folder) / kPackageMo).string());
  for (const fs::path& entry : EntriesOf(folder)) {
    if (entry.extension() == ".mo") {
      if (entry.filename() != kPackageMo) {
        waiting_.push_back(entry.string());
      }
    } else if (fs::exists(entry / kPackageMo)) {
      AddPackage(entry.string(), level + 1);
    }
  }
}

bool ClassIndex::Work(std::size_t files) {
  for (; files > 0 && !waiting_.empty(); --files) {
    const std::string path = std::move(waiting_.back());
    waiting_.pop_back();
    try {
      Diagnostics ignored;
      Add(*Parse(SourceFile::Read(path), ignored));
    } catch (const Error&) {
      continue;  // A file that cannot be read has no classes.
    }
  }
  return !waiting_.empty();
}

void ClassIndex::Add(const ast::StoredDefinition& tree) {
  std::string prefix;
  if (tree.within && !tree.within->parts.empty()) {
    prefix = ast::ToString(*tree.within) + ".";
  }
  Lines lines(tree.file->text());
  for (const ast::StoredClass& stored : tree.classes) {
    AddClass(*stored.definition,
             prefix + std::string(stored.definition->name.text),
             tree.file->name(),
             lines);
  }
}

void ClassIndex::AddClass(const ast::ClassDefinition& text,
                          const std::string& name,
                          const std::string& path,
                          Lines& lines) {
  ClassEntry entry = {.name = name,
                      .kind = text.prefixes.kind,
                      .is_partial = text.prefixes.is_partial,
                      .description = ast::ToString(text.description.strings),
                      .path = path,
                      .span = text.name.span};
  std::uint32_t begin = 0;
  entry.line = lines.LineOf(text.name.span.begin, begin);
  entry.line_begin =
      std::string(lines.text().substr(begin, text.name.span.begin - begin));
  entry.searched = Lower(name + " " + entry.description);
  entries_[name] = std::move(entry);
  for (const ast::ClassDefinition* const nested : modelica::ClassesIn(text)) {
    AddClass(*nested, name + "." + std::string(nested->name.text), path, lines);
  }
}

void ClassIndex::Replace(const ast::StoredDefinition& tree) {
  std::erase_if(entries_, [&](const auto& entry) {
    return entry.second.path == tree.file->name();
  });
  Add(tree);
}

void ClassIndex::Remove(std::string_view path) {
  const std::string inside = std::string(path) + "/";
  std::erase_if(entries_, [&](const auto& entry) {
    return entry.second.path == path || entry.second.path.starts_with(inside);
  });
}

const ClassEntry* ClassIndex::Find(std::string_view name) const {
  const auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : &found->second;
}

std::vector<const ClassEntry*> ClassIndex::ClassesIn(
    std::string_view package) const {
  std::vector<const ClassEntry*> classes;
  const std::string prefix = package.empty() ? "" : std::string(package) + ".";
  for (auto at = entries_.lower_bound(prefix);
       at != entries_.end() && at->first.starts_with(prefix);
       ++at) {
    if (at->first.find('.', prefix.size()) == std::string::npos) {
      classes.push_back(&at->second);
    }
  }
  return classes;
}

std::vector<const ClassEntry*> ClassIndex::Search(std::string_view text,
                                                  std::size_t limit) const {
  const std::string whole = Lower(text);
  const std::vector<std::string> words = WordsOf(text);
  using Ranked = std::tuple<int, std::size_t, const ClassEntry*>;
  std::vector<Ranked> ranked;
  for (const auto& [name, entry] : entries_) {
    const int rank = RankOf(entry, whole, words);
    if (rank < kNoRank) {
      ranked.emplace_back(rank, name.size(), &entry);
    }
  }
  std::ranges::stable_sort(ranked, [](const Ranked& a, const Ranked& b) {
    return std::pair(std::get<0>(a), std::get<1>(a)) <
           std::pair(std::get<0>(b), std::get<1>(b));
  });
  std::vector<const ClassEntry*> found;
  for (const Ranked& its : ranked) {
    if (found.size() == limit) {
      break;
    }
    found.push_back(std::get<2>(its));
  }
  return found;
}

}  // namespace orrery::modelica
