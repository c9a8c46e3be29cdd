/** The light around a place, and the small call beside it. Added to the call's own style. */
export const PLACES_STYLE = `
.spot { position: fixed; inset: 0; width: auto; height: auto; margin: 0; border: 0; padding: 0; background: none; overflow: visible; pointer-events: none; font: 15px/1.45 system-ui, sans-serif; color: var(--paper); transition: opacity 120ms; }
.spot.out { opacity: 0; }
.spot i { position: absolute; left: var(--x); top: var(--y); width: var(--w); height: var(--h); border: 2px solid var(--a); border-radius: max(var(--r), 10px); box-shadow: 0 0 0 6px color-mix(in oklab, var(--a) 26%, transparent), 0 16px 80px 8px color-mix(in oklab, var(--a) 34%, transparent); animation: spot 420ms cubic-bezier(.2, .8, .2, 1); }
.spot p { position: absolute; left: var(--m); top: var(--n); width: max-content; max-width: min(420px, 100vw - 24px); display: flex; align-items: center; gap: 10px; margin: 0; padding: 6px 16px; border-radius: 22px; background: var(--ink); transform: translate(-50%, calc(-100% - 14px)); overflow-wrap: anywhere; unicode-bidi: plaintext; }
.spot.below p { transform: translate(-50%, 14px); }
.spot p::after { content: ""; position: absolute; left: calc(50% - 7px); bottom: -6px; border: 7px solid transparent; border-bottom: 0; border-top-color: var(--ink); }
.spot.below p::after { bottom: auto; top: -6px; border: 7px solid transparent; border-top: 0; border-bottom-color: var(--ink); }
.spot p > :not(span) { flex: none; width: 32px; height: 32px; margin-inline-start: -10px; border-radius: 16px; overflow: hidden; object-fit: cover; }
@keyframes spot { from { opacity: 0; transform: scale(1.04); } }
.card-place:has(+ .card) .replies { display: none; }
dialog.docked.aside { inset: auto auto 16px 16px; }
@media (max-width: 700px) { dialog.docked:has(~ .spot) { width: auto; inset: auto 8px 8px 8px; height: min(232px, 40dvh); } dialog.docked:has(~ .spot) .tile { display: none; } }
@media (forced-colors: active) { .spot i { border-color: Highlight; box-shadow: none; } .spot p { border: 1px solid; background: Canvas; color: CanvasText; } }
@media (prefers-reduced-motion: reduce) { .spot, .spot i { animation: none; transition: none; } }
`;
