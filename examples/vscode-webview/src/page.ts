/** What the page of the webview is made of. */
export interface WebviewPage {
  /** Where the page may load from: `webview.cspSource`. */
  readonly source: string;
  /** Made anew for each page. */
  readonly nonce: string;
  /** Addresses of the script, and of the recipe that follows the reader's theme. */
  readonly script: string;
  readonly theme: string;
}

/** The page, which may do nothing but run its one script: no request leaves it, what it shows comes by messages. */
export function webviewPage({ source, nonce, script, theme }: WebviewPage): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${source}`,
    "require-trusted-types-for 'script'",
    'trusted-types lit-html dompurify',
  ].join('; ');
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="content-security-policy" content="${policy}" />
    <meta name="viewport" content="width=device-width" />
    <link rel="stylesheet" href="${theme}" />
    <title>Sitrep</title>
  </head>
  <body>
    <progress-provider>
      <status-pill summary></status-pill>
      <progress-card open actions="cancel"></progress-card>
    </progress-provider>
    <script nonce="${nonce}" src="${script}"></script>
  </body>
</html>`;
}

/** The page for frames of others: it may also ask the gateway, and nobody else. */
export function embedPage({ source, nonce, script, theme, gateway }: WebviewPage & { readonly gateway: string }): string {
  return webviewPage({ source, nonce, script, theme })
    .replace(/<progress-provider>[\s\S]*<\/progress-provider>/, '<progress-card open></progress-card>')
    .replace("default-src 'none';", `default-src 'none'; connect-src ${gateway};`);
}
