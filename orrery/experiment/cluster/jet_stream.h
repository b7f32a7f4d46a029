#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/time.h"

namespace orrery::experiment::internal {

class JetStream;

/// A message of a queue that a reader is working on. If it is neither
/// acknowledged nor kept within the queue's waiting time, it is delivered
/// again, to any reader. For one thread at a time.
class QueuedMessage {
 public:
  struct Impl;

  explicit QueuedMessage(std::unique_ptr<Impl> impl);
  QueuedMessage(QueuedMessage&& other) noexcept;
  QueuedMessage& operator=(QueuedMessage&& other) noexcept;
  QueuedMessage(const QueuedMessage&) = delete;
  QueuedMessage& operator=(const QueuedMessage&) = delete;
  ~QueuedMessage();

  /// Valid as long as the message.
  [[nodiscard]] std::string_view bytes() const;

  /// Number of its deliveries, including this one.
  [[nodiscard]] std::uint64_t deliveries() const;

  /// The work is done: it is never delivered again.
  void Acknowledge();

  /// The work goes on: the time until the next delivery begins anew.
  void Keep();

 private:
  std::unique_ptr<Impl> impl_;
};

/// Takes messages out of a queue that others may read, too. For one thread at a
/// time.
class QueueReader {
 public:
  struct Impl;

  explicit QueueReader(std::unique_ptr<Impl> impl);
  QueueReader(const QueueReader&) = delete;
  QueueReader& operator=(const QueueReader&) = delete;
  ~QueueReader();

  /// Takes the available messages, up to `most`; if there are none, waits for
  /// one, for at most `wait`. Returns nothing also if the queue is gone or the
  /// server cannot be reached.
  [[nodiscard]] std::vector<QueuedMessage> Take(int most, Duration wait);

 private:
  std::unique_ptr<Impl> impl_;
};

/// The contents of a queue. Plain data.
struct QueueState {
  std::uint64_t waiting = 0;  ///< Messages that are not taken.
  std::uint64_t at_work = 0;  ///< Taken, and not acknowledged.

  [[nodiscard]] bool is_empty() const { return waiting == 0 && at_work == 0; }
};

/// A subscription to messages that are not stored, during its lifetime.
class Listener {
 public:
  struct Impl;

  explicit Listener(std::unique_ptr<Impl> impl);
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener();

 private:
  std::unique_ptr<Impl> impl_;
};

/// A connection to a NATS server with JetStream: streams, which store messages
/// by subject until they are acknowledged, and queues of them, which deliver
/// each message to one reader. Any number of threads may use it.
///
/// After a loss it tries to reconnect for a minute. Functions that throw, throw
/// Error kIo.
class JetStream {
 public:
  /// The response of a listener to a subject.
  enum class Presence : std::uint8_t { kAnswers, kSilent, kAbsent };

  /// @param url `nats://host:4222`, `tls://user:password@host`, ...; commas
  ///     separate several servers of one cluster.
  /// @param name of the connection on the server.
  /// @throws Error also if there is no such server, within 2 s, and if it does
  ///     not run JetStream.
  JetStream(const std::string& url, const std::string& name);
  JetStream(const JetStream&) = delete;
  JetStream& operator=(const JetStream&) = delete;
  ~JetStream();

  /// For messages: without a password.
  [[nodiscard]] const std::string& url() const noexcept;

  /// The greatest size of a message in bytes.
  [[nodiscard]] std::size_t max_message() const;

  /// True if the connection is lost for good.
  [[nodiscard]] bool is_lost() const;

  /// Returns a unique name.
  [[nodiscard]] static std::string UniqueName();

  /// The time for which a stream keeps its messages.
  enum class Retention : std::uint8_t { kUntilDone, kUntilDeleted };

  /// Does nothing if the same stream exists.
  /// @throws Error if it cannot be made.
  void CreateStream(const std::string& stream,
                    const std::vector<std::string>& subjects,
                    Retention retention);

  /// Deletes the messages of `subject`, which may be a pattern, if any.
  void DeleteMessages(const std::string& stream,
                      const std::string& subject) noexcept;

  /// Deletes a stream with its messages. Does nothing if there is no such
  /// stream.
  void DeleteStream(const std::string& stream) noexcept;

  /// The streams that store `subject`, which may be a pattern. Nothing if the
  /// server cannot be reached.
  [[nodiscard]] std::optional<std::vector<std::string>> StreamsOf(
      const std::string& subject);

  /// A queue of the messages of one subject of a stream.
  /// @param patience after which a message is delivered again.
  /// @throws Error if it cannot be made.
  void CreateQueue(const std::string& stream,
                   const std::string& queue,
                   const std::string& subject,
                   Duration patience);

  /// Null if there is no such queue, or the server cannot be reached.
  [[nodiscard]] std::unique_ptr<QueueReader> ReadQueue(
      const std::string& stream,
      const std::string& queue,
      const std::string& subject);

  /// Nothing if there is no such queue, or the server cannot be reached.
  [[nodiscard]] std::optional<QueueState> StateOf(const std::string& stream,
                                                  const std::string& queue);

  /// Stores a message. Returns false if no stream takes it, or the server
  /// cannot be reached.
  [[nodiscard]] bool Store(const std::string& subject, std::string_view bytes);

  /// Stores several messages, which is much faster. After a failure some of
  /// them may be stored.
  [[nodiscard]] bool Store(const std::string& subject,
                           std::span<const std::string> messages);

  /// The last message of a subject that a stream has stored.
  [[nodiscard]] std::optional<std::string> Last(const std::string& stream,
                                                const std::string& subject);

  /// Notifies all listeners, and stores nothing.
  void Tell(const std::string& subject);

  /// Calls `heard`, in a thread of the connection, with the subject of each
  /// notification on `subject`, which may be a pattern.
  /// @throws Error
  [[nodiscard]] std::unique_ptr<Listener> Listen(
      const std::string& subject,
      std::function<void(const std::string& subject)> heard);

  /// Answers all requests on `subject`.
  /// @throws Error
  [[nodiscard]] std::unique_ptr<Listener> Answer(const std::string& subject);

  /// Sends a request on `subject`, and waits for half a second at most.
  [[nodiscard]] Presence Ask(const std::string& subject);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace orrery::experiment::internal
