/** The style of an enlarged stage, and of what names it while the call is small. Added to the call's own style. */
export const STAGE_STYLE = `
.stage { position: relative; } .shows .stage { background: linear-gradient(160deg, var(--tint), var(--wash) 50%); } .stage.large { position: absolute; inset: 0; z-index: 2; margin: 0 !important; border-radius: inherit; }
.large + .column { grid-area: 2 / 2; } .docked .column { grid-area: 2 / 1; } @media (max-width: 700px), (max-width: 900px) and (orientation: portrait) { dialog:not(.docked) .large + .column { grid-area: 3 / 1; } }
.stage nav[hidden] { display: flex !important; visibility: hidden; }
.enlarge { position: absolute; inset-inline-end: 8px; top: 8px; z-index: 1; background: var(--paper); border-color: var(--line); }
.stage h3 { padding-inline-end: 44px; }
.zoomed > img { flex: none; max-width: none; max-height: none; width: calc(100% * var(--zoom)); margin: 0; } .large .slide { touch-action: pan-x pan-y; }
.ended { position: relative; } .ended > .stage:not(.large) { display: none; }
.thumb { display: none; } .docked .thumb { display: flex; flex: none; align-items: center; gap: 10px; width: 100%; margin-top: 8px; padding: 6px 12px; text-align: start; }
.thumb img { width: 56px; height: 36px; object-fit: cover; border-radius: 4px; } .thumb span { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
`;
