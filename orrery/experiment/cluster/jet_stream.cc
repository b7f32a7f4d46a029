#include "orrery/experiment/cluster/jet_stream.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/experiment/cluster/nats_library.h"
#include "orrery/experiment/cluster/server_url.h"

namespace orrery::experiment::internal {
namespace {

// Timeouts of calls to the server, in ms.
constexpr std::int64_t kConnectTimeout = 1500;
constexpr std::int64_t kRequestTimeout = 2000;
constexpr std::int64_t kAskTimeout = 500;

// The number of attempts to restore a lost connection, and the time between
// them in ms.
constexpr std::int64_t kReconnectWait = 250;
constexpr int kReconnects = 240;

// More than any cluster has lanes: workers never wait for each other.
constexpr std::int64_t kMostAtWork = 1 << 20;

template <auto destroy>
struct Destroy {
  template <typename T>
  void operator()(T* object) const {
    (Nats().*destroy)(object);
  }
};

using Options =
    std::unique_ptr<natsOptions, Destroy<&NatsLibrary::natsOptions_Destroy>>;
using Connection =
    std::unique_ptr<natsConnection,
                    Destroy<&NatsLibrary::natsConnection_Destroy>>;
using Context = std::unique_ptr<jsCtx, Destroy<&NatsLibrary::jsCtx_Destroy>>;
using Message =
    std::unique_ptr<natsMsg, Destroy<&NatsLibrary::natsMsg_Destroy>>;
using Subscription =
    std::unique_ptr<natsSubscription,
                    Destroy<&NatsLibrary::natsSubscription_Destroy>>;

std::int64_t Milliseconds(Duration time) {
  return std::max<std::int64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(time).count(), 1);
}

int SizeOf(std::string_view bytes) {
  return static_cast<int>(bytes.size());
}

std::string_view BytesOf(const Message& message) {
  const int size = Nats().natsMsg_GetDataLength(message.get());
  return size == 0 ? std::string_view()
                   : std::string_view(Nats().natsMsg_GetData(message.get()),
                                      static_cast<std::size_t>(size));
}

// Returns the error of the last failed call in this thread.
std::string LastError() {
  const char* const text = Nats().nats_GetLastError(nullptr);
  return text == nullptr ? "no reason is given" : text;
}

[[noreturn]] void FailToConnect(const std::string& url, natsStatus status) {
  switch (status) {
    case NATS_NO_SERVER:
      throw Error(ErrorCode::kIo,
                  "cannot reach " + url +
                      ": no server listens there; start one by nats-server "
                      "-js, or name the machine where one runs");
    case NATS_TIMEOUT:
      throw Error(ErrorCode::kIo,
                  "cannot reach " + url +
                      ": it does not answer; is the machine up, and the port "
                      "open?");
    case NATS_CONNECTION_AUTH_FAILED:
      throw Error(ErrorCode::kIo,
                  "cannot use " + url +
                      ": it refuses who we are; give the user and password as "
                      "in nats://user:password@host:4222");
    case NATS_INVALID_ARG:
    case NATS_ADDRESS_MISSING:
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot reach '" + url +
                      "': it is no address of a NATS server; give one as in "
                      "nats://host:4222");
    default:
      throw Error(ErrorCode::kIo,
                  "cannot reach " + url + ": " +
                      Nats().natsStatus_GetText(status) + " (" + LastError() +
                      ")");
  }
}

Connection Connect(const ServerUrls& urls, const std::string& name) {
  std::vector<const char*> servers;
  servers.reserve(urls.all.size());
  for (const std::string& url : urls.all) {
    servers.push_back(url.c_str());
  }
  natsOptions* options = nullptr;
  natsStatus status = Nats().natsOptions_Create(&options);
  const Options owner(options);
  const auto set = [&](auto function, auto... values) {
    status = status == NATS_OK ? function(options, values...) : status;
  };
  set(Nats().natsOptions_SetServers,
      servers.data(),
      static_cast<int>(servers.size()));
  set(Nats().natsOptions_SetName, name.c_str());
  set(Nats().natsOptions_SetTimeout, kConnectTimeout);
  set(Nats().natsOptions_SetMaxReconnect, kReconnects);
  set(Nats().natsOptions_SetReconnectWait, kReconnectWait);
  set(Nats().natsOptions_SetSendAsap, true);
  if (urls.is_secure) {
    // The scheme alone does not enforce TLS: NATS would do without.
    set(Nats().natsOptions_SetSecure, true);
    if (!urls.host.empty()) {
      set(Nats().natsOptions_SetExpectedHostname, urls.host.c_str());
    }
  }
  natsConnection* connection = nullptr;
  if (status == NATS_OK) {
    status = Nats().natsConnection_Connect(&connection, options);
  }
  if (status != NATS_OK) {
    FailToConnect(urls.shown, status);
  }
  return Connection(connection);
}

}  // namespace

