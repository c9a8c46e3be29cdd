import { termsOf } from "../../words/terms-of.ts";
import { contentWords, shared, wordsOf } from "../../words/words-of.ts";
import { findInKnowledge } from "../find-in-knowledge.ts";
import type { Content } from "../instructions.ts";
import type { ConversationScripts } from "../scripts/conversation-scripts.ts";
import type { Talk } from "../talk.ts";
import { call, offered, say } from "./turn.ts";
import type { Spoken, Turn } from "./turn.ts";

type ScriptedTopic = ConversationScripts["topics"][number];

/**
 * From a topic whose facts the knowledge still holds, else from the knowledge itself; else it admits
 * that it does not know.
 */
export function answerQuestion(turn: Turn): Spoken {
  const { talk, heard, scripts, says, voice } = turn;
  const topic = findTopic(turn, heard.asks);
  if (topic !== undefined) return sayTopic(turn, topic);
  const sentence = findInKnowledge(heard.asks, talk);
  if (sentence !== undefined) {
    return say(voice.pick(says.found, { sentence }), fittingContent(talk, heard.asks), "knowledge");
  }
  const query = queryOf(heard.asks);
  const canSearch = talk.isSearched && !talk.thisTurn.tools.includes("search_knowledge");
  const search = canSearch ? offered(talk, call("search_knowledge", { query })) : [];
  if (search.length > 0) return say("", search, "search");
  const unheld = scripts.topics.filter((one) => one.topic.from === undefined);
  const known = bestTopic(heard.asks, unheld);
  return known === undefined ? say(voice.pick(says.unknown)) : sayTopic(turn, known);
}

/** The topic that is spoken of most, among those whose facts are in the knowledge. */
export function findTopic({ talk, scripts }: Turn, said: string): ScriptedTopic | undefined {
  const known = folded(talk.knowledge.map(({ text }) => text).join("\n"));
  const isTrue = ({ topic: { from } }: ScriptedTopic): boolean =>
    from !== undefined && known.includes(folded(from));
  return bestTopic(said, scripts.topics.filter(isTrue));
}

/** Says it, in other words where it was said before, and shows what goes with it. */
export function sayTopic({ talk, says, voice }: Turn, { topic, by }: ScriptedTopic): Spoken {
  const { language, shown, content, tools } = talk;
  const variants = topic.say[language];
  const text = voice.isUsedUp(variants)
    ? voice.pick(says.again, { text: voice.pick(variants) })
    : voice.pick(variants);
  const { show } = topic;
  const canShow =
    show !== undefined &&
    tools.includes("show_content") &&
    content.some(({ id }) => id === show.id) &&
    !shown.includes(show.id);
  if (!canShow) return say(text, [], by);
  const announced = `${text} ${voice.pick(show.say[language])}`;
  return say(announced, [call("show_content", { id: show.id })], by);
}

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

/** Shows content whose own words say that it fits what is asked. */
function fittingContent(talk: Talk, asked: string): ReturnType<typeof offered> {
  const terms = termsOf(asked);
  const isFitting = ({ id, title, show_when }: Content): boolean =>
    !talk.shown.includes(id) && shared(terms, termsOf(`${title} ${show_when ?? ""}`)) >= 2;
  const { id } = talk.content.find(isFitting) ?? {};
  return id === undefined ? [] : offered(talk, call("show_content", { id }));
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
