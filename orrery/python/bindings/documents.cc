#include "orrery/python/bindings/documents.h"

#include <memory>

#include "orrery/base/source_file.h"

namespace orrery::python {

Sources SourcesOf(const FileSet& files) {
  Sources sources;
  for (const auto& file : files.all()) {
    sources.emplace_back(file->name(), file->text());
  }
  return sources;
}

FileSet FilesFrom(const Sources& sources) {
  FileSet files;
  for (const auto& [name, text] : sources) {
    files.Add(std::make_shared<const SourceFile>(name, text));
  }
  return files;
}

void Complete(const Sources& sources,
              const std::shared_ptr<EquationModel>& made,
              const Watch& watch,
              RunDocument& document) {
  if (made != nullptr) {
    document.made = made->model();
  }
  document.files = FilesFrom(sources);
  document.options.attendant = watch.MakeAttendant();
}

}  // namespace orrery::python
