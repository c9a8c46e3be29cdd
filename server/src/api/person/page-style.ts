/** The look of all these pages, on a phone first. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ink: #14181f; --paper: #ffffff; --quiet: #5b6472; --line: #e3e7ec; --wash: #f5f7f9;
  --accent: #0f766e; --danger: #b42318;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #eef1f5; --paper: #12161c; --quiet: #9aa4b2; --line: #2a313b; --wash: #1a2028;
    --accent: #5eead4; --danger: #ff9b8f;
  }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.45 system-ui, sans-serif; overflow-wrap: anywhere }
main { max-width: 640px; margin: 0 auto; padding: 32px 16px 48px }
h1, h2 { line-height: 1.2; text-wrap: balance; margin: 0 }
h1 { font-size: 28px }
h2 { font-size: 20px; margin-top: 48px }
p { margin: 12px 0 0 }
.quiet, dt, .who { color: var(--quiet); font-size: 15px }
ol { list-style: none; margin: 16px 0 0; padding: 0; display: grid; gap: 12px }
li { padding: 12px 16px; border-radius: 14px }
.text { white-space: pre-line }
li.agent { background: var(--wash) }
li.you { border: 1px solid var(--line); margin-inline-start: 32px }
.who { display: block; font-weight: 600 }
dl { margin: 16px 0 0; border-top: 1px solid var(--line) }
dl div { padding: 12px 0; border-bottom: 1px solid var(--line) }
dd { margin: 4px 0 0; white-space: pre-line; font-variant-numeric: tabular-nums }
dt b { color: var(--ink); display: block }
.gets { white-space: normal }
.gets p + p { margin-top: 8px }
.gets p:first-child { margin-top: 0 }
.gets a { color: inherit }
.actions { display: grid; gap: 12px; margin-top: 24px }
.button { display: block; width: 100%; min-height: 48px; padding: 12px 20px; border: 1px solid var(--line); border-radius: 8px; background: none; color: var(--ink); font: 600 15px/1.45 system-ui, sans-serif; text-align: center; text-wrap: balance; text-decoration: none; cursor: pointer }
.button:hover { border-color: currentColor }
.danger { color: var(--danger) }
.strong { background: #0f766e; border-color: #0f766e; color: #ffffff }
.strong.danger { background: #b42318; border-color: #b42318 }
.strong:hover { border-color: var(--ink) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
code { font: 15px/1.45 ui-monospace, Menlo, Consolas, monospace }
@media (min-width: 560px) {
  main { padding: 64px 24px }
  li.you { margin-inline-start: 96px }
  li.agent { margin-inline-end: 96px }
  dl div { display: grid; grid-template-columns: 168px 1fr; gap: 24px; align-items: baseline }
  dd { margin: 0 }
  .actions { display: flex; flex-wrap: wrap }
  .button { width: auto }
}
`;
