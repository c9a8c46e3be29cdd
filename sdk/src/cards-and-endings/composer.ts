import type { CardWords } from "@svc/contract/types";
import { element, icon } from "../kit.ts";

/** A path in a 20 by 20 box. */
const SEND = "M10 16V4M5 9l5-5 5 5";

export interface Composer {
  element: HTMLElement;
  field: HTMLTextAreaElement;
}

const MAX_CHARACTERS = 4_000;
/** Often enough that the server does not take it for silence. */
const TYPING_EVERY_MS = 5_000;

/** Where the visitor writes. Enter sends, Shift and Enter makes a new line. */
export function createComposer(
  words: CardWords,
  {
    draft = "",
    onSend,
    onTyping,
  }: { draft?: string; onSend: (text: string) => void; onTyping: () => void },
): Composer {
  let typedAt = 0;
  const field = element("textarea", {
    rows: 1,
    value: draft,
    maxLength: MAX_CHARACTERS,
    placeholder: words.message,
    "aria-label": words.message,
    oninput: () => {
      if (performance.now() - typedAt < TYPING_EVERY_MS && typedAt > 0) return;
      typedAt = performance.now();
      onTyping();
    },
    onkeydown: (event) => {
      // Enter that chooses a word in a Japanese or Chinese keyboard is not "send".
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      form.requestSubmit();
    },
  });
  const form = element(
    "form",
    {
      className: "composer",
      onsubmit: (event) => {
        event.preventDefault();
        const text = field.value.trim();
        if (text === "") return;
        field.value = "";
        typedAt = 0;
        onSend(text);
      },
    },
    field,
    element(
      "button",
      { type: "submit", className: "icon send", "aria-label": words.send, title: words.send },
      icon(SEND),
    ),
  );
  return { element: form, field };
}
