import type { AgentFacts, CallWords } from "@svc/contract/types";
import type { Frame } from "../call/frame.ts";
import { element, icon, iconButton } from "../kit.ts";
import { CARDS_STYLE } from "./cards-style.ts";

/** Paths in a 20 by 20 box. */
const ABOUT = "M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM10 9v4.5M10 6.3v.2";
const PERSON = "M10 10a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3.5 17a6.5 6.5 0 0 1 13 0";
const MINIMIZE = "M5 10h10";
const RESTORE = "M8 4H4v4M12 16h4v-4M4 4l5 5M16 16l-5-5";

export interface ControlsOptions {
  agent: AgentFacts;
  strings: CallWords;
  frame: Frame;
  /** The notice that the visitor has accepted. */
  notice: string;
}

/**
 * Puts what can be done during a call before its end: a person instead, the notice, small or large.
 * Returns a function for when the frame has become large or small.
 */
export function addControls(
  header: HTMLElement,
  { agent, strings, frame, notice }: ControlsOptions,
): () => void {
  frame.addStyle(CARDS_STYLE);
  const small = iconButton(strings.minimize, MINIMIZE, () => frame.minimize());
  const large = iconButton(strings.restore, RESTORE, () => frame.restore());
  const person =
    agent.person &&
    element(
      "a",
      {
        className: "person",
        href: agent.person,
        target: "_blank",
        rel: "noopener",
        title: strings.person,
      },
      icon(PERSON),
      element("span", {}, strings.person),
    );
  header.lastElementChild!.before(
    ...(person ? [person] : []),
    iconButton(strings.about, ABOUT, () => showAbout(header, strings, notice)),
    small,
    large,
  );
  function draw(): void {
    small.hidden = frame.isMinimized;
    large.hidden = !frame.isMinimized;
  }
  draw();
  return draw;
}

/** The notice, which stays within reach during the call. A dialog of its own takes Escape, which would make the call small. */
function showAbout(header: HTMLElement, strings: CallWords, notice: string): void {
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
