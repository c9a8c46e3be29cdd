/** The style of a card below the conversation. */
export const CARD_STYLE = `
.card { display: grid; gap: 8px; border: 1px solid var(--line); border-radius: 14px; padding: 16px; margin-bottom: 12px; background: var(--wash); }
.row { display: flex; flex-wrap: wrap; gap: 8px; } .card .row > * { flex: 1 1 auto; text-align: center; }
`;

/** The style of cards and of the last screen. Added to the call's own style. */
export const CARDS_STYLE: string =
  CARD_STYLE +
  `
h3, h4, ul, pre, fieldset { margin: 0; padding: 0; border: 0; } h3 { font-size: 17px; line-height: 1.2; } ul { list-style: none; } input, textarea { font: inherit; color: inherit; }
.button { display: inline-block; min-height: 44px; padding: 10px 16px; border-radius: 8px; border: 1px solid transparent; background: var(--fill); color: var(--on); font-weight: 600; text-decoration: none; } .button:hover { opacity: .92; } @media (forced-colors: active) { .button { border-color: CanvasText; } }
dialog.about { width: min(440px, 100vw - 32px); height: fit-content; max-height: calc(100dvh - 32px); overflow: auto; border-radius: 14px; }
.about form { display: grid; gap: 12px; padding: 24px; } .about p { overflow-wrap: anywhere; white-space: pre-line; } .about a { justify-self: start; padding-block: 4px; } .about button { justify-self: end; }
.person { display: flex; align-items: center; gap: 8px; min-height: 44px; padding: 0 12px; border-radius: 22px; color: var(--quiet); text-decoration: none; }
.person:hover { background: var(--wash); } .short { display: none; }
.leave { position: absolute; z-index: 2; top: 100%; inset-inline-end: 12px; max-width: calc(100% - 24px); display: flex; flex-wrap: wrap; align-items: center; justify-content: end; gap: 8px; padding: 8px; border: 1px solid var(--line); border-radius: 14px; background: var(--paper); box-shadow: 0 8px 24px #0b122033; animation: in 220ms ease-out; } .leave p { padding-inline: 8px; font-weight: 600; } .leave:focus { outline: 0; }
.warning { font-size: 13px; color: var(--quiet); padding: 8px 0; text-align: center; }
.lost .column, .lost .stage { opacity: .7; }
.tile { flex: none; height: 148px; padding-top: 12px; border-radius: 14px; overflow: hidden; background: var(--tint); display: grid; } .tile:empty { display: none; }
li.note { font-size: 13px; color: var(--quiet); }
.voice [aria-pressed=true] { color: var(--danger); border-color: currentColor; }
[aria-pressed=true] ~ .meter { opacity: .3; }
.voice select { width: 24px; padding: 0; margin-inline-start: -8px; text-indent: 24px; } @media (max-width: 380px) { .voice select { display: none; } .leave p { flex-basis: 100%; } }
header::after { content: ""; position: absolute; inset: auto 16px 0; height: 2px; border-radius: 1px; background: var(--a); opacity: .5; transform-origin: left; transform: scaleX(var(--done, 0)); transition: transform 220ms; }
.log ol::after { content: "•••"; flex: none; height: 20px; line-height: 20px; padding-inline-start: 38px; letter-spacing: 3px; color: var(--quiet); visibility: hidden; margin-top: -8px; }
.log ol:empty::after { margin-top: auto; } [data-state=thinking] .log ol::after { visibility: visible; animation: dots 1.1s infinite alternate; }
@keyframes dots { from { opacity: .25; } }
dialog.docked { position: fixed; inset: auto 16px 16px auto; margin: 0; width: min(340px, 100vw - 32px); height: min(520px, 100dvh - 32px); }
.docked .talk { grid-template: auto minmax(0, 1fr) / minmax(0, 1fr); } .shows .heard { visibility: hidden; } .notice > .button { margin-top: 8px; } .notice > .plain { justify-self: center; } .notice .card { margin-top: 16px; } .notice .card .plain { display: none; } .heard { text-wrap: balance; } .docked :is(.mark, .stage) { display: none; }
a { color: inherit; }
.docked :is(.long, select) { display: none; } .docked .short { display: block; } .docked .tile { height: 72px; padding-top: 8px; }
.docked .talk header { gap: 0; padding-inline: 10px; } .docked .person { flex-direction: column; gap: 0; padding: 4px 6px 0; font-size: 12px; line-height: 16px; } .docked header .icon { width: 36px; } .docked .end { padding-inline: 10px; }
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
  .shows .log { margin-top: 24px; } .long { display: none; } .short { display: block; } .talk .person { flex-direction: column; gap: 0; padding: 4px 6px 0; font-size: 12px; line-height: 16px; } .talk header .icon { width: 38px; }
}
.danger { font-size: 13px; color: var(--danger); } .slot { display: grid; min-height: 38px; } .slot > * { grid-area: 1 / 1; } .danger:not(:empty) + .small { visibility: hidden; } .card-place > * { animation: in 220ms ease-out; }
.card input { min-height: 44px; padding: 10px 14px; border-radius: 8px; border: 1px solid var(--quiet); background: var(--paper); width: 100%; }
.card .address, .card .row button { overflow-wrap: anywhere; }
.card [aria-invalid] { border-color: var(--danger); }
.replies { display: flex; flex-wrap: wrap; gap: 8px; padding-bottom: 12px; }
.replies button { border-radius: 22px; border-color: var(--a); padding: 8px 16px; }
dialog:has(> .ended) { width: min(1040px, 100vw - 32px); height: fit-content; }
.ended { display: grid; grid-template: auto auto / 1fr 1fr; max-height: min(92dvh, 900px); overflow: auto; border-radius: 20px; overflow-wrap: anywhere; }
.ended > div { padding: 32px; } .goodbye { background: var(--wash); background: radial-gradient(at 0 0, var(--tint), var(--wash) 70%); }
.goodbye .face > * { display: block; width: 112px; height: 112px; margin: 0 0 20px; } .goodbye h2 { font-size: 28px; letter-spacing: -.02em; } .goodbye .lead { margin: 8px 0 20px; color: var(--quiet); }
.recap { min-height: 150px; font-size: 17px; } .recap:empty { display: none; } .recap p { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 6; overflow: hidden; padding-inline-start: 14px; border-inline-start: 2px solid var(--a); } .recap ul { display: grid; gap: 12px; animation: in 220ms ease-out; } .recap li { padding-inline-start: 28px; position: relative; } .recap li::before { content: "✓"; position: absolute; inset-inline-start: 0; color: color-mix(in oklab, var(--a) 60%, var(--ink)); font-weight: 600; }
.next { display: grid; gap: 12px; align-content: start; } .next h3 { font-size: 13px; font-weight: 400; color: var(--quiet); } .next > .button { text-align: center; padding-block: 14px; } .next .row > * { flex: 1 1 0; text-align: center; } .next .row .plain { flex: 0 1 auto; font-size: 13px; } .next .row:last-child { justify-content: end; }
.light { background: var(--paper); color: var(--ink); border-color: var(--line); font-weight: 400; }
.seen { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 8px; margin-bottom: 8px; } .seen button { padding: 8px; min-height: 64px; font-size: 13px; line-height: 1.3; background: var(--wash); } .seen img { display: block; width: 100%; height: 56px; object-fit: cover; border-radius: 4px; margin-bottom: 6px; }
.rating { display: flex; align-items: center; flex-wrap: wrap; border-top: 1px solid var(--line); padding-top: 8px; } .rating legend { float: inline-start; padding: 0; min-width: 8em; flex: 1; } @media (max-width: 480px) { .rating legend { flex: 0 0 100%; } }
.rating .icon:hover svg, .rating .icon:focus-visible svg, .rating .given svg { fill: var(--a); stroke: var(--a); } .rating .icon:disabled { opacity: 1; } .rating :disabled:not(.given) { opacity: .4; }
.rating:has(.icon:hover:enabled) .icon:not(.icon:hover ~ .icon) svg { fill: var(--a); stroke: var(--a); }
.ended .log { grid-column: 1 / -1; max-height: 260px; padding: 8px 28px 16px; border-top: 1px solid var(--line); } .ended .log li { animation: none; } .ended .log ol::after { display: none; }
@media (max-width: 700px) { .ended { grid-template: none / minmax(0, 1fr); } .ended > div { padding: 24px; } }
@media (forced-colors: active) { .recap li::before { color: CanvasText; } }
@media (prefers-reduced-motion: reduce) { ::after { animation: none !important; transition: none !important; } }
`;
