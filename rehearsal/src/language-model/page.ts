import { faultKinds } from "./fault.ts";
import type { Fault } from "./fault.ts";
import type { Requests } from "./request-log.ts";

export interface PageFacts {
  url: string;
  delayMs: number;
  faults: (Fault & { hits: number })[];
  scripts: { evaluations: number; conversations: number };
  requests: Requests;
}

/** What a person sees who opens the address in a browser. */
export function renderPage({ url, delayMs, faults, scripts, requests }: PageFacts): string {
  const on = faults.map(
    ({ kind, hits, ...rest }) =>
      `<tr><th>${kind}</th><td>${faultKinds[kind].does}</td><td>${escaped(settings(rest))}</td><td>${hits}</td></tr>`,
  );
  const set = `curl -X PUT ${url}/rehearsal/faults -d '{"faults": [{"kind": "prose", "times": 1}]}'`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Rehearsal: a language model</title>
<link rel="icon" href="data:,">
<style>${style}</style>
<main>
<h1>A language model, for rehearsal</h1>
<p>It stands in for a real one: it speaks OpenAI's API, needs no key, and answers the same request with the same
bytes, from scripts where one fits and by rules everywhere else.</p>
<dl>
<div><dt>Base URL for a client</dt><dd><code>${url}/v1</code></dd></div>
<div><dt>Scripts</dt><dd>${scripts.evaluations} evaluations, ${scripts.conversations} conversations</dd></div>
<div><dt>Requests since the start</dt><dd>${requests.total}, <a href="/rehearsal/requests">see the last</a></dd></div>
<div><dt>Delay</dt><dd>${delayMs} ms</dd></div>
</dl>
<h2>Switches that are on</h2>
${
  on.length === 0
    ? "<p>None. It answers as well as it can.</p>"
    : `<table><thead><tr><th>Fault</th><th>What it does</th><th>Set to</th><th>Shown</th></tr></thead><tbody>${on.join("")}</tbody></table>`
}
<p>Turn one on:</p>
<pre><code>${escaped(set)}</code></pre>
<h2>All switches</h2>
<table><tbody>${allKinds}</tbody></table>
</main>
</html>
`;
}

const allKinds = Object.entries(faultKinds)
  .map(([kind, { does, on }]) => {
    const where = on === undefined ? "" : ` (${on} requests)`;
    return `<tr><th>${kind}</th><td>${does}${where}</td></tr>`;
  })
  .join("");

const style = `
:root { color-scheme: light dark; --ink: #14181f; --paper: #fff; --quiet: #5b6472; --line: #e3e7ec; --wash: #f5f7f9; --link: #1d4ed8 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eef1f5; --paper: #12161c; --quiet: #9aa4b2; --line: #2a313b; --wash: #1a2028; --link: #8ab4ff }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, sans-serif }
main { max-width: 880px; margin: 0 auto; padding: 48px 24px }
h1, h2 { line-height: 1.2; margin: 0; text-wrap: balance }
h1 { font-size: 28px }
h2 { font-size: 20px; margin-top: 48px }
p { margin: 12px 0 0; max-width: 65ch }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(180px, 1fr)); gap: 24px; margin: 32px 0 0 }
dt, thead th { color: var(--quiet); font-size: 13px; font-weight: 400 }
dd { margin: 4px 0 0; font-variant-numeric: tabular-nums }
a { color: var(--link); text-underline-offset: 3px }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
code { font: 13px/1.55 ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere }
pre { margin: 12px 0 0; padding: 12px 16px; border-radius: 8px; background: var(--wash); white-space: pre-wrap }
table { width: 100%; margin-top: 12px; border-collapse: collapse; text-align: left }
th, td { padding: 8px 16px 8px 0; border-top: 1px solid var(--line); vertical-align: top }
tbody th { font: 13px/1.55 ui-monospace, Menlo, Consolas, monospace; white-space: nowrap }
@media (max-width: 480px) { main { padding: 32px 16px } }
`;

function settings(rest: Omit<Fault, "kind">): string {
  const set = Object.entries(rest).map(([name, value]) => `${name} ${value}`);
  return set.join(", ") || "every request";
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
