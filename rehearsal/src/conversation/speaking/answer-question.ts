import { termsOf } from "../../words/terms-of.ts";
import { contentWords, shared, wordsOf } from "../../words/words-of.ts";
import { findInKnowledge, isForeign } from "../find-in-knowledge.ts";
import type { Content } from "../instructions.ts";
import type { ConversationScripts } from "../scripts/conversation-scripts.ts";
import type { Talk } from "../talk.ts";
import { can, direct, say } from "./turn.ts";
import type { Spoken, Turn } from "./turn.ts";

type ScriptedTopic = ConversationScripts["topics"][number];

/** Answers all that was asked, first what is known, and shows at most one thing. */
export function answerQuestions(turn: Turn): Spoken {
  const { talk, heard, says, voice } = turn;
  const answers: Spoken[] = [];
  let isPartly = false;
  for (const asked of heard.asks) {
    // "And roughly?" asks for what was asked before.
    const isBare = termsOf(asked).size === 0;
    const whole = isBare ? `${talk.allVisitorSaid.at(-2) ?? ""} ${asked}` : asked;
    const mayShow = !answers.some(({ text }) => text.includes("⟦show "));
    const answer = findAnswer(turn, whole, mayShow);
    if (answer?.query !== undefined) return answer;
    if (answer === undefined) isPartly = true;
    else if (!answers.some(({ text }) => text.startsWith(answer.text))) answers.push(answer);
  }
  const [first, ...others] = answers.toSorted((one, other) => rank(one) - rank(other));
  if (first === undefined) return admit(turn);
  if (others.length === 0 && !isPartly) return first;
  const texts = [first, ...others].map(({ text }) => text);
  const rest = isPartly && rank(first) === 0 ? voice.fresh(says.rest) : "";
  return { ...first, text: `${texts.join(" ")} ${rest}`.trim(), follows: "nothing" };
}

function rank({ follows }: Spoken): number {
  return follows === "anything" ? 0 : 1;
}

/**
 * From a topic whose facts the knowledge still holds, else from the knowledge itself, else from a
 * search; undefined where nothing is known.
 */
export function findAnswer(turn: Turn, asked: string, mayShow = true): Spoken | undefined {
  const { talk, scripts, says, voice } = turn;
  const topic = findTopic(turn, asked);
  if (topic !== undefined) return sayTopic(turn, topic, mayShow);
  const sentence = findInKnowledge(asked, talk);
  if (sentence !== undefined) {
    const isOther = isForeign(sentence, talk.language);
    const words = voice.pick(isOther ? says.found_foreign : says.found, { sentence });
    const id = mayShow ? fittingContent(talk, asked) : undefined;
    return say(id === undefined ? words : showWith(talk, id, words), "anything", "knowledge");
  }
  if (talk.canSearch) return { ...say("", "nothing", "search"), query: queryOf(asked) };
  const shown = talk.content.find(({ id }) => mayShow && id === fittingContent(talk, asked));
  if (shown !== undefined)
    return say(showWith(talk, shown.id, voice.pick(says.show, { title: shown.title })));
  const unheld = scripts.topics.filter((one) => one.topic.from === undefined);
  const known = bestTopic(asked, unheld);
  return known === undefined ? undefined : admit(turn, known.topic.say[talk.language], known.by);
}

/** Says that it does not know, and how somebody who does can be reached. */
export function admit(turn: Turn, words: string[] = turn.says.unknown, by = "manners"): Spoken {
  const { talk, says, voice } = turn;
  const offers = can(talk, "person") ? says.offer_person : says.team_sees;
  const offer = voice.hasJustSaid(offers) ? "" : voice.fresh(offers);
  const [asked = ""] = words === says.unknown ? turn.heard.asks : [];
  const told = asked === "" ? "" : `⟦unknown ${asked.replaceAll(/[⟦⟧]/g, "").trim()}⟧`;
  const text = [voice.pick(words), told, offer].filter((part) => part !== "").join(" ");
  return say(text, offer === "" ? "the card" : "nothing", by);
}

/** The topic that is spoken of most, among those whose facts are in the knowledge; one that is not told yet before others. */
export function findTopic({ talk, scripts, voice }: Turn, said: string): ScriptedTopic | undefined {
  const known = scripts.topics.filter((topic) => isTrue(topic, talk));
  const isNew = ({ topic }: ScriptedTopic): boolean => voice.rest(topic.say[talk.language]) !== "";
  return bestTopic(said, known.filter(isNew)) ?? bestTopic(said, known);
}

