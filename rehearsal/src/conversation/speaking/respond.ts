import { wordsOf } from "../../words/words-of.ts";
import type { HeardKind } from "../hearing/hear.ts";
import { questionAskedLast } from "../hearing/note-answers.ts";
import type { Goal } from "../talk.ts";
import { answerQuestion, findTopic, sayTopic } from "./answer-question.ts";
import { askEmail, call, offered, say } from "./turn.ts";
import type { Spoken, Turn } from "./turn.ts";

/** What is said to the visitor's turn, before the agent goes on with its own. */
export function respond(turn: Turn): Spoken {
  const { talk, heard, says, voice } = turn;
  switch (heard.kind) {
    case "nothing":
      return respondToCard(turn);
    case "question":
      return answerQuestion(turn);
    case "hostile":
    case "off_topic": {
      // An angry or joking visitor may still have asked something.
      const topic = heard.asks === "" ? undefined : findTopic(turn, heard.asks);
      return topic === undefined ? say(voice.pick(says[heard.kind])) : sayTopic(turn, topic);
    }
    case "person":
      return talk.tools.includes("talk_to_a_person")
        ? say(voice.pick(says.person), [call("talk_to_a_person")])
        : say(voice.pick(says.no_person));
    case "email":
      return respondToEmailWish(turn);
    case "farewell":
      if (talk.goal.kind === "wrap_up") return say("");
      return say(voice.pick(says.wrap_up_done), offered(talk, call("end_session")));
    case "statement":
      return respondToStatement(turn);
    default:
      return say(voice.pick(says[heard.kind]));
  }
}

/** "The export, please" is a question in all but form. */
const MAX_WORDS_OF_A_CUE = 6;

function respondToStatement(turn: Turn): Spoken {
  const { talk, heard, scripts, says, voice } = turn;
  const asked = questionAskedLast(talk, scripts);
  const wording = asked && scripts.wordingOf(asked.text);
  if (wording !== undefined) return say(voice.pick(wording.thanks[talk.language]), [], "questions");
  // What answers a question, or tells a story, may well hold the words of a topic.
  const said = heard.statements.join(" ");
  const isCue = asked === undefined && wordsOf(said).length <= MAX_WORDS_OF_A_CUE;
  const topic = isCue ? findTopic(turn, said) : undefined;
  return topic === undefined ? say(voice.pick(says.noted)) : sayTopic(turn, topic);
}

/** The visitor acted on the card for an address and said nothing. */
function respondToCard({ talk, says, voice }: Turn): Spoken {
  const { goal, agentSaid, email } = talk;
  const isStarting = goal.kind === "greet" || goal.kind === "pick_up" || agentSaid.length === 0;
  if (isStarting || (email !== "confirmed" && email !== "declined")) return say("");
  const words = email === "confirmed" ? confirmations({ talk, says }) : says.email_declined;
  const wasSaid = words.some((one) => agentSaid.join("\n").includes(one));
  return say(wasSaid ? "" : voice.pick(words));
}

function confirmations({ talk, says }: Pick<Turn, "talk" | "says">): string[] {
  const { email_confirmed, mail_follows } = says;
  return talk.mail === "follows" ? [...email_confirmed, ...mail_follows] : email_confirmed;
}

function respondToEmailWish(turn: Turn): Spoken {
  const { talk, heard, says, voice } = turn;
  const topic = heard.asks === "" ? undefined : findTopic(turn, heard.asks);
  if (topic !== undefined) return sayTopic(turn, topic);
  if (talk.email === "confirmed") return say(voice.pick(confirmations(turn)));
  const calls = offered(talk, askEmail(talk));
  return calls.length > 0 ? say(voice.pick(says.email_card), calls) : say(voice.pick(says.noted));
}

/** What the agent says and does for its goal, after it has responded. */
export function pursueGoal(turn: Turn, goal: Goal): Spoken {
  const { talk, heard, scripts, says, voice } = turn;
  // After a goodbye nobody wants to be asked anything.
  if (heard.kind === "farewell" && goal.kind !== "wrap_up") return say("");
  switch (goal.kind) {
    case "greet":
      return say(voice.pick(says.greet));
    case "pick_up":
      return say(voice.pick(says.pick_up));
    case "ask": {
      const wording = scripts.wordingOf(goal.text);
      return say(wording === undefined ? goal.text : voice.pick(wording.ask[talk.language]));
    }
    case "show": {
      const scripted = scripts.topics.find(({ topic }) => topic.show?.id === goal.id);
      const words = scripted?.topic.show?.say[talk.language] ?? says.show;
      const calls = offered(talk, call("show_content", { id: goal.id }));
      return calls.length === 0 ? say("") : say(voice.pick(words, { title: goal.title }), calls);
    }
    case "offer_email": {
      const calls = offered(talk, askEmail(talk));
      const words = talk.mail === "follows" ? says.offer_email : says.offer_address;
      return calls.length === 0 ? say("") : say(voice.pick(words), calls);
    }
    case "wrap_up":
      return say(voice.pick(says[`wrap_up_${goal.because}`]), offered(talk, call("end_session")));
    case "answer":
      return say(INVITED.has(heard.kind) ? voice.pick(says.invite) : "");
  }
}

/** Turns after which the visitor has nothing to go on from. */
const INVITED = new Set<HeardKind>([
  "nothing",
  "statement",
  "off_topic",
  "how_are_you",
  "thanks",
  "hello",
  "yes",
  "no",
  "unsure",
]);
