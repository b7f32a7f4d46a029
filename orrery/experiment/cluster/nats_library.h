#pragma once

#include <nats/nats.h>

#include "orrery/base/system/dynamic_library.h"

namespace orrery::experiment::internal {

// The required functions of the client library of NATS.
#define ORRERY_NATS_FUNCTIONS(X)      \
  X(jsAccountInfo_Destroy)            \
  X(jsConsumerConfig_Init)            \
  X(jsConsumerInfo_Destroy)           \
  X(jsCtx_Destroy)                    \
  X(jsMsgMetaData_Destroy)            \
  X(jsStreamConfig_Init)              \
  X(jsStreamNamesList_Destroy)        \
  X(jsSubOptions_Init)                \
  X(js_AddConsumer)                   \
  X(js_AddStream)                     \
  X(js_DeleteStream)                  \
  X(js_GetAccountInfo)                \
  X(js_GetConsumerInfo)               \
  X(js_GetLastMsg)                    \
  X(js_Publish)                       \
  X(js_PublishAsync)                  \
  X(js_PublishAsyncComplete)          \
  X(js_PublishAsyncGetPendingList)    \
  X(js_PullSubscribe)                 \
  X(js_PurgeStream)                   \
  X(js_StreamNames)                   \
  X(natsConnection_Connect)           \
  X(natsConnection_Destroy)           \
  X(natsConnection_FlushTimeout)      \
  X(natsConnection_GetMaxPayload)     \
  X(natsConnection_IsClosed)          \
  X(natsConnection_JetStream)         \
  X(natsConnection_PublishString)     \
  X(natsConnection_RequestString)     \
  X(natsConnection_Subscribe)         \
  X(natsInbox_Create)                 \
  X(natsInbox_Destroy)                \
  X(natsMsgList_Destroy)              \
  X(natsMsg_Ack)                      \
  X(natsMsg_Destroy)                  \
  X(natsMsg_GetData)                  \
  X(natsMsg_GetDataLength)            \
  X(natsMsg_GetMetaData)              \
  X(natsMsg_GetReply)                 \
  X(natsMsg_GetSubject)               \
  X(natsMsg_InProgress)               \
  X(natsOptions_Create)               \
  X(natsOptions_Destroy)              \
  X(natsOptions_SetExpectedHostname)  \
  X(natsOptions_SetMaxReconnect)      \
  X(natsOptions_SetName)              \
  X(natsOptions_SetReconnectWait)     \
  X(natsOptions_SetSecure)            \
  X(natsOptions_SetSendAsap)          \
  X(natsOptions_SetServers)           \
  X(natsOptions_SetTimeout)           \
  X(natsStatus_GetText)               \
  X(natsSubscription_Destroy)         \
  X(natsSubscription_Fetch)           \
  X(natsSubscription_SetOnCompleteCB) \
  X(nats_GetLastError)

ORRERY_LIBRARY(NatsLibrary, ORRERY_NATS_FUNCTIONS)

/// Returns the client library, which the first call opens.
/// @throws Error kUnsupported if it is missing.
[[nodiscard]] const NatsLibrary& Nats();

}  // namespace orrery::experiment::internal
