#include "orrery/store/attachments.h"

#include <algorithm>

#include "orrery/base/error.h"

namespace orrery::store::internal {
namespace {

// Bytes of an attachment in one row.
constexpr std::size_t kPartSize = std::size_t{4} << 20U;

}  // namespace

std::vector<AttachmentInfo> AttachmentsOf(const StoreFile& file,
                                          ExperimentId id) {
  std::vector<AttachmentInfo> attachments;
  Statement query = file.database->Use(
      "SELECT name, media_type, size FROM attachment WHERE experiment = ?1"
      " ORDER BY name");
  query.Bind(id);
  while (query.Step()) {
    attachments.push_back({.name = query.Text(0),
                           .media_type = query.Text(1),
                           .size = query.Integer(2)});
  }
  return attachments;
}

void StoreAttachment(StoreFile& file,
                     ExperimentId id,
                     const std::string& name,
                     const std::string& media_type,
                     std::string_view bytes) {
  if (name.empty()) {
    file.Refuse("attach a file to", id, "its name is empty");
  }
  Database& database = *file.database;
  Transaction transaction(database, Transaction::Kind::kWrite);
  file.RequireExperiment(id);
  database.Use("DELETE FROM attachment WHERE experiment = ?1 AND name = ?2")
      .Bind(id, name)
      .Run();
  database
      .Use(
          "INSERT INTO attachment (experiment, name, media_type, size)"
          " VALUES (?1, ?2, ?3, ?4)")
      .Bind(id, name, media_type, static_cast<std::int64_t>(bytes.size()))
      .Run();
  const std::int64_t attachment = database.LastInsertedId();
  for (std::size_t start = 0; start < bytes.size(); start += kPartSize) {
    const auto part = bytes.substr(start, kPartSize);
    database
        .Use(
            "INSERT INTO attachment_part (attachment, position, data)"
            " VALUES (?1, ?2, ?3)")
        .Bind(attachment,
              static_cast<std::int64_t>(start / kPartSize),
              file.codec.EncodeBytes(std::as_bytes(std::span(part))))
        .Run();
  }
  transaction.Commit();
}

std::string ReadAttachment(StoreFile& file,
                           ExperimentId id,
                           std::string_view name) {
  Database& database = *file.database;
  Transaction transaction(database, Transaction::Kind::kRead);
  file.RequireExperiment(id);
  Statement found = database.Use(
      "SELECT id, size FROM attachment WHERE experiment = ?1 AND name = ?2");
  if (!found.Bind(id, name).Step()) {
    std::vector<std::string> names;
    for (const AttachmentInfo& attachment : AttachmentsOf(file, id)) {
      names.push_back(attachment.name);
    }
    file.Refuse("read the attachment '" + std::string(name) + "' of",
                id,
                "it has none of this name" + Clause(Suggest(name, names)));
  }
  const auto size = static_cast<std::size_t>(found.Integer(1));
  Statement parts = database.Use(
      "SELECT data FROM attachment_part WHERE attachment = ?1"
      " ORDER BY position");
  parts.Bind(found.Integer(0));
  std::string bytes;
  bool is_sound = true;
  while (is_sound && parts.Step()) {
    const std::size_t start = bytes.size();
    bytes.resize(start + std::min(kPartSize, size - start));
    is_sound = file.codec.DecodeBytes(
        parts.Bytes(0),
        std::as_writable_bytes(std::span(bytes).subspan(start)));
  }
  if (!is_sound || bytes.size() != size) {
    database.FailDamaged("the attachment '" + std::string(name) +
                         "' of experiment " + std::to_string(id));
  }
  return bytes;
}

}  // namespace orrery::store::internal
