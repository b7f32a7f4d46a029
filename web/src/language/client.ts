// The page's client of the language service.
import {
  LSPClient, Workspace, findReferencesKeymap, formatKeymap, hoverTooltips,
  serverDiagnostics, signatureHelp,
} from "@codemirror/lsp-client";
import type { WorkspaceFile } from "@codemirror/lsp-client";
import { LSPPlugin } from "@codemirror/lsp-client";
import type { ChangeSet, Text, TransactionSpec } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import type { EditorView } from "@codemirror/view";
import { onNews } from "../api/events";
import { completion } from "./completion";
import { createTransport } from "./transport";
import type { OrderedTransport } from "./transport";

interface OpenFile extends WorkspaceFile {
  view: EditorView;
}

interface Update {
  file: WorkspaceFile;
  prevDoc: Text;
  changes: ChangeSet;
}

/** Opens a file in front of the user; set by the documents of the page. */
export type ShowFile = (uri: string) => Promise<EditorView | null>;

/** The files that the page has open, one view each. */
class OpenFiles extends Workspace {
  override files: OpenFile[] = [];
  #versions = new Map<string, number>();
  #show: ShowFile;

  constructor(client: LSPClient, show: ShowFile) {
    super(client);
    this.#show = show;
  }

  #nextVersion(uri: string): number {
    const version = (this.#versions.get(uri) ?? 0) + 1;
    this.#versions.set(uri, version);
    return version;
  }

  override syncFiles(): readonly Update[] {
    const updates: Update[] = [];
    for (const file of this.files) {
      const plugin = LSPPlugin.get(file.view);
      if (!plugin || plugin.unsyncedChanges.empty) continue;
      updates.push({ file, prevDoc: file.doc, changes: plugin.unsyncedChanges });
      file.doc = file.view.state.doc;
      file.version = this.#nextVersion(file.uri);
      plugin.clear();
    }
    return updates;
  }

  override openFile(uri: string, languageId: string, view: EditorView): void {
    const file: OpenFile = {
      uri, languageId, view, version: this.#nextVersion(uri),
      doc: view.state.doc, getView: () => view,
    };
    this.files.push(file);
    if (this.client.connected) this.client.didOpen(file);
  }

  override closeFile(uri: string): void {
    this.files = this.files.filter((file) => file.uri !== uri);
    this.client.didClose(uri);
  }

  override async requestFile(uri: string): Promise<WorkspaceFile | null> {
    if (!this.getFile(uri)) await this.#show(uri);
    return this.getFile(uri);
  }

  override updateFile(uri: string, update: TransactionSpec): void {
    this.getFile(uri)?.getView()?.dispatch(update);
  }

  override displayFile(uri: string): Promise<EditorView | null> {
    return this.#show(uri);
  }
}

/**
 * Makes HTML of the service's Markdown harmless: elements outside a short list
 * are replaced by their text, attributes are dropped.
 */
export function sanitize(html: string): string {
  const allowed = new Set(["P", "BR", "B", "STRONG", "I", "EM", "CODE", "PRE",
    "UL", "OL", "LI", "H1", "H2", "H3", "H4", "TABLE", "THEAD", "TBODY", "TR",
    "TH", "TD", "SPAN", "HR", "BLOCKQUOTE"]);
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const element of [...page.body.querySelectorAll("*")]) {
    if (["SCRIPT", "STYLE", "IFRAME", "OBJECT"].includes(element.tagName)) {
      element.remove();
      continue;
    }
    for (const { name } of [...element.attributes]) {
      if (name !== "class") element.removeAttribute(name);
    }
    if (!allowed.has(element.tagName)) element.replaceWith(...element.childNodes);
  }
  return page.body.innerHTML;
}

/** What the page can do with an answer, beside what the client says of itself. */
const can_rename_files = {
  workspace: {
    workspaceEdit: { documentChanges: true, resourceOperations: ["rename"] },
  },
};

let service: LSPClient | undefined;
let transport: OrderedTransport | undefined;
/** Documents that another page edits, which tells the service what they are. */
const silent = new Set<string>();
let is_syncing = false;
let is_more_to_sync = false;

/** The client; `connectService` must have been called. */
export function languageService(): LSPClient {
  if (!service) throw new Error("the language service is not connected yet");
  return service;
}

export function connectService(root: string, show: ShowFile): void {
  const client = new LSPClient({
    rootUri: root,
    timeout: 20000,
    workspace: (owner) => new OpenFiles(owner, show),
    sanitizeHTML: sanitize,
    extensions: [
      { clientCapabilities: can_rename_files },
      serverDiagnostics(), completion(), hoverTooltips(), signatureHelp(),
      keymap.of([...formatKeymap, ...findReferencesKeymap]),
    ],
  });
  service = client;
  const carrier = createTransport((uri) => silent.has(uri));
  transport = carrier;
  client.connect(carrier);
  window.addEventListener("pagehide", () => {
    for (const { uri } of client.workspace.files) {
      if (!silent.has(uri)) sayClosed(uri);
    }
  });
  onNews("child", (news) => {
    if (news.what !== "restarted") return;
    for (const file of client.workspace.files) client.didOpen(file);
  });
  // The studio may be another one, whose language server knows no document.
  onNews("resync", () => {
    client.disconnect();
    client.connect(carrier);
  });
}

/** Leaves it to another page to tell the service of a document. */
export function handOver(uri: string): void {
  if (silent.has(uri)) return;
  if (service?.workspace.getFile(uri)) service.didClose(uri);
  silent.add(uri);
}

/** Tells the service of a document from now on. */
export function takeUp(uri: string): void {
  service?.sync();
  if (!silent.delete(uri)) return;
  const file = service?.workspace.getFile(uri);
  if (file) service?.didOpen(file);
}

/** Tells that a document is closed, from a page that is about to end. */
function sayClosed(uri: string): void {
  const message = {
    jsonrpc: "2.0", method: "textDocument/didClose", params: { textDocument: { uri } },
  };
  void fetch("/api/lsp", {
    method: "POST", keepalive: true, body: JSON.stringify(message),
    headers: { "X-Orrery": "1", "Content-Type": "application/json" },
  });
}

/**
 * Sends what was typed. While a change is on its way the next ones are gathered,
 * so that a slow service gets few large changes and no queue of small ones.
 */
export async function syncSoon(): Promise<void> {
  is_more_to_sync = true;
  if (is_syncing) return;
  is_syncing = true;
  while (is_more_to_sync) {
    is_more_to_sync = false;
    languageService().sync();
    await transport?.arrived();
  }
  is_syncing = false;
}

/** Asks the service a question about documents as they stand now. */
export async function inquire<P, R>(method: string, params: P): Promise<R> {
  const client = languageService();
  await client.initializing;
  client.sync();
  return client.request<P, R>(method, params);
}
