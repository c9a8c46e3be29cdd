import type { TalkRecord } from "./judge-transcript.ts";

/** As if all that was generated had been heard of the turn that was cut. */
export function withWholeAnswer(record: TalkRecord): TalkRecord {
  const { transcript, generated } = record;
  const cut = transcript.findIndex(({ interrupted }) => interrupted);
  const start = generated.indexOf(transcript[cut]?.content ?? "");
  const next = transcript.slice(cut + 1).find(({ role }) => role === "assistant");
  const content = generated.slice(start, generated.indexOf(next?.content ?? "", start)).trim();
  return withContent(record, cut, content);
}

/** As if the agent had said more at the end. */
export function withOneSentenceMore(record: TalkRecord): TalkRecord {
  const last = record.transcript.length - 1;
  return withContent(record, last, `${record.transcript[last]?.content} That costs nothing.`);
}

function withContent(record: TalkRecord, index: number, content: string): TalkRecord {
  const { transcript } = record;
  return {
    ...record,
    transcript: transcript.map((turn, at) => (at === index ? { ...turn, content } : turn)),
  };
}
