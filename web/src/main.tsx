// Starts the page.
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { openStream } from "./api/events";
import { App } from "./app/app";
import { followWindow } from "./app/small_window";
import { startTheme } from "./app/theme";
import { connectService } from "./language/client";
import { followDocuments } from "./app/follow";
import { followRuns } from "./runs/live";
import { loadDrafts, showFile, watchDisk, watchWriters } from "./state/documents";
import { loadSession, session, uriOf } from "./state/session";
import "./style/tokens.css";
import "./style/base.css";
import "./style/window.css";
import "./style/panes.css";
import "./style/experiments.css";
import "./style/findings.css";
import "./style/time.css";
import "./style/small.css";

async function start(): Promise<void> {
  startTheme();
  followWindow();
  openStream();
  followRuns();
  const root = document.getElementById("root");
  if (!root) throw new Error("the page has no element 'root'");
  try {
    // Both are known before the first document is opened.
    const [{ folder }] = await Promise.all([loadSession(), loadDrafts()]);
    connectService(uriOf(folder), showFile);
    watchDisk();
    watchWriters();
    followDocuments();
  } catch (reason) {
    session.set({
      failure: reason instanceof Error ? reason.message : String(reason),
    });
  }
  createRoot(root).render(<StrictMode><App /></StrictMode>);
}

void start();
