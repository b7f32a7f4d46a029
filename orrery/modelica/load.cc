#include "orrery/modelica/load.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/modelica/classes/version_conversions.h"
#include "orrery/modelica/flattening/flattening.h"
#include "orrery/syntax/parser.h"

namespace orrery::modelica {
namespace {

struct Candidate {
  std::string name;
  bool has_experiment = false;
};

void FindCandidates(const ast::ClassDefinition& definition,
                    const std::string& prefix,
                    std::vector<Candidate>& candidates) {
  const std::string name = prefix + std::string(definition.name.text);
  if (internal::IsModel(definition)) {
    candidates.push_back(
        {.name = name,
         .has_experiment = internal::FindExperiment(definition) != nullptr});
    return;
  }
  const auto* const body = std::get_if<ast::LongClass>(&definition.node);
  if (body == nullptr || definition.prefixes.kind != ast::ClassKind::kPackage) {
    return;
  }
  for (const ast::Element& element : body->elements) {
    if (const auto* nested =
            std::get_if<const ast::ClassDefinition*>(&element.node)) {
      FindCandidates(**nested, name + ".", candidates);
    }
  }
}

std::string Join(const std::vector<std::string>& names) {
  constexpr std::size_t kMostNames = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i) {
    text += (i > 0 ? ", " : "") + names[i];
  }
  return names.size() > kMostNames ? text + ", ..." : text;
}

SourceSpan WholeOf(const std::vector<const ast::StoredDefinition*>& texts) {
  return {.file = texts.empty() ? nullptr : texts.front()->file};
}

std::vector<Candidate> AllCandidates(
    const std::vector<const ast::StoredDefinition*>& texts) {
  std::vector<Candidate> candidates;
  for (const ast::StoredDefinition* const text : texts) {
    std::string prefix =
        text->within ? ast::ToString(*text->within) : std::string();
    if (!prefix.empty()) {
      prefix += '.';
    }
    for (const ast::StoredClass& stored : text->classes) {
      FindCandidates(*stored.definition, prefix, candidates);
    }
  }
  return candidates;
}

// The model to load if none is named.
std::optional<std::string> OnlyModel(
    const std::vector<const ast::StoredDefinition*>& texts,
    Diagnostics& diagnostics) {
  std::vector<Candidate> candidates;
  if (!texts.empty()) {
    candidates = AllCandidates({texts.front()});
  }
  if (candidates.empty()) {
    candidates = AllCandidates(texts);
  }
  std::vector<std::string> all;
  std::vector<std::string> with_experiment;
  std::set<std::string_view> seen;  // Duplicates are reported elsewhere.
  for (const Candidate& candidate : candidates) {
    if (!seen.insert(candidate.name).second) {
      continue;
    }
    all.push_back(candidate.name);
    if (candidate.has_experiment) {
      with_experiment.push_back(candidate.name);
    }
  }
  if (all.size() == 1) {
    return all.front();
  }
  if (with_experiment.size() == 1) {
    return with_experiment.front();
  }
  const auto& choice = with_experiment.empty() ? all : with_experiment;
  diagnostics.Error(WholeOf(texts),
                    choice.empty() ? "there is no model in this text"
                                   : "there are several models in this text",
                    choice.empty() ? "" : "name one of them: " + Join(choice));
  return std::nullopt;
}

// A similar name among the models of the texts and the members of the package
// around it.
std::string SuggestModel(internal::ClassTree& tree,
                         const std::vector<const ast::StoredDefinition*>& texts,
                         const std::string& name) {
  std::vector<std::string> known;
  for (const Candidate& candidate : AllCandidates(texts)) {
    known.push_back(candidate.name);
  }
  const std::size_t dot = name.rfind('.');
  internal::ClassNode* const around =
      dot == std::string::npos ? nullptr : tree.FindGlobal(name.substr(0, dot));
  if (around != nullptr && tree.Expand(around)) {
    for (const internal::Member& member : around->members) {
      known.push_back(around->name + "." + std::string(member.name));
    }
  }
  return Suggest(name, known);
}

internal::ClassNode* FindModel(
    internal::Session& session,
    const std::vector<const ast::StoredDefinition*>& texts,
    const std::string& name) {
  internal::ClassNode* const node = session.tree.FindGlobal(name);
  if (node == nullptr || node->definition == nullptr) {
    if (session.diagnostics.has_errors()) {
      return nullptr;
    }
    session.diagnostics.Error(WholeOf(texts),
                              "there is no class '" + name + "' in this text",
                              SuggestModel(session.tree, texts, name));
    return nullptr;
  }
  return internal::CheckModel(session, *node) ? node : nullptr;
}

}  // namespace

std::optional<FlatModel> Flatten(
    const std::vector<const ast::StoredDefinition*>& definitions,
    const std::string& class_name,
    Diagnostics& diagnostics,
    const GivenValues& given,
    const FileSet& files) {
  const std::size_t errors = diagnostics.error_count();
  const std::size_t findings = diagnostics.list().size();
  std::string name = class_name;
  if (name.empty()) {
    const std::optional<std::string> only = OnlyModel(definitions, diagnostics);
    if (!only) {
      return std::nullopt;
    }
    name = *only;
  }
  std::optional<FlatModel> flat(std::in_place);
  internal::Session session(
      definitions, *flat, given.numbers, files, diagnostics);
  session.settings.Give(given.texts);
  session.settings.Vary(given.varied);
  internal::ClassNode* const model = FindModel(session, definitions, name);
  if (model != nullptr) {
    flat->name = name;
    flat->description = ast::ToString(model->definition->description.strings);
    internal::Flattening(session).Run(model);
  }
  session.tree.conversions().Report();
  if (diagnostics.error_count() > errors) {
    return std::nullopt;
  }
  const auto& list = diagnostics.list();
  flat->warnings.assign(list.begin() + static_cast<std::ptrdiff_t>(findings),
                        list.end());
  return flat;
}

std::optional<FlatModel> Flatten(
    const std::vector<std::shared_ptr<const SourceFile>>& texts,
    const std::string& class_name,
    Diagnostics& diagnostics,
    const GivenValues& given,
    const FileSet& files) {
  const std::size_t errors = diagnostics.error_count();
  std::vector<std::unique_ptr<const ast::StoredDefinition>> trees;
  std::vector<const ast::StoredDefinition*> definitions;
  for (const auto& text : texts) {
    trees.push_back(Parse(text, diagnostics));
    definitions.push_back(trees.back().get());
  }
  if (diagnostics.error_count() > errors) {
    return std::nullopt;
  }
  return Flatten(definitions, class_name, diagnostics, given, files);
}

std::optional<FlatModel> Flatten(std::shared_ptr<const SourceFile> text,
                                 const std::string& class_name,
                                 Diagnostics& diagnostics,
                                 const GivenValues& given,
                                 const FileSet& files) {
  return Flatten(
      std::vector<std::shared_ptr<const SourceFile>>{std::move(text)},
      class_name,
      diagnostics,
      given,
      files);
}

}  // namespace orrery::modelica
