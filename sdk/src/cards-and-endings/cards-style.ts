/** The style of a card below the conversation. */
export const CARD_STYLE = `
.card { display: grid; gap: 8px; border: 1px solid var(--line); border-radius: 14px; padding: 16px; margin-bottom: 12px; background: var(--wash); }
.row { display: flex; flex-wrap: wrap; gap: 8px; }
`;

/** The style of cards and of the last screen. Added to the call's own style. */
export const CARDS_STYLE: string =
  CARD_STYLE +
  `
dialog.about { width: min(440px, 100vw - 32px); height: fit-content; max-height: calc(100dvh - 32px); overflow: auto; border-radius: 14px; }
.about form { display: grid; gap: 12px; padding: 24px; } .about p { overflow-wrap: anywhere; white-space: pre-line; } .about button { justify-self: end; }
.danger { font-size: 13px; color: var(--danger); } .danger:empty { display: none; }
.card input { min-height: 44px; padding: 10px 14px; border-radius: 8px; border: 1px solid var(--quiet); background: var(--paper); width: 100%; }
.card .address, .card .row button { overflow-wrap: anywhere; }
.card [aria-invalid] { border-color: var(--danger); }
.replies { display: flex; flex-wrap: wrap; gap: 8px; padding-bottom: 12px; }
.replies button { border-radius: 22px; border-color: var(--a); padding: 8px 16px; }
.ended footer .primary { min-width: 120px; margin-inline-end: 16px; margin-bottom: 16px; }
.rating { margin-inline-start: -10px; }
.rating legend { padding: 0 0 0 10px; }
.rating .icon:hover svg, .rating .icon:focus-visible svg { fill: var(--a); stroke: var(--a); }
.rating:has(.icon:hover) .icon:not(.icon:hover ~ .icon) svg { fill: var(--a); stroke: var(--a); }
.ended > .plain { justify-self: start; margin-inline-start: -16px; }
`;
