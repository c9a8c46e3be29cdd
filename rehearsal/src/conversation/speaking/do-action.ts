import { termsOf } from "../../words/terms-of.ts";
import { shared } from "../../words/words-of.ts";
import type { Action, ActionParam } from "../instructions.ts";
import { direct, say } from "./turn.ts";
import type { Spoken, Turn } from "./turn.ts";

/** Has the page do what the visitor wishes; undefined where they wish nothing that it offers. */
export function doWished({ talk, says, voice }: Turn): Spoken | undefined {
  const said = talk.visitorSaid ?? "";
  // Who tells how they work may well use the same words.
  if (!WISH.test(said) && (talk.askedLast !== undefined || said.includes("?"))) return undefined;
  const action = talk.actions.find(
    (one) => talk.state.actions.offered.includes(one.name) && isWished(one, said),
  );
  if (action === undefined) return undefined;
  const params = Object.entries(action.params ?? {}).flatMap(([key, param]) => {
    const value = valueFor(param, said) ?? (param.optional ? undefined : talk.agent.brand);
    return value === undefined ? [] : [[key, value]];
  });
  const order = `do ${action.name} ${JSON.stringify(Object.fromEntries(params))}`;
  const words = voice.pick(action.confirm ? says.ask_action : says.do_action);
  return say(direct(order, words), "nothing", "actions");
}

const WISH =
  /(?<!\p{L})(?:please|try|(?:can|could|may|would) (?:you|i|we)|bitte|probier\p{L}*|ausprobier\p{L}*|(?:können|könnten|würden) sie|(?:kann|darf) ich|s'il vous plaît|essayer|pouvez-vous|puis-je|por favor|probar|puede usted|puedo)(?!\p{L})/iu;

/** They name what it does, or say no more than when it is to be done. */
function isWished({ name, describe, do_when = "" }: Action, said: string): boolean {
  const terms = termsOf(said);
  const when = termsOf(do_when);
  const isWhen = terms.size > 0 && [...terms].every((term) => when.has(term));
  const named = termsOf(name.replaceAll("-", " "));
  // Who wants to see the board names what stands in its description, but not what it does.
  const isNamed = shared(terms, named) > 0;
  return isWhen || (isNamed && shared(terms, new Set([...named, ...termsOf(describe)])) >= 2);
}

/** From the visitor's words; undefined where they say nothing of it. */
function valueFor(
  { type, enum: choices, minimum }: ActionParam,
  said: string,
): string | number | boolean | undefined {
  if (type === "boolean") return true;
  if (type !== "string") return Number(/\d+/.exec(said)?.[0] ?? minimum ?? 1);
  if (choices !== undefined)
    return choices.find((one) => said.toLowerCase().includes(one.toLowerCase())) ?? choices[0];
  return FOR_WHOM.exec(said)?.[1]?.replaceAll(/[⟦⟧]/g, "");
}

const FOR_WHOM =
  /\b(?:for|für|fuer|pour|para|called|named|namens)\s+(?!me\b|mich\b|moi\b|mí\b)(?:(?:the|den|die|das|le|la|el)\s+)?(.{1,60}?)(?:,?\s+(?:please|bitte|s'il vous plaît|por favor))?[.!?]*$/iu;

/** What came of one. Nothing where that is not known. */
export function tellOf({ talk, says, voice }: Turn, name: string): Spoken {
  const { state, result = "" } = talk.state.actions.last[name] ?? {};
  if (state === "done")
    return say(`${voice.pick(says.action_done)} ${result}`.trim(), "an offer", "actions");
  if (state === "declined") return say(voice.pick(says.action_declined), "an offer", "actions");
  return say(state === undefined ? "" : voice.pick(says.action_failed), "an offer", "actions");
}
