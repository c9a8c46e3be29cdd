import { wordsOf } from "../../words/words-of.ts";
import { addressIn } from "../hearing/hear.ts";
import { isRemark } from "../hearing/note-answers.ts";
import { admit, answerQuestions, findAnswer, findTopic, sayTopic } from "./answer-question.ts";
import { doWished, tellOf } from "./do-action.ts";
import { goodbye, offeredToShow, showFirst } from "./lead.ts";
import { can, direct, say } from "./turn.ts";
import type { Spoken, Turn } from "./turn.ts";

/** What is said to the visitor's turn, before the agent leads on. */
export function respond(turn: Turn): Spoken {
  const { heard, says, voice } = turn;
  const done = ["question", "statement", "yes"].includes(heard.kind) ? doWished(turn) : undefined;
  if (done !== undefined) return done;
  switch (heard.kind) {
    case "nothing":
      return respondToEvents(turn);
    case "question":
      return thanked(turn, answerQuestions(turn));
    case "hostile":
    case "off_topic": {
      // An angry or joking visitor may still have asked something.
      const topic = findTopic(turn, heard.asks.join(" "));
      const follows = heard.kind === "hostile" ? "nothing" : "an offer";
      if (topic !== undefined) return { ...sayTopic(turn, topic), follows };
      return say(voice.pick(says[heard.kind]), follows);
    }
    case "trick":
      return say(voice.pick(says.trick), "an offer");
    case "thinking":
      return say(showFirst(turn) || voice.pick(says.silence));
    case "person":
      return showPerson(turn);
    case "email":
      return respondToEmailWish(turn);
    case "farewell":
      return goodbye(turn);
    case "browsing":
    case "hello": {
      const shown = showFirst(turn);
      return say(`${voice.fresh(says[heard.kind])} ${shown}`.trim());
    }
    case "yes":
      return respondToYes(turn);
    case "no":
      return respondToNo(turn);
    case "statement":
      return respondToStatement(turn);
    case "human":
    case "model":
    case "lost":
      return say(voice.pick(says[heard.kind]), "the card");
    default:
      return say(voice.fresh(says[heard.kind]));
  }
}

/** What is said after a veto, in the place of the sentence or behind what was let through. */
export function respondToVeto({ says, ...turn }: Turn, code: string): Spoken {
  const { talk, voice } = turn;
  if (talk.held?.isFirst === false) return say("", code === "asked" ? "an offer" : "anything");
  if (code === "secret") return say(voice.pick(says.trick));
  if (code === "human") return say(voice.pick(says.human), "the card");
  return code === "asked" ? say(voice.pick(says.noted)) : admit({ says, ...turn });
}

/** "The export, please" is a question in all but form. */
const MAX_WORDS_OF_A_CUE = 6;

function respondToStatement(turn: Turn): Spoken {
  const { talk, heard, notes, scripts, says, voice } = turn;
  if (notes.length > 0) {
    const thanks = say(thanksFor(turn), "anything", "questions");
    const isUnseen = talk.state.shown.length === 0;
    return isUnseen ? { ...thanks, text: `${thanks.text} ${showFirst(turn)}`.trim() } : thanks;
  }
  // What answers a question, or tells a story, may well hold the words of a topic.
  const said = heard.statements.join(" ");
  if (isRemark(said)) return say("");
  const isShort = talk.askedLast === undefined && wordsOf(said).length <= MAX_WORDS_OF_A_CUE;
  const isCue = isShort || scripts.hears.worry.test(said);
  const topic = isCue ? findTopic(turn, said) : undefined;
  if (topic !== undefined) return sayTopic(turn, topic);
  return (isShort ? findAnswer(turn, said) : undefined) ?? say(voice.fresh(says.noted));
}

/** An answer that came with a question is not passed over. */
function thanked(turn: Turn, answer: Spoken): Spoken {
  if (turn.notes.length === 0 || answer.query !== undefined) return answer;
  return { ...answer, text: `${thanksFor(turn)} ${answer.text}`.trim() };
}

function thanksFor({ talk, notes, scripts, says, voice }: Turn): string {
  const [first] = notes;
  if (first === undefined) return "";
  if (first.isCorrection) return voice.fresh(says.corrected);
  if (notes.length > 1) return voice.fresh(says.noted_several);
  const wording = scripts.wordingOf(first.question.text);
  return voice.fresh(wording?.thanks[talk.language] ?? []) || voice.fresh(says.noted);
}

/** Something happened and nothing was said. */
function respondToEvents(turn: Turn): Spoken {
  const { talk, says, voice } = turn;
  const event = talk.events.at(-1) ?? "";
  const [, action] = /^The action (\S+) is over:/.exec(event) ?? [];
  if (action !== undefined) return tellOf(turn, action);
  if (event.startsWith("The visitor confirmed ")) return say(voice.pick(confirmations(talk, says)));
  if (event.startsWith("The visitor closed ")) return say(voice.pick(says.email_declined));
  if (event.startsWith("The visitor has been silent "))
    return say(voice.pick(says.silence), "nothing");
  if (event.startsWith("The call was interrupted ")) return say(voice.pick(says.pick_up));
  return say("");
}

function confirmations({ state }: Turn["talk"], says: Turn["says"]): string[] {
  return state.mail === "follows" ? says.mail_follows : says.email_confirmed;
}

function respondToEmailWish(turn: Turn): Spoken {
  const { talk, heard, says, voice } = turn;
  const topic = findTopic(turn, heard.asks.join(" "));
  if (topic !== undefined) return sayTopic(turn, topic);
  if (!can(talk, "email")) return say(voice.pick(says.no_email));
  const address = addressIn(talk.visitorSaid ?? "");
  if (talk.state.email === "confirmed" && address === undefined)
    return say(voice.pick(confirmations(talk, says)));
  const known = address ?? talk.allVisitorSaid.map(addressIn).findLast(Boolean);
  const card = direct(
    known === undefined ? "email" : `email ${known}`,
    voice.pick(says.email_card),
  );
  return say(`${thanksFor(turn)} ${card}`.trim(), "nothing");
}

function showPerson({ talk, says, voice }: Turn): Spoken {
  if (!can(talk, "person")) return say(voice.pick(says.no_person), "the card");
  return say(direct("person", voice.pick(says.person)), "nothing");
}

/** To whatever the agent has offered. */
function respondToYes(turn: Turn): Spoken {
  const { talk, says, voice } = turn;
  if (voice.hasJustSaid([...says.offer_person, ...says.unknown])) return showPerson(turn);
  const shown = offeredToShow(turn);
  if (shown !== undefined) return shown;
  const isCard = talk.state.email === "open";
  return isCard ? say(voice.pick(says.email_card), "nothing") : say(voice.fresh(says.yes));
}

function respondToNo(turn: Turn): Spoken {
  const { talk, says, voice } = turn;
  if (talk.state.email === "open") return say(voice.pick(says.email_declined));
  const isAllDone = talk.state.open.length === 0 && voice.hasJustSaid(says.anything_else);
  return isAllDone ? goodbye(turn) : say(voice.fresh(says.no));
}