struct QueuedMessage::Impl {
  Message message;
};

QueuedMessage::QueuedMessage(std::unique_ptr<Impl> impl)
    : impl_(std::move(impl)) {}

QueuedMessage::QueuedMessage(QueuedMessage&& other) noexcept = default;
QueuedMessage& QueuedMessage::operator=(QueuedMessage&& other) noexcept =
    default;
QueuedMessage::~QueuedMessage() = default;

std::string_view QueuedMessage::bytes() const {
  return BytesOf(impl_->message);
}

std::uint64_t QueuedMessage::deliveries() const {
  jsMsgMetaData* data = nullptr;
  if (Nats().natsMsg_GetMetaData(&data, impl_->message.get()) != NATS_OK) {
    return 1;
  }
  const std::uint64_t deliveries = data->NumDelivered;
  Nats().jsMsgMetaData_Destroy(data);
  return deliveries;
}

// Neither call needs to arrive: otherwise the message is delivered again.
void QueuedMessage::Acknowledge() {
  Nats().natsMsg_Ack(impl_->message.get(), nullptr);
}

void QueuedMessage::Keep() {
  Nats().natsMsg_InProgress(impl_->message.get(), nullptr);
}

struct QueueReader::Impl {
  Subscription subscription;
};

QueueReader::QueueReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

QueueReader::~QueueReader() = default;

std::vector<QueuedMessage> QueueReader::Take(int most, Duration wait) {
  std::vector<QueuedMessage> taken;
  natsMsgList list{};
  if (Nats().natsSubscription_Fetch(&list,
                                    impl_->subscription.get(),
                                    most,
                                    Milliseconds(wait),
                                    nullptr) != NATS_OK) {
    return taken;
  }
  for (int i = 0; i < list.Count; ++i) {
    taken.emplace_back(std::make_unique<QueuedMessage::Impl>(
        QueuedMessage::Impl{Message(std::exchange(list.Msgs[i], nullptr))}));
  }
  Nats().natsMsgList_Destroy(&list);
  return taken;
}

struct Listener::Impl {
  std::function<void(const std::string& subject)> heard;
  natsConnection* connection = nullptr;  // To answer; may be null.
  std::promise<void> ended;              // No call is under way any more.
  Subscription subscription;

  static void Hear(natsConnection* /*connection*/,
                   natsSubscription* /*subscription*/,
                   natsMsg* message,
                   void* closure) {
    const Message owner(message);
    const auto* const impl = static_cast<const Impl*>(closure);
    if (impl->heard) {
      impl->heard(Nats().natsMsg_GetSubject(message));
    }
    if (const char* const reply = Nats().natsMsg_GetReply(message);
        impl->connection != nullptr && reply != nullptr) {
      Nats().natsConnection_PublishString(impl->connection, reply, "");
    }
  }

  static void End(void* closure) {
    static_cast<Impl*>(closure)->ended.set_value();
  }
};

