import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { createSseSource } from '@sitrep/client/sse';
import { webviewPage } from './page.ts';
import { serveWebview } from './serve-webview.ts';

/** Adds the command that shows a session of the gateway beside the editor. */
export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(vscode.commands.registerCommand('sitrep.show', (session?: string) => show(context, session ?? 'demo')));
}

function show(context: vscode.ExtensionContext, session: string): void {
  const gateway = vscode.workspace.getConfiguration('sitrep').get('gateway', 'http://127.0.0.1:4747');
  const address = `${gateway}/v1/sessions/${encodeURIComponent(session)}`;
  const built = vscode.Uri.joinPath(context.extensionUri, 'dist');
  const panel = vscode.window.createWebviewPanel('sitrep', 'Sitrep', vscode.ViewColumn.Beside, {
    enableScripts: true,
    localResourceRoots: [built],
  });
  const { webview } = panel;
  const file = (name: string): string => String(webview.asWebviewUri(vscode.Uri.joinPath(built, name)));
  // The extension reads the session; the page itself has no right to ask anybody anything.
  const end = serveWebview(webview, createSseSource({ url: `${address}/stream` }), (operation) => {
    const body = JSON.stringify({ type: 'operation', ...operation, cancelRequested: true });
    void fetch(`${address}/events`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  });
  panel.onDidDispose(end);
  webview.html = webviewPage({ source: webview.cspSource, nonce: randomUUID(), script: file('webview.js'), theme: file('vscode.css') });
}
