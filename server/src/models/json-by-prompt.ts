import type { ModelRequest } from "./model-client.ts";

/** Asks for JSON in words, where a server ignores `response_format`. */
export function withSchema(
  messages: ModelRequest["messages"],
  schema: Record<string, unknown>,
): ModelRequest["messages"] {
  const order = `Answer with one JSON object by this JSON schema, and with nothing else:\n${JSON.stringify(schema)}`;
  const [first, ...rest] = messages;
  if (first?.role !== "system") return [{ role: "system", content: order }, ...messages];
  return [{ ...first, content: `${first.content}\n\n${order}` }, ...rest];
}

/** The JSON object in an answer, without thoughts, a Markdown fence or courtesies around it; the answer itself where there is none. */
export function jsonIn(text: string): string {
  // What is JSON as it stands may well quote a mark of thoughts.
  if (text.trimStart().startsWith("{")) return text;
  const said = text.replace(THOUGHTS, "");
  const begin = said.indexOf("{");
  const end = said.lastIndexOf("}");
  return begin === -1 || end < begin ? text : said.slice(begin, end + 1);
}

/** Where the chat template opens the thoughts, the answer holds only their end. */
const THOUGHTS = /^[^]*?<\/think>/;
