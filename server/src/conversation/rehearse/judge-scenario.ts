import { SCENARIO_DEFAULTS, spokenPattern } from "@svc/contract/schemas";
import type { ScenarioAct, ScenarioExpectations } from "@svc/contract/types";
import { readShownName, shownName } from "#agents";
import type { Scenario } from "#agents";
import type { DemoAgent } from "../conversation.ts";
import { wordCount } from "#language";
import type { Recording } from "./recording.ts";

/** An expectation that was not met, in words of people. */
export interface ScenarioFailure {
  expected: string;
  got: string;
}

interface Played {
  recording: Recording;
  /** Lines and acts of the script that the visitor had no occasion for. */
  left: (string | ScenarioAct)[];
  agent: DemoAgent;
}

/** Everything about a conversation that was not as its scenario expects. */
export function judgeScenario({ expect = {} }: Scenario, played: Played): ScenarioFailure[] {
  const { recording } = played;
  return [
    ...endFailures(expect, played),
    ...speechFailures(expect, recording),
    ...lengthFailures(expect, recording),
    ...questionFailures(expect, played),
    ...missing(expect.content_shown, shownIn(recording), "on show", contentOf(played.agent)),
    ...showFailures(expect, recording),
    ...missing(expect.tools, recording.tools, "used", played.agent.config.tools),
    ...emailFailures(expect, recording),
  ];
}

function endFailures({ ends }: ScenarioExpectations, played: Played): ScenarioFailure[] {
  const { endedBy, modelFailure } = played.recording;
  if (modelFailure !== undefined)
    return [{ expected: "an answer of the model's to every turn", got: modelFailure }];
  const by = endedBy ?? "visitor";
  if (ends !== undefined && ends !== by)
    return [{ expected: `the ${ends} ends it`, got: `the ${by} ended it` }];
  // An agent that is to end it may leave words unsaid, but never a card unopened.
  return played.left
    .filter((line) => ends !== "agent" || typeof line !== "string")
    .map((line) =>
      typeof line === "string"
        ? { expected: `the visitor says "${line}"`, got: "the agent had ended it" }
        : { expected: actInWords(line), got: "no such card was open" },
    );
}

function actInWords({ confirms_email: address, quick_reply: reply }: ScenarioAct): string {
  if (address !== undefined) return `the visitor confirms ${address} on a card`;
  return reply === undefined ? "the visitor closes a card" : `the visitor chooses "${reply}"`;
}

function speechFailures(
  { must_say = [], must_not_say = [] }: ScenarioExpectations,
  recording: Recording,
): ScenarioFailure[] {
  const spoken = agentTurns(recording).map(plain);
  return [
    ...must_say
      .filter((text) => !spoken.some((turn) => holds(turn, text)))
      .map((text) => ({ expected: `to hear ${quoted(text)}`, got: "it was not heard" })),
    ...must_not_say.flatMap((text) => {
      const turn = spoken.find((one) => holds(one, text));
      if (turn === undefined) return [];
      return [{ expected: `not to hear ${quoted(text)}`, got: `it was heard: "${turn}"` }];
    }),
  ];
}

function lengthFailures(
  { most_words_per_turn: maxWords = SCENARIO_DEFAULTS.most_words_per_turn }: ScenarioExpectations,
  recording: Recording,
): ScenarioFailure[] {
  return agentTurns(recording)
    .map((turn) => ({ turn, words: wordCount(turn) }))
    .filter(({ words }) => words > maxWords)
    .map(({ turn, words }) => ({
      expected: `at most ${maxWords} words in a turn`,
      got: `${words} words: "${turn}"`,
    }));
}

function questionFailures(
  { questions_heard = [], questions_not_heard = [] }: ScenarioExpectations,
  { recording: { questionsHeard: heard }, agent }: Played,
): ScenarioFailure[] {
  const keys = agent.config.questions.map(({ key }) => key);
  return [
    ...missing(questions_heard, heard, "asked", keys),
    ...questions_not_heard
      .filter((key) => heard.has(key))
      .map((key) => ({ expected: `${key} not asked`, got: "it was asked" })),
  ];
}

/** Returns what the scenario expects to be asked, shown or used, and was not. */
function missing(
  wanted: readonly string[] = [],
  found: ReadonlySet<string>,
  done: string,
  configured: readonly string[],
): ScenarioFailure[] {
  const others = found.size === 0 ? "none" : `only ${[...found].join(", ")}`;
  return wanted
    .filter((one) => !found.has(one))
    .map((one) => ({
      expected: `${one} ${done}`,
      got: configured.includes(one) ? others : "the agent has no such thing",
    }));
}

function emailFailures({ email }: ScenarioExpectations, recording: Recording): ScenarioFailure[] {
  const got = recording.email ?? "none";
  if (email === undefined || email === got) return [];
  return [{ expected: `the address ${email}`, got }];
}

/** What the agent shows must go with what it says. */
function showFailures(
  { shows = [] }: ScenarioExpectations,
  { turns, onShow }: Recording,
): ScenarioFailure[] {
  return shows.flatMap(({ content, while_saying: words }) => {
    const saying = turns.filter(
      ({ role, content: said }) => role === "assistant" && holds(plain(said), words),
    );
    const seen = [...new Set(saying.flatMap(({ id }) => onShow.get(id) ?? []))];
    if (seen.some((name) => name === content || readShownName(name).id === content)) return [];
    const got =
      saying.length === 0
        ? "it was not heard"
        : seen.length === 0
          ? "nothing was on show"
          : `on show was ${seen.join(", ")}`;
    return [{ expected: `${content} on show while it says ${quoted(words)}`, got }];
  });
}

/** A step of a tour is also a showing of the tour. */
function shownIn({ contentShown }: Recording): Set<string> {
  return new Set([...contentShown].flatMap((name) => [name, readShownName(name).id]));
}

function contentOf({ config }: DemoAgent): string[] {
  return config.content.flatMap((one) => {
    const steps = "steps" in one ? (one.steps ?? []) : [];
    return [one.id, ...steps.map((_, index) => shownName(one.id, index + 1))];
  });
}

function agentTurns({ turns }: Recording): string[] {
  return turns.filter(({ role }) => role === "assistant").map(({ content }) => content);
}

function holds(turn: string, text: string): boolean {
  const pattern = spokenPattern(text);
  if (pattern !== undefined) return pattern.test(turn);
  return turn.toLowerCase().includes(plain(text).toLowerCase());
}

/** Normalises letters to one form and removes line breaks. */
function plain(text: string): string {
  return text.normalize("NFKC").replaceAll(/\s+/g, " ").trim();
}

function quoted(text: string): string {
  return spokenPattern(text) === undefined ? `"${text}"` : text;
}
