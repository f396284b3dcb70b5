/** The page's own style, in the colours and fonts of the editor. */
export const styleSheet = `
body {
  margin: 0;
  padding: 0 24px 24px;
  color: var(--vscode-foreground);
  background: var(--vscode-editor-background);
  font-family: var(--vscode-font-family);
  font-size: var(--vscode-font-size);
}
main { max-width: 640px; }
h1 { font-size: 1.6em; font-weight: 400; overflow-wrap: anywhere; }
h2 { font-size: 1.15em; font-weight: 600; margin: 0 0 8px; }
section { margin: 24px 0 0; }
dl { display: grid; grid-template-columns: 16em 1fr; gap: 4px 16px; margin: 0; }
dt { color: var(--vscode-descriptionForeground); }
dd { margin: 0; overflow-wrap: anywhere; user-select: text; }
figure { margin: 0 0 12px; }
figcaption { padding-top: 4px; }
figcaption, caption, .note { color: var(--vscode-descriptionForeground); font-size: 0.92em; }
caption { text-align: start; padding-bottom: 4px; }
table { width: 100%; border-collapse: collapse; margin: 0 0 12px; }
th { text-align: start; font-weight: 400; width: 5em; padding: 0; }
caption, th, td { padding-inline-start: 0; }
td { padding: 2px 0; font-variant-numeric: tabular-nums; }
td.bar { width: 60%; padding-inline-end: 12px; }
svg { display: block; width: 100%; height: 8px; border-radius: 2px; outline: 1px solid var(--vscode-contrastBorder, transparent); }
.track { fill: var(--vscode-foreground); opacity: 0.15; }
.fill { fill: var(--vscode-progressBar-background); }
.failure { color: var(--vscode-errorForeground); }
.buttons { display: flex; gap: 8px; margin: 0; }
.button {
  padding: 4px 12px;
  border-radius: 2px;
  border: 1px solid var(--vscode-button-border, transparent);
  color: var(--vscode-button-secondaryForeground);
  background: var(--vscode-button-secondaryBackground);
  text-decoration: none;
}
.button:hover { background: var(--vscode-button-secondaryHoverBackground); }
.button:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px; }
`;
