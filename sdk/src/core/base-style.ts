const DARK = `--ink: #eef1f5; --paper: #12161c; --quiet: #a3adba; --line: #2a313b; --wash: #1a2028; --danger: #f97066;`;

/** The palette and the few rules that widget and call share. Both live in shadow roots. */
export const BASE_STYLE: string = `
:host {
  all: initial; position: fixed; z-index: var(--svc-z, 2147483000);
  --a: var(--svc-accent, #0f766e); --fill: var(--svc-accent, linear-gradient(120deg, #0f766e, #1d4ed8)); --on: var(--svc-on-accent, #fff);
  --ink: #14181f; --paper: #fff; --quiet: #5b6472; --line: #e3e7ec; --wash: #f5f7f9; --danger: #b42318;
}
@media (prefers-color-scheme: dark) { :host(:not([data-theme=light])) { ${DARK} } }
:host([data-theme=dark]) { ${DARK} }
* { box-sizing: border-box; }
svg { width: 20px; height: 20px; fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }
:focus-visible { outline: 2px solid var(--a); outline-offset: 2px; }
.face { display: contents; --svc-paper: var(--paper); }
@keyframes in { from { opacity: 0; transform: translateY(8px); } }
`;
