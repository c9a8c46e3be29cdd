/** How the call looks. Colours come from the brand by custom properties; nothing here is concatenated with what others wrote. */
export const CALL_STYLE = `
[hidden] { display: none !important; }
dialog {
  font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: none; border: 0; padding: 0; overflow: visible;
  width: min(94vw, 1440px); height: min(92dvh, 900px); max-width: none; max-height: none;
  --tint: color-mix(in oklab, var(--a) 14%, var(--paper));
}
dialog::before { content: ""; position: absolute; inset: 0; z-index: -1; background: var(--paper); border-radius: 20px; box-shadow: 0 0 0 1px var(--line), 0 24px 64px #0b122033; }
dialog:has(> .notice) { width: min(480px, 100vw - 32px); height: fit-content; }
dialog::backdrop { background: #0b1220a6; animation: in 220ms; }
dialog:focus, h2:focus { outline: 0; }
h2, p, ol { margin: 0; padding: 0; }
h2 { font-size: 20px; line-height: 1.2; }
ol { list-style: none; }
.quiet { color: var(--quiet); } .small { font-size: 13px; color: var(--quiet); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
button, select { font: inherit; color: inherit; }
button {
  min-height: 44px; padding: 10px 16px; border-radius: 8px; border: 1px solid var(--line); background: var(--paper);
  cursor: pointer;
}
button:hover { background: var(--wash); }
button:disabled { opacity: .5; cursor: default; }
.primary { background: var(--fill); color: var(--on); border-color: transparent; font-weight: 600; }
.primary:hover { background: var(--fill); opacity: .92; }
.plain { border-color: transparent; background: none; color: var(--quiet); }
.icon { display: inline-grid; place-items: center; width: 44px; padding: 0; border-color: transparent; background: none; border-radius: 22px; }
.mark { display: grid; place-items: center; flex: none; width: 36px; height: 36px; }
.mark img { max-width: 100%; max-height: 100%; border-radius: 8px; } .mark:empty { display: none; }
.face > * { width: auto; height: 100%; max-width: 100%; margin: auto; border-radius: 50%; object-fit: cover; }

.notice { display: grid; gap: 4px; padding: 24px 32px; text-align: center; overflow: auto; border-radius: 20px; max-height: calc(100dvh - 32px); }
.banner { height: 168px; margin: -24px -32px 16px; padding: 16px; display: grid; background: var(--wash); background: radial-gradient(var(--wash), var(--tint)); }
.notice .lead { font-size: 17px; margin: 8px 0 16px; }
.choice { display: flex; gap: 8px; }
.choice button { flex: 1; display: flex; align-items: center; justify-content: center; gap: 8px; }
.notice .small { margin-top: 12px; overflow-wrap: anywhere; } .notice a { color: inherit; padding: 8px; } .notice > [role=status] { min-height: 22px; }
.notice footer { display: flex; justify-content: space-between; align-items: center; gap: 12px; margin: 0 -16px -8px; }
.notice footer > :first-child { padding-inline: 16px; }
.notice footer select { padding-inline: 0; }
select { min-height: 44px; border: 0; border-radius: 8px; background: none; color: var(--quiet); cursor: pointer; }
option { color: #14181f; background: #fff; }

.talk { display: grid; height: 100%; overflow: hidden; border-radius: 20px; grid-template: auto minmax(0, 1fr) / minmax(0, 1fr) 340px; }
.talk header { position: relative; grid-column: 1 / -1; display: flex; align-items: center; gap: 12px; padding: 8px 16px; }
.who { flex: 1; min-width: 0; display: grid; grid-template: auto 19px / auto 1fr; column-gap: 8px; align-items: baseline; } .who h2 { font-size: 17px; } .who span { font-size: 13px; color: var(--quiet); } .who .state { grid-column: 1 / -1; } .ai:last-child { grid-row: 2; } .who * { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; } header .icon { color: var(--quiet); }
.end { color: var(--danger); }
.stage { display: flex; flex-direction: column; gap: 16px; min-height: 0; min-width: 0; padding: 24px; margin: 8px 0 16px; margin-inline-start: 16px; border-radius: 14px; border: 1px solid var(--line); background: var(--wash); }
.talk:not(.shows) .stage { background: radial-gradient(var(--tint), var(--wash) 75%); }
.slide { flex: 1; min-height: 0; overflow: auto; display: flex; flex-direction: column; }
.slide > * { animation: in 220ms ease-out; }
.slide > .face { flex: 0 1 320px; min-height: 0; display: block; margin-block: auto 0; text-align: center; animation: none; }
.heard { flex: none; margin-block: 24px auto; margin-inline: auto; max-width: 28em; height: 5.6em; overflow: hidden; font-size: 20px; line-height: 1.4; text-align: center; unicode-bidi: plaintext; animation: none; }
.column { display: flex; flex-direction: column; min-height: 0; min-width: 0; padding: 8px 16px max(16px, env(safe-area-inset-bottom)); }
.log { flex: 1; min-height: 0; display: flex; }
.log ol { flex: 1; overflow-y: auto; overscroll-behavior: contain; display: flex; flex-direction: column; gap: 12px; padding: 16px 4px 4px; }
.log ol > :first-child { margin-top: auto; }
li { animation: in 220ms ease-out; overflow-wrap: anywhere; } .said { white-space: pre-wrap; unicode-bidi: plaintext; }
li.assistant { display: grid; grid-template-columns: 28px minmax(0, 1fr); gap: 10px; } .assistant .said { grid-column: 2; padding-top: 3px; } .beside { width: 28px; height: 28px; border-radius: 14px; overflow: hidden; } .beside > * { width: 100%; height: 100%; object-fit: cover; }
li.user { align-self: flex-end; max-width: 85%; background: var(--tint); border: 1px solid var(--line); padding: 8px 14px; border-radius: 14px; border-end-end-radius: 4px; }
li.user.partial { opacity: .6; }

.foot { display: flex; align-items: center; gap: 8px; min-height: 48px; }
.voice { display: flex; align-items: center; gap: 8px; padding-bottom: 8px; }
.voice .state { flex: 1; min-width: 0; }
.voice .icon { border-color: var(--line); flex: none; }
.meter { display: flex; align-items: center; gap: 3px; height: 28px; color: var(--a); }
.meter i { width: 3px; height: 28px; border-radius: 2px; background: currentColor; transform: scaleY(calc(.15 + var(--visitor, 0) * var(--share, .85))); transition: transform 120ms ease-out; }
.meter :nth-child(odd) { --share: .55; }
@media (max-width: 700px), (max-width: 900px) and (orientation: portrait) {
  dialog:not(.docked):has(> .talk) { width: 100vw; height: 100dvh; } dialog:not(.docked):has(> .talk)::before, dialog:not(.docked) .talk { border-radius: 0; }
  dialog:not(.docked) .talk { grid-template: auto 42% minmax(0, 1fr) / minmax(0, 1fr); }
  dialog:not(.docked) .stage { padding: 12px; gap: 8px; margin: 0 12px; }
  .heard { font-size: 15px; margin-block: 8px auto; }
  .talk header { gap: 0; padding-inline: 10px; } .talk .mark { display: none; } .who { margin-inline-start: 4px; } .end { padding-inline: 8px; }
}
@media (forced-colors: active) { .meter i { background: CanvasText; } dialog, .primary { border: 1px solid; } }
@media (prefers-reduced-motion: reduce) { .meter i { transform: none; opacity: calc(.2 + var(--visitor, 0)); } * { animation: none !important; transition: none !important; } }
`;
