import type { Answer } from "../language-model/answer.ts";
import type { ChatRequest } from "../language-model/chat-request.ts";
import { sentences } from "../words/words-of.ts";
import type { ConversationScripts } from "./scripts/conversation-scripts.ts";
import { wasShown } from "./speaking/answer-question.ts";
import { lead } from "./speaking/lead.ts";
import { respond, respondToVeto } from "./speaking/respond.ts";
import { turnIn, withoutDirections } from "./speaking/turn.ts";
import type { Turn } from "./speaking/turn.ts";
import { readTalk } from "./talk.ts";

/** The next turn of a demo: what was understood, a response to the visitor, and where the agent leads. */
export function answerConversation(request: ChatRequest, scripts: ConversationScripts): Answer {
  const talk = readTalk(request);
  if (talk === undefined) return answer(UNTOLD, "rules");
  const turn = turnIn(talk, scripts);
  if (talk.events.some((event) => event.startsWith("The conversation is over.")))
    return answer(recap(turn), "rules");
  const response = talk.held ? respondToVeto(turn, talk.held.code) : respond(turn);
  const { text, by, follows, query } = response;
  if (query !== undefined) {
    const call = { name: "search_knowledge", arguments: { query } };
    return { text: "", toolCalls: [call], finish: "tool_calls", by };
  }
  // Who asks two things gets two answers; otherwise nobody wants a lecture.
  const isLong = turn.heard.asks.length > 1;
  const most = isLong ? talk.state.words : Math.min(talk.state.words, MOST_WORDS);
  const said = withinWords(text, lead(turn, follows), most);
  return answer([...understood(turn), said || turn.voice.pick(turn.says.invite)].join(" "), by);
}

/** What the visitor said they want, and what they saw: nothing that was not in the talk. */
function recap({ talk, says, voice }: Turn): string {
  const quotes = Object.values(talk.state.answered).filter((one) => typeof one === "string");
  const titles = talk.content.filter(({ id }) => wasShown(talk, id));
  return [
    ...quotes.slice(0, 2).map((quote) => voice.pick(says.recap_said, { quote })),
    ...titles.slice(-1).map(({ title }) => voice.pick(says.recap_saw, { title })),
  ].join(" ");
}

const UNTOLD = "I am a stand-in for a language model, and nobody told me what this is about.";

const MOST_WORDS = 45;

/** The directions that open a reply; in a second try they were given already. */
function understood({ talk, notes }: Turn): string[] {
  if (talk.held?.isFirst === false) return [];
  return [
    ...(talk.isNewLanguage ? [`⟦language ${talk.language}⟧`] : []),
    ...notes.map(({ question, quote }) => `⟦got ${question.key}: ${quote}⟧`),
  ];
}

function answer(text: string, by: string): Answer {
  return { text, toolCalls: [], finish: "stop", by };
}

/**
 * Both, or as much of the response as leaves room for what follows. Whole sentences are left out from
 * the end, but neither the first one nor one with a direction.
 */
export function withinWords(response: string, following: string, mostWords: number): string {
  const parts = sentences(response);
  const room = mostWords - wordCount(following);
  while (wordCount(parts.join(" ")) > room) {
    const last = parts.findLastIndex((part, index) => index > 0 && !part.includes("⟦"));
    if (last === -1) break;
    parts.splice(last, 1);
  }
  return [...parts, following].filter((text) => text !== "").join(" ");
}

function wordCount(text: string): number {
  const words = withoutDirections(text).split(/\s+/);
  return words.filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
