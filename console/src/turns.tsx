import type { Story } from "@svc/contract/types";
import type { ReactNode } from "react";
import type { Place } from "./evidence.ts";
import { count, duration, titleOf } from "./format.ts";

type Event = Story["events"][number];

/** The conversation as it was heard, and under each turn what happened behind it. */
export function Turns(props: { story: Story; quotes: Place[]; lit: Place | undefined }): ReactNode {
  const { story, quotes, lit } = props;
  const slowestMs = Math.max(2_000, ...story.events.map((event) => waitedMs(timesIn(event))));
  if (story.conversation.length === 0) {
    return <p className="heard-part quiet">Nothing was said.</p>;
  }
  return (
    <ol className="heard-part" aria-label="What was heard">
      {story.conversation.map((turn, index) => {
        const events = story.events.filter((event) => event.turn === index);
        const visitor = turn.role === "user";
        const classes = ["turn", visitor && "visitor", lit?.turn === index && "lit"];
        return (
          <li key={index} id={`turn-${index}`} className={classes.filter(Boolean).join(" ")}>
            <span className="when">{turn.at ? sinceStart(story, turn.at) : ""}</span>
            <div>
              <div className="who">
                {visitor ? "Visitor" : "Agent"} {index + 1}
              </div>
              <p className="said">
                <Said
                  content={turn.content}
                  quotes={quotes.filter((one) => one.turn === index)}
                  lit={lit}
                />
                {turn.interrupted && " —"}
              </p>
              <Notes notes={[...(turn.interrupted ? [CUT] : []), ...events.flatMap(notesOf)]} />
            </div>
            <div className="timing">
              {events
                .filter(({ kind }) => kind === "timings")
                .map((event) => (
                  <Timing key={event.at} event={event} slowestMs={slowestMs} />
                ))}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function sinceStart(story: Story, at: string): string {
  return duration(Math.max(0, (Date.parse(at) - Date.parse(story.created_at)) / 1_000));
}

/** The text with its quotes underlined. Where two overlap, the first one counts. */
function Said(props: { content: string; quotes: Place[]; lit: Place | undefined }): ReactNode {
  const { content, lit } = props;
  const quotes = props.quotes.toSorted((one, other) => one.from - other.from);
  const parts: ReactNode[] = [];
  let done = 0;
  for (const { turn, from, to } of quotes) {
    if (from < done) continue;
    const isLit = lit?.turn === turn && lit.from === from;
    parts.push(
      content.slice(done, from),
      <span key={from} className={isLit ? "quote lit" : "quote"}>
        {content.slice(from, to)}
      </span>,
    );
    done = to;
  }
  return [...parts, content.slice(done)];
}

interface Note {
  title: string;
  text: string;
  isTrouble?: boolean;
}

const CUT: Note = {
  title: "Cut in",
  text: "by the visitor; nothing after it was heard",
  isTrouble: true,
};

function Notes({ notes }: { notes: Note[] }): ReactNode {
  if (notes.length === 0) return null;
  return (
    <ul className="notes">
      {notes.map((note) => (
        <li key={note.title + note.text} className={note.isTrouble ? "warn" : ""}>
          <b>{note.title}</b> {note.text}
        </li>
      ))}
    </ul>
  );
}

/** What is worth a line below the turn. The rest is in the list of every event. */
function notesOf({ kind, detail }: Event): Note[] {
  const of = (key: string): string => {
    const value = detail[key] ?? "";
    return typeof value === "string" ? value : JSON.stringify(value);
  };
  switch (kind) {
    case "content_shown":
      return [{ title: "On the stage", text: titleOf(of("id")) }];
    case "sources":
    case "search": {
      const sections = Array.isArray(detail["sections"]) ? detail["sections"].map(String) : [];
      const title = kind === "sources" ? "From" : "Searched";
      return [{ title, text: sections.join(", ") || "nothing found" }];
    }
    case "held":
      return [{ title: "Held back", text: titleOf(of("code")), isTrouble: true }];
    case "second_try":
      return [{ title: "Second try", text: `after ${titleOf(of("code")).toLowerCase()}` }];
    case "direction":
      return detail["done"] === false
        ? [
            {
              title: "Refused",
              text: `${of("name")} ${of("value")}: ${of("why")}`,
              isTrouble: true,
            },
          ]
        : [];
    case "email_card":
      return [{ title: "Email card", text: of("state") }];
    case "question_answered":
      return [{ title: "Answered", text: titleOf(of("key")) }];
    case "model_failed":
      return [{ title: "Model failed", text: `${of("model")}: ${of("why")}`, isTrouble: true }];
    default:
      return [];
  }
}

/** The parts of an answer, each by the moment at which it ended. */
const STAGES = [
  ["transcript_ms", "heard"],
  ["end_of_turn_ms", "end of turn"],
  ["first_token_ms", "model"],
  ["first_audio_ms", "voice"],
  ["playback_ms", "played"],
] as const;
const SLOW_MS = 2_000;

interface Stage {
  name: string;
  fromMs: number;
  toMs: number;
}

function timesIn({ kind, detail }: Event): Stage[] {
  if (kind !== "timings") return [];
  let fromMs = 0;
  return STAGES.flatMap(([key, name]) => {
    const toMs = detail[key];
    if (typeof toMs !== "number" || toMs < fromMs) return [];
    const stage = { name, fromMs, toMs };
    fromMs = toMs;
    return [stage];
  });
}

function waitedMs(stages: Stage[]): number {
  return stages.at(-1)?.toMs ?? 0;
}

/** How long the visitor waited, by what for. */
function Timing({ event, slowestMs }: { event: Event; slowestMs: number }): ReactNode {
  const stages = timesIn(event);
  const waited = waitedMs(stages);
  if (waited === 0) return null;
  const words = stages.map(({ name, fromMs, toMs }) => `${name} ${count(toMs - fromMs)} ms`);
  return (
    <div title={words.join(" · ")} className={waited > SLOW_MS ? "warn" : ""}>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label={words.join(", ")}>
        <rect width="100" height="8" fill="var(--hover)" />
        {stages.map(({ name, fromMs, toMs }, index) => (
          <rect
            key={name}
            x={(fromMs / slowestMs) * 100}
            width={((toMs - fromMs) / slowestMs) * 100}
            height="8"
            fill="var(--accent)"
            opacity={name === "model" ? 1 : 0.35 + (index % 2) * 0.2}
          />
        ))}
      </svg>
      {count(waited)} ms until the answer
    </div>
  );
}
