// Requests to the server that serves the page.

/** A refusal of the server, in the words of its body. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint: string,
    readonly body: string,
  ) {
    super(message);
  }
}

export type Query = Record<string, string | number | undefined>;

/** `path` with the members of `query` that are not undefined. */
export function withQuery(path: string, query: Query = {}): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) words.set(name, String(value));
  }
  const text = words.toString();
  return text ? `${path}?${text}` : path;
}

interface Sent {
  method?: string;
  json?: unknown;
  text?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Carries out a request; throws ApiError if the server refuses it. */
export async function ask(path: string, sent: Sent = {}): Promise<Response> {
  const headers: Record<string, string> = { "X-Orrery": "1", ...sent.headers };
  let body: string | undefined;
  if (sent.json !== undefined) {
    headers["Content-Type"] = "application/json";
    body = JSON.stringify(sent.json);
  } else if (sent.text !== undefined) {
    headers["Content-Type"] ??= "text/plain; charset=utf-8";
    body = sent.text;
  }
  let answer: Response;
  try {
    answer = await fetch(path, {
      method: sent.method ?? "GET",
      headers,
      body: body ?? null,
      signal: sent.signal ?? null,
    });
  } catch (reason) {
    if (reason instanceof DOMException && reason.name === "AbortError") {
      throw reason;
    }
    throw new ApiError(0, "unreachable", "the server does not answer",
      "Is `orrery studio` still running in its terminal?", "");
  }
  if (!answer.ok) throw await refusal(answer);
  return answer;
}

async function refusal(answer: Response): Promise<ApiError> {
  const body = await answer.text();
  try {
    const { error } = JSON.parse(body) as {
      error?: { code?: string; message?: string; hint?: string };
    };
    if (error) {
      return new ApiError(answer.status, error.code ?? "error",
        error.message ?? "the server refused the request", error.hint ?? "",
        body);
    }
  } catch {
    // A proxy or an old server answers in plain text.
  }
  return new ApiError(answer.status, "error",
    `the server refused the request with status ${answer.status}`, "", body);
}

export async function getJson<T>(
  path: string, query: Query = {}, signal?: AbortSignal,
): Promise<T> {
  const answer = await ask(withQuery(path, query), signal ? { signal } : {});
  return (await answer.json()) as T;
}

export async function sendJson<T>(
  method: string, path: string, json: unknown,
): Promise<T> {
  const answer = await ask(path, { method, json });
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}
