import type { Story } from "@svc/contract/types";

/** Where a quote stands in the conversation. */
export interface Place {
  turn: number;
  from: number;
  to: number;
}

/**
 * Finds the words that prove something: in a turn of the visitor's first, then in any. Case, kinds of
 * quotation marks and spaces do not matter, as in the server's check of the evidence.
 */
export function placeOf(
  conversation: Story["conversation"],
  quote: string | undefined,
): Place | undefined {
  const wanted = plain(quote ?? "").text;
  if (wanted === "") return undefined;
  const places = conversation.flatMap(({ role, content }, turn) => {
    const { text, origins } = plain(content);
    const at = text.indexOf(wanted);
    if (at < 0) return [];
    const to = origins[at + wanted.length - 1]! + 1;
    return [{ role, place: { turn, from: origins[at]!, to } }];
  });
  return (places.find(({ role }) => role === "user") ?? places[0])?.place;
}

/** Letters and figures in lower case with single spaces, and where each stood. */
function plain(content: string): { text: string; origins: number[] } {
  let text = "";
  const origins: number[] = [];
  for (let index = 0; index < content.length; index++) {
    const character = content[index]!.toLowerCase();
    const isWord = /[\p{L}\p{N}\p{M}]/u.test(character) || /[\ud800-\udfff]/.test(character);
    if (!isWord && (text === "" || text.endsWith(" "))) continue;
    for (const one of isWord ? character : " ") {
      text += one;
      origins.push(index);
    }
  }
  return { text: text.trimEnd(), origins };
}
