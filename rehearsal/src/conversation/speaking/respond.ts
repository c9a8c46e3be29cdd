import { wordsOf } from "../../words/words-of.ts";
import { questionAskedLast } from "../hearing/note-answers.ts";
import { answerQuestion, findTopic, sayTopic } from "./answer-question.ts";
import { askEmail, call, offered } from "./calls.ts";
import { say } from "./spoken.ts";
import type { Spoken } from "./spoken.ts";
import type { Turn } from "./turn.ts";

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
      // Who is angry, or jokes, may still have asked something.
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
const MOST_WORDS_OF_A_CUE = 6;

function respondToStatement(turn: Turn): Spoken {
  const { talk, heard, scripts, says, voice } = turn;
  const asked = questionAskedLast(talk, scripts);
  const wording = asked && scripts.wordingOf(asked.text);
  if (wording !== undefined) return say(voice.pick(wording.thanks[talk.language]), [], "questions");
  // What answers a question, or tells a story, may well hold the words of a topic.
  const said = heard.statements.join(" ");
  const isCue = asked === undefined && wordsOf(said).length <= MOST_WORDS_OF_A_CUE;
  const topic = isCue ? findTopic(turn, said) : undefined;
  return topic === undefined ? say(voice.pick(says.noted)) : sayTopic(turn, topic);
}

/** The visitor acted on the card for an address and said nothing. */
function respondToCard({ talk, says, voice }: Turn): Spoken {
  const { goal, agentSaid, email } = talk;
  const isStarting = goal.kind === "greet" || goal.kind === "pick_up" || agentSaid.length === 0;
  if (isStarting || (email !== "confirmed" && email !== "declined")) return say("");
  const words = says[`email_${email}`];
  const wasSaid = words.some((one) => agentSaid.join("\n").includes(one));
  return say(wasSaid ? "" : voice.pick(words));
}

function respondToEmailWish(turn: Turn): Spoken {
  const { talk, heard, says, voice } = turn;
  const topic = heard.asks === "" ? undefined : findTopic(turn, heard.asks);
  if (topic !== undefined) return sayTopic(turn, topic);
  if (talk.email === "confirmed") return say(voice.pick(says.email_confirmed));
  const calls = offered(talk, askEmail(talk));
  return calls.length > 0 ? say(voice.pick(says.email_card), calls) : say(voice.pick(says.noted));
}
