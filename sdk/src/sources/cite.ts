import type { CardWords, LiveCaption, LiveSource, LiveWelcome } from "@svc/contract/types";
import { fill } from "../cards-and-endings/fill.ts";
import type { ConversationLog } from "../call/conversation-log.ts";
import type { LaterWords } from "../call/call-options.ts";
import type { Frame } from "../call/frame.ts";
import { element, icon } from "../kit.ts";
import { isAtEnd } from "./at-end.ts";
import { SOURCES_STYLE } from "./sources-style.ts";

/** An arrow out of the page, in a 20 by 20 box. */
const AWAY = "M6 14l8-8M8 6h6v6";

/** A caption, or the welcome with the whole conversation. */
export type Cited = Pick<LiveCaption, "turn" | "sources"> | Pick<LiveWelcome, "sources">;

/** Links the pages that the facts of a turn stand on, below it. Called again as more is heard, it adds what is new. */
export function cite(
  cited: Cited,
  log: Pick<ConversationLog, "element" | "turns" | "following" | "toEnd">,
  frame: Pick<Frame, "addStyle">,
  { cards: words }: LaterWords,
): void {
  frame.addStyle(SOURCES_STYLE);
  const list = log.element.firstElementChild!;
  const answers = Array.isArray(cited.sources)
    ? [[log.turns.get((cited as LiveCaption).turn), cited.sources] as const]
    : Object.entries(cited.sources ?? {}).map(
        ([at, sources]) => [list.children[+at], sources] as const,
      );
  const wasAtEnd = isAtEnd(list);
  log.following(() => {
    for (const [turn, sources] of answers) if (turn) citeTurn(turn, sources, words);
  });
  if (wasAtEnd) log.toEnd();
}

function citeTurn(turn: Element, sources: readonly LiveSource[], words: CardWords): void {
  const row =
    turn.querySelector(".sources") ?? turn.appendChild(element("span", { className: "sources" }));
  for (const { title, url } of sources.slice(row.children.length)) {
    row.append(linkTo(title, url, fill(words.source, { title })));
  }
  announce(turn, row);
}

function linkTo(title: string, url: string, name: string): HTMLElement {
  return element(
    "a",
    // A page could run as ours by any other kind of address.
    {
      href: /^https?:/.test(url) ? url : "",
      target: "_blank",
      rel: "noopener",
      "aria-label": name,
    },
    element("bdi", {}, title),
    // Who copies the conversation has the address too.
    element("span", { className: "hidden" }, ` ${url} `),
    icon(AWAY),
  );
}

/** Once, behind the turn's own words, where these were announced: while the agent is heard they are not. */
function announce(turn: Element, row: Element): void {
  const announcer = turn.parentElement?.nextElementSibling;
  if (announcer?.textContent !== turn.querySelector(".said")?.textContent) return;
  const names = [...row.children].map((link) => link.getAttribute("aria-label"));
  announcer?.append(element("span", {}, ` ${names.join(". ")}`));
}
