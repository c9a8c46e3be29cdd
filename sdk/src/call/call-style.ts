/** How the call looks. Colours come from the brand by custom properties; nothing here is concatenated with what others wrote. */
export const CALL_STYLE = `
[hidden] { display: none !important; }
dialog {
  font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  border: 1px solid var(--line); border-radius: 20px; padding: 0; overflow: hidden;
  width: min(1040px, 100vw - 32px); height: min(680px, 100dvh - 32px);
  max-width: none; max-height: none; box-shadow: 0 24px 64px #0b122033;
}
dialog:has(.notice) { width: min(480px, 100vw - 32px); height: fit-content; max-height: calc(100dvh - 32px); overflow: auto; }
dialog:not(.docked):has(.talk:not(.with-stage)) { width: min(600px, 100vw - 32px); }
dialog::backdrop { background: #0b1220a6; }
dialog:focus, h2:focus { outline: 0; }
h2, h3, h4, p, ol, ul, pre, fieldset { margin: 0; padding: 0; border: 0; }
h2 { font-size: 20px; line-height: 1.2; } h3 { font-size: 17px; line-height: 1.2; }
ol, ul { list-style: none; }
.quiet { color: var(--quiet); } .small { font-size: 13px; color: var(--quiet); }
.notice > .quiet:empty { display: none; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
button, select, input, textarea { font: inherit; color: inherit; }
button, .button {
  min-height: 44px; padding: 10px 16px; border-radius: 8px; border: 1px solid var(--line); background: var(--paper);
  cursor: pointer; text-decoration: none; transition: background 120ms ease-out, opacity 120ms ease-out;
}
button:hover, .button:hover { background: var(--wash); }
button:disabled { opacity: .5; cursor: default; }
.primary, .button { background: var(--fill); color: var(--on); border-color: transparent; font-weight: 600; }
.primary:hover, .button:hover, .send:hover { background: var(--fill); opacity: .92; }
.plain { border-color: transparent; background: none; color: var(--quiet); }
.icon { display: inline-grid; place-items: center; width: 44px; padding: 0; border-color: transparent; background: none; border-radius: 22px; }
a { color: inherit; }
.mark { display: grid; place-items: center; flex: none; width: 44px; height: 44px; }
.mark img { max-width: 100%; max-height: 100%; border-radius: 8px; } .mark:empty { display: none; }
.face > * { width: 100%; height: 100%; max-width: 320px; margin: auto; border-radius: 50%; object-fit: cover; }

.notice { display: grid; gap: 8px; padding: 32px; }
.notice .face > * { width: 64px; height: 64px; margin: 0 0 8px; }
.notice .lead { font-size: 17px; margin: 8px 0 16px; }
.choice { display: grid; grid-auto-flow: column; grid-auto-columns: 1fr; gap: 8px; }
.choice button { display: flex; align-items: center; justify-content: center; gap: 8px; }
.notice .small { margin-top: 8px; overflow-wrap: anywhere; }
.notice footer { display: flex; justify-content: space-between; align-items: center; gap: 12px; margin: 16px -16px -16px; }
.notice footer > :first-child { padding-inline: 16px; }
.notice footer select { padding-inline: 0; }
select { min-height: 44px; border: 0; border-radius: 8px; background: none; color: var(--quiet); cursor: pointer; }
option { color: #14181f; background: #fff; }
.notice > .plain { justify-self: center; }

.talk { display: grid; height: 100%; grid-template: auto minmax(0, 1fr) / minmax(0, 1fr); }
.talk header { grid-column: 1 / -1; display: flex; align-items: center; gap: 12px; padding: 12px 16px; border-bottom: 1px solid var(--line); }
.who { flex: 1; min-width: 0; } .who h2 { font-size: 17px; } .who p { font-size: 13px; } .who * { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; } header .icon { color: var(--quiet); }
.end { color: var(--danger); }
.person { display: flex; align-items: center; gap: 8px; min-height: 44px; padding: 0 12px; border-radius: 22px; color: var(--quiet); text-decoration: none; }
.person:hover { background: var(--wash); }
.stage { display: none; }
.column { display: flex; flex-direction: column; min-height: 0; min-width: 0; width: 100%; max-width: 720px; margin: 0 auto; padding: 0 16px max(16px, env(safe-area-inset-bottom)); }
.log { flex: 1; min-height: 0; display: flex; }
.log ol { flex: 1; overflow-y: auto; overscroll-behavior: contain; display: flex; flex-direction: column; gap: 12px; padding: 24px 4px; }
.log ol > :first-child { margin-top: auto; }
li.user, li.assistant { max-width: 85%; overflow-wrap: anywhere; white-space: pre-wrap; }
li.user { align-self: flex-end; background: var(--wash); border: 1px solid var(--line); padding: 8px 14px; border-radius: 14px; border-end-end-radius: 4px; }
.said, textarea { unicode-bidi: plaintext; }
li.user.partial { opacity: .6; }
li.note { font-size: 13px; color: var(--quiet); }
.warning { font-size: 13px; color: var(--quiet); padding: 8px 0; text-align: center; }
.composer { flex: 1; min-width: 0; display: flex; align-items: end; gap: 4px; border: 1px solid var(--quiet); border-radius: 24px; padding: 1px; padding-inline-start: 18px; }
.composer:focus-within { outline: 2px solid var(--a); outline-offset: 1px; }
.composer textarea { flex: 1; min-width: 0; border: 0; outline: 0; background: none; resize: none; padding: 11px 0; max-height: 132px; field-sizing: content; }
.composer ::placeholder { color: var(--quiet); opacity: 1; }
.send { background: var(--fill); color: var(--on); }

.foot { display: flex; align-items: center; gap: 8px; }
.start-talking { border-color: var(--a); }
.voice { display: flex; align-items: center; gap: 8px; padding-bottom: 8px; }
.voice .state { flex: 1; min-width: 0; }
.voice .icon { border-color: var(--line); flex: none; } .voice select { width: 24px; padding: 0; margin-inline-start: -8px; text-indent: 24px; }
.voice [aria-pressed=true] { color: var(--danger); border-color: currentColor; }
.meter { display: flex; align-items: center; gap: 3px; height: 28px; color: var(--a); }
.meter i { width: 3px; height: 28px; border-radius: 2px; background: currentColor; transform: scaleY(calc(.15 + var(--visitor, 0) * var(--share, .85))); transition: transform 120ms ease-out; }
.meter :nth-child(odd) { --share: .55; }
[aria-pressed=true] ~ .meter { opacity: .3; }
.ai:not(:last-child)::after { content: " · "; }

.with-stage { grid-template-columns: minmax(0, 1fr) minmax(320px, 38%); }
.with-stage .stage { display: flex; flex-direction: column; gap: 16px; min-height: 0; min-width: 0; padding: 24px; background: var(--wash); border-inline-end: 1px solid var(--line); }
.slide { flex: 1; min-height: 0; overflow: auto; display: flex; flex-direction: column; animation: in 220ms ease-out; }
.lost .column, .lost .stage { opacity: .7; }

dialog.docked { position: fixed; inset: auto 16px 16px auto; margin: 0; width: min(340px, 100vw - 32px); height: min(480px, 100dvh - 32px); border-radius: 14px; }
.docked .talk.with-stage { grid-template: auto minmax(0, 1fr) / minmax(0, 1fr); } .docked :is(.mark, .stage, .person span, select) { display: none; }
.docked .talk header { gap: 0; padding-inline: 10px; } .docked .person { gap: 0; padding-inline: 10px; } .docked header :is(.icon, .person) { width: 40px; } .docked .end { padding-inline: 10px; }
@media (max-width: 700px) {
  dialog:not(.docked):has(.talk) { width: 100vw; height: 100dvh; border-radius: 0; border: 0; }
  dialog:not(.docked) .with-stage { grid-template: auto 38% minmax(0, 1fr) / minmax(0, 1fr); }
  dialog:not(.docked) .with-stage .stage { padding: 12px 16px; gap: 8px; border: 0; border-bottom: 1px solid var(--line); }
  .person span, .ai { display: none; }
  .talk header, .talk .person { gap: 0; padding-inline: 10px; } .talk header :is(.icon, .person) { width: 40px; } .who { margin-inline-start: 10px; } .end { padding-inline: 8px; }
}
@media (max-width: 380px) { header .mark, .voice select { display: none; } }
@media (forced-colors: active) { .meter i { background: CanvasText; } .primary, .button, .send { border: 1px solid; } li.assistant { border-inline-start: 2px solid; padding-inline-start: 8px; } }
@media (prefers-reduced-motion: reduce) { .meter i { transform: none; opacity: calc(.2 + var(--visitor, 0)); } * { animation: none !important; transition: none !important; } }
`;
