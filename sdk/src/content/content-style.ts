/** The style of slides. Added to the call's own style. */
export const CONTENT_STYLE = `
h3:empty { display: none; } .stage h3, .prose > *, td, th { unicode-bidi: plaintext; }
.stage nav { display: flex; align-items: center; justify-content: center; gap: 12px; font-variant-numeric: tabular-nums; }
[dir=rtl] nav svg { transform: scaleX(-1); }
.slide > * { margin: auto; max-width: 100%; } .slide > .prose, .slide > .table, .slide > pre { margin: 0; }
.slide img, .slide video { max-height: 100%; object-fit: contain; border-radius: 8px; }
.slide img { width: 100%; }
.prose { display: grid; gap: 12px; } .prose ul { list-style: disc; padding-inline-start: 20px; } .prose ol { list-style: decimal; padding-inline-start: 20px; }
pre { direction: ltr; overflow: auto; padding: 16px; border-radius: 14px; background: var(--paper); border: 1px solid var(--line); font: 13px/1.5 ui-monospace, monospace; }
.table { overflow: auto; } table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; background: var(--paper); }
th, td { text-align: start; padding: 10px 12px; border-bottom: 1px solid var(--line); vertical-align: top; } th { font-size: 13px; color: var(--quiet); font-weight: 600; }
`;
