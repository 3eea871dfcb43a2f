/** As much of VS Code's API as the extension uses; `@types/vscode` has all of it. */
declare module 'vscode' {
  interface Disposable {
    dispose(): unknown;
  }
  interface Uri {
    toString(): string;
  }
  interface Webview {
    html: string;
    readonly cspSource: string;
    asWebviewUri(local: Uri): Uri;
    postMessage(message: unknown): PromiseLike<boolean>;
    onDidReceiveMessage(listener: (message: unknown) => void): Disposable;
  }
  interface WebviewPanel extends Disposable {
    readonly webview: Webview;
    onDidDispose(listener: () => void): Disposable;
  }
  interface ExtensionContext {
    readonly subscriptions: Disposable[];
    readonly extensionUri: Uri;
  }
  const Uri: { joinPath(base: Uri, ...parts: string[]): Uri };
  const ViewColumn: { readonly Beside: number };
  const commands: { registerCommand(name: string, run: (session?: string) => unknown): Disposable };
  const workspace: { getConfiguration(section: string): { get<T>(name: string, instead: T): T } };
  const window: {
    createWebviewPanel(
      type: string,
      title: string,
      column: number,
      options: { readonly enableScripts: boolean; readonly localResourceRoots: readonly Uri[] },
    ): WebviewPanel;
  };
}