Listener::Listener(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Listener::~Listener() {
  impl_->subscription.reset();
  impl_->ended.get_future().wait();
}

struct JetStream::Impl {
  std::string shown;  // The addresses, without passwords.
  Connection connection;
  std::atomic<std::uint64_t> failures = 0;  // In asynchronous storing.
  Context context;

  [[noreturn]] void Fail(const std::string& wanted) const {
    throw Error(ErrorCode::kIo,
                "cannot " + wanted + " on " + shown + ": " + LastError());
  }

  [[nodiscard]] std::unique_ptr<Listener> Listen(
      const std::string& subject, std::unique_ptr<Listener::Impl> impl) const {
    natsSubscription* subscription = nullptr;
    natsStatus status = Nats().natsConnection_Subscribe(&subscription,
                                                        connection.get(),
                                                        subject.c_str(),
                                                        Listener::Impl::Hear,
                                                        impl.get());
    if (status == NATS_OK) {
      impl->subscription.reset(subscription);
      status = Nats().natsSubscription_SetOnCompleteCB(
          subscription, Listener::Impl::End, impl.get());
    }
    if (status != NATS_OK) {
      Fail("listen to " + subject);
    }
    return std::make_unique<Listener>(std::move(impl));
  }
};

JetStream::JetStream(const std::string& url, const std::string& name)
    : impl_(std::make_unique<Impl>()) {
  const ServerUrls urls = ReadServerUrls(url);
  impl_->shown = urls.shown;
  impl_->connection = Connect(urls, name);
  jsOptions options{};
  options.Wait = kRequestTimeout;
  options.PublishAsync.ErrHandlerClosure = impl_.get();
  options.PublishAsync.ErrHandler = [](jsCtx*, jsPubAckErr*, void* closure) {
    ++static_cast<Impl*>(closure)->failures;
  };
  jsCtx* context = nullptr;
  if (Nats().natsConnection_JetStream(
          &context, impl_->connection.get(), &options) != NATS_OK) {
    impl_->Fail("use JetStream");
  }
  impl_->context.reset(context);
  jsAccountInfo* account = nullptr;
  if (Nats().js_GetAccountInfo(&account, context, nullptr, nullptr) !=
      NATS_OK) {
    throw Error(ErrorCode::kIo,
                "cannot use " + impl_->shown +
                    ": JetStream is not enabled there; start the server as "
                    "nats-server -js");
  }
  Nats().jsAccountInfo_Destroy(account);
}

JetStream::~JetStream() = default;

const std::string& JetStream::url() const noexcept {
  return impl_->shown;
}

std::size_t JetStream::max_message() const {
  return static_cast<std::size_t>(
      Nats().natsConnection_GetMaxPayload(impl_->connection.get()));
}

bool JetStream::is_lost() const {
  return Nats().natsConnection_IsClosed(impl_->connection.get());
}

std::string JetStream::UniqueName() {
  natsInbox* inbox = nullptr;
  ORRERY_CHECK(Nats().natsInbox_Create(&inbox) == NATS_OK);
  const std::string name = inbox;
  Nats().natsInbox_Destroy(inbox);
  return name.substr(name.rfind('.') + 1);
}

void JetStream::CreateStream(const std::string& stream,
                             const std::vector<std::string>& subjects,
                             Retention retention) {
  std::vector<const char*> names;
  names.reserve(subjects.size());
  for (const std::string& subject : subjects) {
    names.push_back(subject.c_str());
  }
  jsStreamConfig config;
  Nats().jsStreamConfig_Init(&config);
  config.Name = stream.c_str();
  config.Subjects = names.data();
  config.SubjectsLen = static_cast<int>(names.size());
  config.Retention =
      retention == Retention::kUntilDone ? js_WorkQueuePolicy : js_LimitsPolicy;
  config.Storage = js_FileStorage;
  if (Nats().js_AddStream(
          nullptr, impl_->context.get(), &config, nullptr, nullptr) !=
      NATS_OK) {
    impl_->Fail("make a stream");
  }
}

void JetStream::DeleteMessages(const std::string& stream,
                               const std::string& subject) noexcept {
  jsOptions options{};
  options.Stream.Purge.Subject = subject.c_str();
  Nats().js_PurgeStream(
      impl_->context.get(), stream.c_str(), &options, nullptr);
}

void JetStream::DeleteStream(const std::string& stream) noexcept {
  Nats().js_DeleteStream(
      impl_->context.get(), stream.c_str(), nullptr, nullptr);
}

std::optional<std::vector<std::string>> JetStream::StreamsOf(
    const std::string& subject) {
  jsOptions options{};
  options.Stream.Info.SubjectsFilter = subject.c_str();
  jsStreamNamesList* list = nullptr;
  const natsStatus status =
      Nats().js_StreamNames(&list, impl_->context.get(), &options, nullptr);
  if (status != NATS_OK && status != NATS_NOT_FOUND) {
    return std::nullopt;
  }
  std::vector<std::string> names;
  for (int i = 0; list != nullptr && i < list->Count; ++i) {
    names.emplace_back(list->List[i]);
  }
  Nats().jsStreamNamesList_Destroy(list);
  return names;
}

void JetStream::CreateQueue(const std::string& stream,
                            const std::string& queue,
                            const std::string& subject,
                            Duration patience) {
  jsConsumerConfig config;
  Nats().jsConsumerConfig_Init(&config);
  config.Durable = queue.c_str();
  config.FilterSubject = subject.c_str();
  config.AckPolicy = js_AckExplicit;
  config.AckWait = patience.count();
  config.MaxAckPending = kMostAtWork;
  if (Nats().js_AddConsumer(nullptr,
                            impl_->context.get(),
                            stream.c_str(),
                            &config,
                            nullptr,
                            nullptr) != NATS_OK) {
    impl_->Fail("make a queue");
  }
}

std::unique_ptr<QueueReader> JetStream::ReadQueue(const std::string& stream,
                                                  const std::string& queue,
                                                  const std::string& subject) {
  jsSubOptions options;
  Nats().jsSubOptions_Init(&options);
  options.Stream = stream.c_str();
  options.Consumer = queue.c_str();
  options.ManualAck = true;
  natsSubscription* subscription = nullptr;
  if (Nats().js_PullSubscribe(&subscription,
                              impl_->context.get(),
                              subject.c_str(),
                              queue.c_str(),
                              nullptr,
                              &options,
                              nullptr) != NATS_OK) {
    return nullptr;
  }
  return std::make_unique<QueueReader>(std::make_unique<QueueReader::Impl>(
      QueueReader::Impl{Subscription(subscription)}));
}

std::optional<QueueState> JetStream::StateOf(const std::string& stream,
                                             const std::string& queue) {
  jsConsumerInfo* info = nullptr;
  if (Nats().js_GetConsumerInfo(&info,
                                impl_->context.get(),
                                stream.c_str(),
                                queue.c_str(),
                                nullptr,
                                nullptr) != NATS_OK) {
    return std::nullopt;
  }
  const QueueState state{
      .waiting = info->NumPending,
      .at_work = static_cast<std::uint64_t>(info->NumAckPending)};
  Nats().jsConsumerInfo_Destroy(info);
  return state;
}

bool JetStream::Store(const std::string& subject, std::string_view bytes) {
  return Nats().js_Publish(nullptr,
                           impl_->context.get(),
                           subject.c_str(),
                           bytes.data(),
                           SizeOf(bytes),
                           nullptr,
                           nullptr) == NATS_OK;
}

bool JetStream::Store(const std::string& subject,
                      std::span<const std::string> messages) {
  const std::uint64_t failures = impl_->failures;
  const auto store = [&](const std::string& message) {
    return Nats().js_PublishAsync(impl_->context.get(),
                                  subject.c_str(),
                                  message.data(),
                                  SizeOf(message),
                                  nullptr) == NATS_OK;
  };
  const bool are_sent = std::ranges::all_of(messages, store);
  jsPubOptions options{};
  options.MaxWait = kRequestTimeout;
  if (Nats().js_PublishAsyncComplete(impl_->context.get(), &options) !=
      NATS_OK) {
    // Otherwise later calls would wait for the unanswered messages again.
    natsMsgList unanswered{};
    Nats().js_PublishAsyncGetPendingList(&unanswered, impl_->context.get());
    Nats().natsMsgList_Destroy(&unanswered);
    return false;
  }
  return are_sent && impl_->failures == failures;
}

std::optional<std::string> JetStream::Last(const std::string& stream,
                                           const std::string& subject) {
  natsMsg* found = nullptr;
  if (Nats().js_GetLastMsg(&found,
                           impl_->context.get(),
                           stream.c_str(),
                           subject.c_str(),
                           nullptr,
                           nullptr) != NATS_OK) {
    return std::nullopt;
  }
  const Message message(found);
  return std::string(BytesOf(message));
}

void JetStream::Tell(const std::string& subject) {
  Nats().natsConnection_PublishString(
      impl_->connection.get(), subject.c_str(), "");
  Nats().natsConnection_FlushTimeout(impl_->connection.get(), kAskTimeout);
}

std::unique_ptr<Listener> JetStream::Listen(
    const std::string& subject,
    std::function<void(const std::string& subject)> heard) {
  auto impl = std::make_unique<Listener::Impl>();
  impl->heard = std::move(heard);
  return impl_->Listen(subject, std::move(impl));
}

std::unique_ptr<Listener> JetStream::Answer(const std::string& subject) {
  auto impl = std::make_unique<Listener::Impl>();
  impl->connection = impl_->connection.get();
  return impl_->Listen(subject, std::move(impl));
}

JetStream::Presence JetStream::Ask(const std::string& subject) {
  natsMsg* reply = nullptr;
  const natsStatus status = Nats().natsConnection_RequestString(
      &reply, impl_->connection.get(), subject.c_str(), "", kAskTimeout);
  const Message owner(reply);
  if (status == NATS_OK) {
    return Presence::kAnswers;
  }
  return status == NATS_NO_RESPONDERS ? Presence::kAbsent : Presence::kSilent;
}

}  // namespace orrery::experiment::internal
