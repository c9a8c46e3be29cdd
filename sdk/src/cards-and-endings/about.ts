import type { CallWords } from "@svc/contract/types";
import type { Frame } from "../call/frame.ts";
import { element } from "../kit.ts";
import { CARDS_STYLE } from "./cards-style.ts";

/** The notice, which stays within reach during the call. A dialog of its own takes Escape, which would make the call small. */
export function showAbout(
  frame: Frame,
  header: HTMLElement,
  strings: CallWords,
  notice: string,
): void {
  frame.addStyle(CARDS_STYLE);
  const about: HTMLDialogElement = element(
    "dialog",
    {
      className: "about",
      "aria-label": strings.about,
      // The form covers the dialog: a click on the dialog itself is one beside it.
      onclick: ({ target }) => {
        if (target === about) about.close();
      },
      onclose: () => about.remove(),
    },
    element(
      "form",
      { method: "dialog" },
      element("h3", {}, strings.about),
      element("p", { tabIndex: 0 }, notice),
      element("button", {}, strings.close),
    ),
  );
  header.append(about);
  about.showModal();
}
