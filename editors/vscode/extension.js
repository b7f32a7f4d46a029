// Starts orrery-lsp for Modelica files.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = function activate() {
  const settings = workspace.getConfiguration("orrery");
  client = new LanguageClient("orrery", "Orrery",
    { command: settings.get("command") },
    {
      documentSelector: [{ scheme: "file", language: "modelica" }],
      initializationOptions: {
        libraries: settings.get("libraries"),
        check: settings.get("check"),
      },
      synchronize: {
        fileEvents: workspace.createFileSystemWatcher("**/*.mo"),
      },
    });
  return client.start();
};

exports.deactivate = function deactivate() {
  return client && client.stop();
};
