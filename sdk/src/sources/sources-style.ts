/** The style of the links below a turn. Added to the call's own style. */
export const SOURCES_STYLE = `
.sources { grid-column: 2; display: flex; flex-wrap: wrap; gap: 6px; margin-top: -4px; }
.sources a { display: inline-flex; align-items: center; gap: 4px; min-width: 0; max-width: 100%; min-height: 28px; padding: 0 10px; border: 1px solid var(--line); border-radius: 14px; background: var(--paper); color: var(--quiet); font-size: 13px; text-decoration: none; animation: in 220ms ease-out; }
.sources a:hover { color: var(--ink); background: var(--wash); }
.sources bdi { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.sources svg { flex: none; width: 14px; height: 14px; } [dir=rtl] .sources svg { transform: scaleX(-1); }
@media (pointer: coarse) { .sources { gap: 8px; } .sources a { min-height: 36px; padding: 0 14px; border-radius: 18px; } }
`;
