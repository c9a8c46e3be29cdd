import type { CallWords, LiveCaption, TranscriptEntry } from "@svc/contract/types";
import { element } from "../kit.ts";
import { boxOf, comeFrom } from "./glide.ts";

/** The captions, which are the conversation. */
export interface ConversationLog {
  element: HTMLElement;
  /** By their ids. Those of a transcript have none. */
  turns: ReadonlyMap<string, HTMLElement>;
  /** @param isHeard a screen reader would talk over the agent's own voice. */
  caption(caption: LiveCaption, isHeard: boolean): void;
  /** What was said so far, instead of what stands there. */
  fill(transcript: readonly TranscriptEntry[]): void;
  /** Shown at once; the server's caption of the same words takes its place. */
  typed(text: string): void;
  /** Something among the turns that is none. */
  note(text: string): void;
  /** Shows the newest: something beside it has taken room. */
  toEnd(): void;
  /** Changes something that takes room beside it. */
  following(change: () => void): void;
}

/** @param drawFace The agent's, small, for its turns. */
export function conversationLog(
  agentName: string,
  strings: CallWords,
  drawFace: () => Element,
): ConversationLog {
  const turns = new Map<string, HTMLElement>();
  let waiting: HTMLElement[] = [];
  const list = element("ol", { "aria-label": strings.conversation, tabIndex: 0 });
  /** Turns are announced here, once, when they are complete: a growing caption would be read again and again. */
  const announcer = element("p", { className: "hidden", "aria-live": "polite" });

  function turn(role: TranscriptEntry["role"], text: string): HTMLElement {
    const item = element(
      "li",
      { className: role },
      element("span", { className: "hidden" }, `${role === "user" ? strings.you : agentName}: `),
      role !== "user" &&
        !list.lastElementChild?.matches(".assistant") &&
        element("span", { className: "beside", "aria-hidden": "true" }, drawFace()),
      element("span", { className: "said" }, text),
    );
    append(item);
    return item;
  }

  function toEnd(): void {
    list.scrollTop = list.scrollHeight;
  }

  /** Turns glide to where a change moves them. A visitor who has scrolled back to read is left there. */
  function following(change: () => void): void {
    const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 80;
    // Those further up are out of sight.
    const before = [...list.children].slice(-12).map((item) => [item, boxOf(item)] as const);
    change();
    if (atEnd) toEnd();
    for (const [item, from] of before) comeFrom(item, from);
  }

  function append(item: HTMLElement): void {
    following(() => list.append(item));
  }

  /** Who went on talking had begun before the answer that they then cut: their words come after it. */
  function settle(item: HTMLElement): void {
    const last = [...list.querySelectorAll("li:not(.partial)")].at(-1);
    if (last !== item) last?.after(item);
  }

  function write(item: HTMLElement, text: string, state: { partial: boolean; cut: boolean }): void {
    following(() => {
      item.querySelector(".said")!.textContent = state.cut ? `${text} —` : text;
      item.classList.toggle("partial", state.partial);
    });
  }

  return {
    element: element("div", { className: "log" }, list, announcer),
    turns,
    caption({ turn: id, role, text, final, interrupted, language }, isHeard) {
      let item = turns.get(id);
      if (item === undefined) {
        // What was typed comes whole; what was spoken grows.
        item = (role === "user" && final ? waiting.shift() : undefined) ?? turn(role, "");
        turns.set(id, item);
      }
      if (final && text === "") {
        item.remove();
        turns.delete(id);
        return;
      }
      write(item, text, { partial: !final, cut: interrupted === true });
      // Otherwise a screen reader would read it by the rules of the language that the call began in.
      if (language) announcer.lang = item.lang = language;
      if (final) settle(item);
      if (final && role === "assistant" && !isHeard) announcer.textContent = text;
    },
    fill(transcript) {
      const said = transcript.map(({ content }) => content);
      // What was typed and has not arrived stays.
      waiting = waiting.filter(({ lastChild }) => !said.includes(lastChild!.textContent!));
      turns.clear();
      list.replaceChildren();
      for (const { role, content, interrupted } of transcript) {
        write(turn(role, ""), content, { partial: false, cut: interrupted === true });
      }
      list.append(...waiting);
      toEnd();
    },
    typed(text) {
      const item = turn("user", text);
      item.classList.add("partial");
      waiting.push(item);
      toEnd();
    },
    note: (text) => append(element("li", { className: "note" }, text)),
    toEnd,
    following,
  };
}

/** One sentence that the visitor should know now. It goes when they say something. */
export interface WarningLine {
  element: HTMLElement;
  say(text: string): void;
  clear(): void;
}

export function warningLine(following: ConversationLog["following"]): WarningLine {
  const line = element("p", { role: "status", className: "warning", hidden: true });
  return {
    element: line,
    say(text) {
      following(() => {
        line.hidden = false;
        line.textContent = text;
      });
    },
    clear() {
      following(() => {
        line.hidden = true;
      });
    },
  };
}
