import { isShowable, sayTopic, showWith, topicOf } from "./answer-question.ts";
import { can, direct, say } from "./turn.ts";
import type { Spoken, Turn } from "./turn.ts";

/** A visitor who only asks is offered the card after so many turns. */
const TURNS_BEFORE_THE_CARD = 5;

/** Where the agent leads the talk, after it has responded: to one thing. */
export function lead(turn: Turn, follows: Spoken["follows"]): string {
  const { talk, heard, notes, scripts, says, voice } = turn;
  if (follows === "nothing") return "";
  const isNoted = (key: string): boolean => notes.some(({ question }) => question.key === key);
  const open = talk.questions.filter(({ key }) => talk.state.open.includes(key) && !isNoted(key));
  if (isCardDue(turn, open.length)) {
    const offer = talk.state.mail === "follows" ? says.offer_email : says.offer_address;
    return direct("email", voice.pick(offer));
  }
  if (follows === "the card") return "";
  const [next] = open;
  // Who answers a question with one of their own wants to lead for a while.
  const isPassedOver =
    heard.kind === "question" && talk.askedLast !== undefined && !isNoted(talk.askedLast);
  const isAsking = follows === "anything" && !isPassedOver && talk.state.minutes_left > 1;
  if (next !== undefined && isAsking) {
    const ask = scripts.wordingOf(next.text)?.ask[talk.language] ?? [next.text];
    return direct(`ask ${next.key}`, voice.pick(ask));
  }
  if (heard.kind === "question") return "";
  // Whoever has just declined something is not offered the next thing.
  const offer = heard.kind === "no" ? "" : offerToShow(turn);
  return offer || voice.fresh(open.length === 0 ? says.anything_else : says.invite);
}

function isCardDue({ talk }: Turn, open: number): boolean {
  const { state, content, allVisitorSaid } = talk;
  if (state.email !== "none" || !can(talk, "email")) return false;
  const hasSeen = state.shown.length > 0 || content.length === 0;
  return (open === 0 && hasSeen) || allVisitorSaid.length >= TURNS_BEFORE_THE_CARD;
}

export function goodbye({ talk, says, voice }: Turn): Spoken {
  const words = voice.pick(says.goodbye);
  return say(can(talk, "bye") ? direct("bye", words) : words, "nothing");
}

/** Offers the next thing that was not shown, each once. */
function offerToShow(turn: Turn): string {
  const { talk, voice } = turn;
  const next = talk.content.find(
    ({ id, title }) => isShowable(talk, id) && !voice.hasSaid(offersOf(turn, id), { title }),
  );
  return next === undefined ? "" : voice.pick(offersOf(turn, next.id), { title: next.title });
}

/** What the agent has just offered to show, shown. */
export function offeredToShow(turn: Turn): Spoken | undefined {
  const { talk, voice } = turn;
  const offered = talk.content.find(({ id, title }) =>
    voice.hasJustSaid(offersOf(turn, id), { title }),
  );
  return offered && isShowable(talk, offered.id) ? showing(turn, offered) : undefined;
}

/** What the product is, for somebody who has seen nothing yet; nothing where there is nothing to show. */
export function showFirst(turn: Turn): string {
  const [first] = turn.talk.content;
  const isNew = first !== undefined && turn.talk.state.shown.length === 0;
  return isNew && isShowable(turn.talk, first.id) ? showing(turn, first).text : "";
}

function showing(turn: Turn, { id, title }: { id: string; title: string }): Spoken {
  const topic = topicOf(turn, id);
  if (topic !== undefined) return sayTopic(turn, topic);
  return say(showWith(turn.talk, id, turn.voice.pick(turn.says.show, { title })));
}

function offersOf(turn: Turn, id: string): string[] {
  const { show } = topicOf(turn, id)?.topic ?? {};
  return show?.offer?.[turn.talk.language] ?? turn.says.offer_show;
}
