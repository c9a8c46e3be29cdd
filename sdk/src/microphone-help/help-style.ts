import { CARD_STYLE } from "../cards-and-endings/card-style.ts";

/** How a rung looks. Added to the call's own style. */
export const LADDER_STYLE: string =
  CARD_STYLE +
  `
.rung { grid-template-columns: auto 1fr; column-gap: 16px; }
.rung > * { grid-column: 2; }
.rung > svg { grid-column: 1; grid-row: 1 / 5; width: 48px; height: 48px; stroke-width: 1; color: var(--quiet); }
`;
