import { mapValues } from "../map-values.ts";
import { escaped, standInPage, switchesPart } from "../stand-in-page.ts";
import { speechFaultKinds } from "./fault.ts";
import type { SpeechFault } from "./fault.ts";
import type { SpeechRequests } from "./request-log.ts";

export interface PageFacts {
  url: string;
  delayMs: number;
  faults: (SpeechFault & { hits: number })[];
  requests: SpeechRequests;
}

const SHOWN = 20;
const kinds = mapValues(speechFaultKinds, ({ does }) => does);

/** What a person sees who opens the address in a browser. */
export function renderPage({ url, delayMs, faults, requests }: PageFacts): string {
  const example = `curl -X PUT ${url}/rehearsal/faults -d '{"faults": [{"kind": "cut_sentence", "times": 1}]}'`;
  const last = requests.recent
    .filter(({ text }) => text !== undefined)
    .slice(-SHOWN)
    .map(({ what, service, text }) => [what, service, escaped(text!)])
    .map(([what, service, text]) => `<tr><th>${what}</th><td>${service}</td><td>${text}</td></tr>`);
  return standInPage({
    title: "ears and a voice",
    body: `<h1>Ears and a voice, for rehearsal</h1>
<p>They stand in for those of Deepgram, Cartesia, ElevenLabs and OpenAI: they speak each one's own protocol and take
any key. The voice is a plain one, and the ears know English.</p>
<dl>
<div><dt>Address for a client</dt><dd><code>${url}</code></dd></div>
<div><dt>Events since the start</dt><dd>${requests.total}, <a href="/rehearsal/requests">see the last</a></dd></div>
<div><dt>Delay</dt><dd>${delayMs} ms</dd></div>
</dl>
<h2>Heard and said</h2>
${last.length === 0 ? "<p>Nothing yet.</p>" : `<table><tbody>${last.toReversed().join("")}</tbody></table>`}
${switchesPart({ faults, kinds, example })}`,
  });
}
