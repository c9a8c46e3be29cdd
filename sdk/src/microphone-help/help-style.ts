import { CARD_STYLE } from "../cards-and-endings/cards-style.ts";

/** The style of the help card. Added to the call's own style. */
export const HELP_STYLE: string =
  CARD_STYLE +
  `
.help { grid-template-columns: auto 1fr; column-gap: 16px; }
.help > * { grid-column: 2; }
.help > svg { grid-column: 1; grid-row: 1 / 5; width: 48px; height: 48px; stroke-width: 1; color: var(--quiet); }
.brief .help { padding: 8px 16px; } .brief .help > :is(svg, p, .row) { display: none; } .brief h3 { font-size: 13px; font-weight: 400; }
`;
