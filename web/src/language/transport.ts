// Carries the messages of the language service: each message is a POST, its
// answer comes back in it, and notifications come by the stream. Requests on
// several connections may overtake each other, so what changes a document is sent
// one at a time, in order, and questions wait until all changes have arrived.
import type { Transport } from "@codemirror/lsp-client";
import { ask } from "../api/client";
import { onNews } from "../api/events";

interface Message {
  id?: number | string;
  method?: string;
  params?: { textDocument?: { uri?: string } };
}

const about_texts = new Set(["textDocument/didOpen", "textDocument/didChange",
  "textDocument/didClose", "textDocument/didSave"]);

export interface OrderedTransport extends Transport {
  /** Ends when all changes that were sent have arrived. */
  arrived(): Promise<void>;
}

/** @param isSilent tells of whose texts another page says what they are. */
export function createTransport(isSilent: (uri: string) => boolean): OrderedTransport {
  const handlers = new Set<(text: string) => void>();
  const deliver = (text: string) => {
    for (const handler of [...handlers]) handler(text);
  };
  onNews("lsp", (message) => deliver(JSON.stringify(message)));

  // Ends when all that was sent in order has arrived.
  let arrived: Promise<void> = Promise.resolve();

  const post = async (text: string, id: Message["id"]) => {
    try {
      const answer = await ask("/api/lsp", {
        method: "POST",
        text,
        headers: { "Content-Type": "application/json" },
      });
      if (answer.status !== 204) {
        const said = await answer.text();
        if (said) deliver(said);
      }
    } catch (reason) {
      if (id === undefined) return;
      const message = reason instanceof Error ? reason.message : String(reason);
      deliver(JSON.stringify({
        jsonrpc: "2.0", id, error: { code: -32000, message },
      }));
    }
  };

  return {
    arrived: () => arrived,
    send(text) {
      const message = JSON.parse(text) as Message;
      const uri = message.params?.textDocument?.uri ?? "";
      if (about_texts.has(message.method ?? "") && isSilent(uri)) return;
      const ordered = message.id === undefined || message.method === "initialize";
      const sent = arrived.then(() => post(text, message.id));
      if (ordered) arrived = sent;
    },
    subscribe(handler) {
      handlers.add(handler);
    },
    unsubscribe(handler) {
      handlers.delete(handler);
    },
  };
}
