/** The style of the widget. It lives in a shadow root, so the page's rules do not reach it. */
export const WIDGET_STYLE = `
:host(.top) { top: max(16px, env(safe-area-inset-top)); }
:host(.bottom) { bottom: max(16px, env(safe-area-inset-bottom)); }
:host(.center) { left: 50%; transform: translateX(-50%); }
:host(.left) { left: max(16px, env(safe-area-inset-left)); }
:host(.right) { left: auto; right: max(16px, env(safe-area-inset-right)); }
:host(.center:is(.left, .right)) { top: 50%; transform: translateY(-50%); }
* { margin: 0; }
.box { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); }
.card { display: grid; grid-template-columns: minmax(0, 1fr); gap: 12px; width: min(320px, 100vw - 32px); max-height: calc(100dvh - 32px); overflow: auto; padding: 16px; border: 1px solid var(--line); border-radius: 14px; background: var(--paper); box-shadow: 0 12px 40px #0b122029; animation: in 220ms ease-out; }
.head { display: flex; align-items: center; gap: 12px; }
.face > * { display: block; flex: none; width: 56px; height: 56px; border-radius: 28px; object-fit: cover; }
.head p { flex: 1; font-size: 13px; color: var(--quiet); }
.icon { align-self: flex-start; width: 44px; height: 44px; margin: -10px -10px 0 0; border: 0; border-radius: 22px; background: none; color: var(--quiet); cursor: pointer; }
.card:has(form) { width: min(376px, 100vw - 32px); }
.title { display: block; margin-bottom: 8px; font-weight: 600; }
.row { display: flex; gap: 8px; }
.input { flex: 1; min-width: 0; min-height: 44px; padding: 10px 12px; border: 1px solid var(--quiet); border-radius: 8px; background: var(--paper); color: inherit; font: inherit; }
.input:focus { outline: 2px solid var(--a); outline-offset: 1px; border-color: var(--a); }
.cta { min-height: 44px; padding: 10px 16px; border: 0; border-radius: 8px; background: var(--fill); color: var(--on); font: inherit; font-weight: 600; cursor: pointer; }
.cta:hover { opacity: .92; }
.error { margin-top: 6px; font-size: 13px; color: var(--danger); } .error:empty { display: none; }
.pill { display: block; position: relative; width: 56px; height: 56px; padding: 0; border: 0; border-radius: 28px; background: none; box-shadow: 0 8px 24px #0b122033; cursor: pointer; }
.dot { position: absolute; right: 2px; bottom: 2px; width: 14px; height: 14px; border: 2px solid var(--paper); border-radius: 7px; background: #067647; }
@media (max-width: 480px) { .row { flex-direction: column; } }
@media (forced-colors: active) { .card, .cta, .pill { border: 1px solid; } }
@media (prefers-reduced-motion: reduce) { .card { animation: none; } }
`;
