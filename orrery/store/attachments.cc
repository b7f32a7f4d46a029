#include "orrery/store/attachments.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

#include "orrery/base/error.h"

namespace orrery::store::internal {
namespace {

// Bytes of an attachment in one row.
constexpr std::size_t kPartSize = std::size_t{4} << 20U;

struct Stored {
  ExperimentId experiment = 0;
  std::int64_t id = 0;
  std::size_t size = 0;
};

std::optional<Stored> Find(const StoreFile& file,
                           ExperimentId id,
                           std::string_view name) {
  Statement found = file.database->Use(
      "SELECT id, size FROM attachment WHERE experiment = ?1 AND name = ?2");
  if (!found.Bind(id, name).Step()) {
    return std::nullopt;
  }
  return Stored{.experiment = id,
                .id = found.Integer(0),
                .size = static_cast<std::size_t>(found.Integer(1))};
}

// Stores bytes as parts from number `first` on.
void StoreParts(StoreFile& file,
                std::int64_t attachment,
                std::size_t first,
                std::string_view bytes) {
  for (std::size_t start = 0; start < bytes.size(); start += kPartSize) {
    const auto part = bytes.substr(start, kPartSize);
    file.database
        ->Use(
            "INSERT INTO attachment_part (attachment, position, data)"
            " VALUES (?1, ?2, ?3)")
        .Bind(attachment,
              static_cast<std::int64_t>(first + start / kPartSize),
              file.codec.EncodeBytes(std::as_bytes(std::span(part))))
        .Run();
  }
}

// Decodes only the parts that overlap a range within the attachment.
std::string ReadParts(StoreFile& file,
                      const Stored& stored,
                      const ByteRange& range,
                      std::string_view name) {
  if (range.size == 0) {
    return "";
  }
  const std::size_t first = range.begin / kPartSize;
  const std::size_t last = (range.begin + range.size - 1) / kPartSize;
  const std::size_t start = first * kPartSize;
  const std::size_t end = std::min((last + 1) * kPartSize, stored.size);
  Statement parts = file.database->Use(
      "SELECT data FROM attachment_part WHERE attachment = ?1"
      " AND position >= ?2 AND position <= ?3 ORDER BY position");
  parts.Bind(stored.id,
             static_cast<std::int64_t>(first),
             static_cast<std::int64_t>(last));
  std::string bytes;
  bool is_sound = true;
  while (is_sound && parts.Step()) {
    const std::size_t read = bytes.size();
    bytes.resize(read + std::min(kPartSize, end - start - read));
    is_sound = file.codec.DecodeBytes(
        parts.Bytes(0), std::as_writable_bytes(std::span(bytes).subspan(read)));
  }
  if (!is_sound || start + bytes.size() != end) {
    file.database->FailDamaged("the attachment '" + std::string(name) +
                               "' of experiment " +
                               std::to_string(stored.experiment));
  }
  bytes.erase(0, range.begin - start);
  bytes.resize(range.size);
  return bytes;
}

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
  StoreParts(file, database.LastInsertedId(), 0, bytes);
  transaction.Commit();
}

void AppendAttachment(StoreFile& file,
                      ExperimentId id,
                      const std::string& name,
                      const std::string& media_type,
                      std::string_view bytes) {
  Database& database = *file.database;
  Transaction transaction(database, Transaction::Kind::kWrite);
  file.RequireExperiment(id);
  const std::optional<Stored> stored = Find(file, id, name);
  if (!stored) {
    StoreAttachment(file, id, name, media_type, bytes);
    transaction.Commit();
    return;
  }
  // The last part is stored again with what fills it up.
  const std::size_t begin = stored->size / kPartSize * kPartSize;
  std::string text = ReadParts(
      file, *stored, {.begin = begin, .size = stored->size - begin}, name);
  text += bytes;
  database
      .Use(
          "DELETE FROM attachment_part WHERE attachment = ?1 AND position = ?2")
      .Bind(stored->id, static_cast<std::int64_t>(begin / kPartSize))
      .Run();
  database.Use("UPDATE attachment SET size = ?2 WHERE id = ?1")
      .Bind(stored->id, static_cast<std::int64_t>(begin + text.size()))
      .Run();
  StoreParts(file, stored->id, begin / kPartSize, text);
  transaction.Commit();
}

std::string ReadAttachment(StoreFile& file,
                           ExperimentId id,
                           std::string_view name) {
  return ReadAttachment(
      file,
      id,
      name,
      {.begin = 0, .size = std::numeric_limits<std::size_t>::max()});
}

std::string ReadAttachment(StoreFile& file,
                           ExperimentId id,
                           std::string_view name,
                           const ByteRange& range) {
  Transaction transaction(*file.database, Transaction::Kind::kRead);
  file.RequireExperiment(id);
  const std::optional<Stored> stored = Find(file, id, name);
  if (!stored) {
    std::vector<std::string> names;
    for (const AttachmentInfo& attachment : AttachmentsOf(file, id)) {
      names.push_back(attachment.name);
    }
    file.Refuse("read the attachment '" + std::string(name) + "' of",
                id,
                "it has none of this name" + Clause(Suggest(name, names)));
  }
  const std::size_t begin = std::min(range.begin, stored->size);
  return ReadParts(
      file,
      *stored,
      {.begin = begin, .size = std::min(range.size, stored->size - begin)},
      name);
}

}  // namespace orrery::store::internal