/** The topic that goes with a piece of content. */
export function topicOf({ talk, scripts }: Turn, id: string): ScriptedTopic | undefined {
  return scripts.topics.find((one) => one.topic.show?.id === id && isTrue(one, talk));
}

/** The knowledge has the words that a topic renders, and its figures. */
function isTrue({ topic }: ScriptedTopic, { knowledge, language }: Talk): boolean {
  const known = folded(knowledge.map(({ text }) => text).join("\n"));
  const figures = topic.say[language].join(" ").match(/\d+/g) ?? [];
  return [topic.from, ...figures].every((one) => one !== undefined && known.includes(folded(one)));
}

/** Says it, and shows what goes with it. What was told in every way that there is, is not told again. */
export function sayTopic(turn: Turn, scripted: ScriptedTopic, mayShow = true): Spoken {
  const { topic, by } = scripted;
  const { talk, says, voice } = turn;
  const text = voice.fresh(topic.say[talk.language]) || voice.rest(topic.say[talk.language]);
  const { show } = topic;
  const isShown = mayShow && show !== undefined && isMeantFor(talk, show.id, scripted);
  if (!isShown) return text === "" ? admit(turn, says.again, by) : say(text, "anything", by);
  const announced = direct(`show ${show.id}`, voice.pick(show.say[talk.language]));
  return say(`${text} ${announced}`.trim(), "anything", by);
}

/** The owner's condition speaks of the topic, or there is none. */
function isMeantFor(talk: Talk, id: string, { pattern }: ScriptedTopic): boolean {
  const { show_when = "" } = talk.content.find((content) => content.id === id) ?? {};
  return isShowable(talk, id) && (show_when === "" || show_when.match(pattern) !== null);
}

export function isShowable(talk: Talk, id: string): boolean {
  const isHere = talk.content.some((content) => content.id === id);
  return isHere && can(talk, "show") && !wasShown(talk, id);
}

/** A tour is named with its step. */
export function wasShown({ state }: Talk, id: string): boolean {
  return state.shown.some((name) => name === id || name.startsWith(`${id}/`));
}

/** Shows it with these words; of a tour the first steps, each with its own sentence. */
export function showWith(talk: Talk, id: string, words: string): string {
  const { text = "" } = talk.content.find((content) => content.id === id) ?? {};
  const steps = text.split("\n").filter((line) => line.startsWith(`${id}/`));
  if (steps.length === 0) return direct(`show ${id}`, words);
  const rest = steps.slice(1, MAX_STEPS).flatMap((line) => {
    const [, name = "", shown = ""] = /^(\S+): (.*)$/.exec(line) ?? [];
    const sentence = shown.split(" · ").find((part) => part.endsWith("."));
    return sentence === undefined ? [] : [direct(`show ${name}`, sentence)];
  });
  return [direct(`show ${id}/1`, words), ...rest].join(" ");
}

const MAX_STEPS = 4;

/** By the length of the words that were found; the first of several. */
function bestTopic(said: string, topics: ScriptedTopic[]): ScriptedTopic | undefined {
  let best: { topic: ScriptedTopic; score: number } | undefined;
  for (const topic of topics) {
    const found = said.match(topic.pattern) ?? [];
    const score = found.reduce((sum, words) => sum + words.length, 0);
    if (score > (best?.score ?? 0)) best = { topic, score };
  }
  return best?.topic;
}

/** Content whose own words say that it fits what is asked. */
function fittingContent(talk: Talk, asked: string): string | undefined {
  const terms = termsOf(asked);
  const isFitting = ({ id, title, show_when }: Content): boolean =>
    isShowable(talk, id) && shared(terms, termsOf(`${title} ${show_when ?? ""}`)) >= 2;
  return talk.content.find(isFitting)?.id;
}

const MAX_QUERY_WORDS = 8;

function queryOf(asked: string): string {
  const words = wordsOf(asked);
  const telling = words.filter((word) => contentWords([word]).size > 0);
  return (telling.length > 0 ? telling : words).slice(0, MAX_QUERY_WORDS).join(" ");
}

function folded(text: string): string {
  return text.replaceAll(/[*_`]/g, "").replaceAll(/\s+/g, " ").toLowerCase();
}
