import type { Goal } from "../goal.ts";
import type { HeardKind } from "../hearing/hear.ts";
import { askEmail, call, offered } from "./calls.ts";
import { say } from "./spoken.ts";
import type { Spoken } from "./spoken.ts";
import type { Turn } from "./turn.ts";

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
      return calls.length === 0 ? say("") : say(voice.pick(says.offer_email), calls);
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
