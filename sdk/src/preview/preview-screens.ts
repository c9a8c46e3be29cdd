import type { PreviewWords } from "@svc/contract/types";
import type { Texts } from "../call/call-options.ts";
import { element } from "../kit.ts";

let words: PreviewWords;

/** Given before anything is drawn, and again when the visitor chooses another language. */
export async function useTexts(texts: Texts): Promise<void> {
  words = (await texts.later()).preview;
}

export function previewRibbon(): HTMLElement {
  return element("p", { className: "ribbon" }, words.ribbon);
}

/** Says why no preview can be started, instead of starting a session that counts. */
export function invalidScreen(onClose: () => void): HTMLElement {
  return element(
    "section",
    { className: "notice" },
    element("h2", {}, words.invalid_title),
    element("p", { className: "lead", role: "alert" }, words.invalid),
    element(
      "button",
      { type: "button", className: "primary", "data-focus": "", onclick: onClose },
      words.close,
    ),
  );
}
