/** The ribbon above every screen of a preview. */
export const PREVIEW_STYLE = `
.ribbon { flex: none; margin: 0; border-radius: inherit; border-end-start-radius: 0; border-end-end-radius: 0; padding: 6px 16px; background: #fdf0c8; color: #4a3800; font-size: 13px; text-align: center; }
dialog[open]:has(> .ribbon) { display: flex; flex-direction: column; }
.ribbon + .talk { flex: 1; min-height: 0; height: auto; }
@media (prefers-color-scheme: dark) { .ribbon { background: #3a2f10; color: #fbe6a8; } }
@media (forced-colors: active) { .ribbon { border-bottom: 1px solid; } }
`;
