/**
 * One element and `:where()`: the lowest specificity that still beats a reset, so that any class rule
 * of the page wins without `!important`.
 */
export const HERO_STYLE = `
div:where(.svc-hero-root) { display: flex; flex-direction: column; align-items: center; gap: 16px; width: 100%; height: 100%; box-sizing: border-box; font: 15px/1.45 system-ui, sans-serif; }
div:where(.svc-hero-stage) { display: flex; align-items: center; width: 100%; flex: 1 1 auto; min-height: 48px; }
div:where(.svc-hero-stage) > :where(.svc-hero-placeholder) { width: 100%; height: 100%; max-height: var(--svc-face, 480px); object-fit: contain; }
form:where(.svc-hero-form) { width: 100%; max-width: 420px; margin: 0; }
label:where(.svc-hero-title) { display: block; margin: 0 0 8px; font-weight: 600; }
div:where(.svc-hero-row) { display: flex; gap: 8px; }
input:where(.svc-hero-input) { flex: 1; min-width: 0; min-height: 44px; box-sizing: border-box; padding: 10px 14px; border: 1px solid #5b6472; border-radius: 8px; background: #fff; color: #14181f; font: inherit; }
input:where(.svc-hero-input:focus) { outline: 2px solid var(--svc-accent, #0f766e); outline-offset: 1px; border-color: var(--svc-accent, #0f766e); }
button:where(.svc-hero-cta) { box-sizing: border-box; min-height: 44px; margin: 0; letter-spacing: normal; text-transform: none; padding: 10px 20px; border: 0; border-radius: 8px; background: var(--svc-accent, linear-gradient(120deg, #0f766e, #1d4ed8)); color: var(--svc-on-accent, white); font: inherit; font-weight: 600; cursor: pointer; }
button:where(.svc-hero-cta:hover) { opacity: .92; }
button:where(.svc-hero-cta:focus-visible) { outline: 2px solid currentColor; outline-offset: -5px; }
p:where(.svc-hero-error) { margin: 6px 0 0; min-height: 1.45em; font-size: 13px; color: #b42318; }
@media (max-width: 480px) { div:where(.svc-hero-row) { flex-direction: column; } }
@media (forced-colors: active) { button:where(.svc-hero-cta) { border: 1px solid; } }
`;
