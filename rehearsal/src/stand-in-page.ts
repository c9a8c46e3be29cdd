/** What a person sees who opens a stand-in's address in a browser. */
export function standInPage({ title, body }: { title: string; body: string }): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Rehearsal: ${title}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
<main>
${body}
</main>
</html>
`;
}

/** The switches that are on and all that there are. */
export function switchesPart(facts: {
  faults: { kind: string; hits: number }[];
  /** What each of them does. */
  kinds: Record<string, string>;
  /** A command that turns one on. */
  example: string;
}): string {
  const { faults, kinds, example } = facts;
  const on = faults.map(({ kind, hits, ...rest }) => {
    const set = Object.entries(rest).map(([name, value]) => `${name} ${String(value)}`);
    const settings = escaped(set.join(", ") || "always");
    return `<tr><th>${kind}</th><td>${kinds[kind]}</td><td>${settings}</td><td>${hits}</td></tr>`;
  });
  const all = Object.entries(kinds).map(
    ([kind, does]) => `<tr><th>${kind}</th><td>${does}</td></tr>`,
  );
  return `<h2>Switches that are on</h2>
${
  on.length === 0
    ? "<p>None. It answers as well as it can.</p>"
    : `<table><thead><tr><th>Fault</th><th>What it does</th><th>Set to</th><th>Shown</th></tr></thead><tbody>${on.join("")}</tbody></table>`
}
<p>Turn one on:</p>
<pre><code>${escaped(example)}</code></pre>
<h2>All switches</h2>
<table><tbody>${all.join("")}</tbody></table>`;
}

export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

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
