import * as z from "zod";
import type { Message } from "../language-model/chat-request.ts";
import { orElse, readJson } from "../read-value.ts";
import { isQuestion, sentences } from "../words/words-of.ts";

/** What a visitor does next in a rehearsal of an agent. */
export interface Move {
  does: "says" | "confirms_email" | "dismisses_card" | "leaves";
  words: string;
}

/**
 * The next move of a visitor whose part stands in the request; undefined when there is no such
 * part. By rules: questions are answered with what the visitor knows, sentence by sentence;
 * otherwise they say what they want in the same way; then they leave.
 */
export function playVisitor(messages: Message[]): Move | undefined {
  const part = partIn(messages);
  if (part === undefined) return undefined;
  const of = (role: Message["role"]): string[] =>
    messages.filter((message) => message.role === role).map((message) => message.text);
  const address = ADDRESS.exec(part.knows)?.[0];
  if (/Open card: email\b/.test(messages.at(-1)?.text ?? ""))
    return address === undefined
      ? { does: "dismisses_card", words: "" }
      : { does: "confirms_email", words: address };
  const said = new Set(of("assistant"));
  const unsaid = (whole: string): string[] =>
    sentences(whole).filter((one) => !said.has(one) && !ADDRESS.test(one));
  const isAsked = sentences(of("user").at(-1) ?? "").some(isQuestion);
  const [words] = [...(isAsked ? unsaid(part.knows) : []), ...unsaid(part.wants)];
  return words === undefined ? { does: "leaves", words: "" } : { does: "says", words };
}

const ADDRESS = /[^\s@<>]+@[^\s@<>]+\.[\p{L}\p{N}]+/u;

const part = z.object({ wants: z.string(), knows: orElse(z.string(), "") });

function partIn(messages: Message[]): { wants: string; knows: string } | undefined {
  const told = messages.find(({ role }) => role === "system")?.text ?? "";
  const line = /^# Visitor\n(?<json>\{.*\})$/m.exec(told)?.groups?.["json"];
  return line === undefined ? undefined : readJson(part, line);
}
