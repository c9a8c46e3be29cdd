/** The style of a card below the conversation. */
export const CARD_STYLE = `
.card { display: grid; gap: 8px; border: 1px solid var(--line); border-radius: 14px; padding: 16px; margin-bottom: 12px; background: var(--wash); }
.row { display: flex; flex-wrap: wrap; gap: 8px; } .card .row > * { flex: 1 1 auto; text-align: center; }
`;

/** The style of cards and of the last screen. Added to the call's own style. */
export const CARDS_STYLE: string =
  CARD_STYLE +
  `
dialog.about { width: min(440px, 100vw - 32px); height: fit-content; max-height: calc(100dvh - 32px); overflow: auto; border-radius: 14px; }
.about form { display: grid; gap: 12px; padding: 24px; } .about p { overflow-wrap: anywhere; white-space: pre-line; } .about button { justify-self: end; }
.person { display: flex; align-items: center; gap: 8px; min-height: 44px; padding: 0 12px; border-radius: 22px; color: var(--quiet); text-decoration: none; }
.person:hover { background: var(--wash); }
.warning { font-size: 13px; color: var(--quiet); padding: 8px 0; text-align: center; }
.lost .column, .lost .stage { opacity: .7; }
.tile { flex: none; height: 148px; padding-top: 12px; border-radius: 14px; overflow: hidden; background: var(--tint); display: grid; } .tile:empty { display: none; }
li.note { font-size: 13px; color: var(--quiet); }
.voice select { width: 24px; padding: 0; margin-inline-start: -8px; text-indent: 24px; } @media (max-width: 380px) { header .mark, .voice select { display: none; } }
header::after { content: ""; position: absolute; inset: auto 16px 0; height: 2px; border-radius: 1px; background: var(--a); opacity: .5; transform-origin: left; transform: scaleX(var(--done, 0)); transition: transform 220ms; }
.log ol::after { content: "•••"; flex: none; height: 20px; line-height: 20px; padding-inline-start: 38px; letter-spacing: 3px; color: var(--quiet); visibility: hidden; margin-top: -8px; }
.log ol:empty::after { margin-top: auto; } [data-state=thinking] .log ol::after { visibility: visible; animation: dots 1.1s infinite alternate; }
@keyframes dots { from { opacity: .25; } }
dialog.docked { position: fixed; inset: auto 16px 16px auto; margin: 0; width: min(340px, 100vw - 32px); height: min(520px, 100dvh - 32px); }
.docked .talk { grid-template: auto minmax(0, 1fr) / minmax(0, 1fr); } .docked :is(.mark, .stage) { display: none; }
a { color: inherit; }
.docked :is(.person span, select) { display: none; } .docked .tile { height: 72px; padding-top: 8px; }
.docked .talk header { gap: 0; padding-inline: 10px; } .docked .person { gap: 0; padding-inline: 10px; } .docked header :is(.icon, .person) { width: 40px; } .docked .end { padding-inline: 10px; }
textarea { unicode-bidi: plaintext; } .send:hover { background: var(--fill); opacity: .92; } @media (forced-colors: active) { li.assistant { border-inline-start: 2px solid; padding-inline-start: 8px; } .send { border: 1px solid; } }
.composer { animation: in 220ms ease-out; }
.composer { flex: 1; min-width: 0; display: flex; align-items: end; gap: 4px; border: 1px solid var(--quiet); border-radius: 24px; padding: 1px; padding-inline-start: 18px; }
.composer:focus-within { border-color: var(--a); outline: 1px solid var(--a); }
.composer textarea { flex: 1; min-width: 0; border: 0; outline: 0; background: none; resize: none; padding: 11px 0; max-height: 132px; field-sizing: content; }
.composer ::placeholder { color: var(--quiet); opacity: 1; }
.send { background: var(--fill); color: var(--on); }
.start-talking { border-color: var(--a); }
header > :is(.icon, .person) { animation: in 220ms ease-out; }
@media (max-width: 700px), (max-width: 900px) and (orientation: portrait) {
  dialog:not(.docked) .column { position: relative; }
  dialog:not(.docked) .tile { position: absolute; inset-inline-end: 20px; top: -40px; width: 64px; height: 64px; padding: 0; border-radius: 32px; box-shadow: 0 0 0 3px var(--paper); }
  .person span { display: none; } .talk .person { gap: 0; padding-inline: 10px; } .talk header :is(.icon, .person) { width: 40px; }
}
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
