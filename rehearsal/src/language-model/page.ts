import { mapValues } from "../map-values.ts";
import { standInPage, switchesPart } from "../stand-in-page.ts";
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

const kinds = mapValues(faultKinds, ({ does, on }) =>
  on === undefined ? does : `${does} (${on} requests)`,
);

/** What a person sees who opens the address in a browser. */
export function renderPage({ url, delayMs, faults, scripts, requests }: PageFacts): string {
  const example = `curl -X PUT ${url}/rehearsal/faults -d '{"faults": [{"kind": "prose", "times": 1}]}'`;
  return standInPage({
    title: "a language model",
    body: `<h1>A language model, for rehearsal</h1>
<p>It stands in for a real one: it speaks OpenAI's API, needs no key, and answers the same request with the same
bytes, from scripts where one fits and by rules everywhere else.</p>
<dl>
<div><dt>Base URL for a client</dt><dd><code>${url}/v1</code></dd></div>
<div><dt>Scripts</dt><dd>${scripts.evaluations} evaluations, ${scripts.conversations} conversations</dd></div>
<div><dt>Requests since the start</dt><dd>${requests.total}, <a href="/rehearsal/requests">see the last</a></dd></div>
<div><dt>Delay</dt><dd>${delayMs} ms</dd></div>
</dl>
${switchesPart({ faults, kinds, example })}`,
  });
}
