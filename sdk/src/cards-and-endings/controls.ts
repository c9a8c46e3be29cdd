import type { AgentFacts, AgentFactsLanguage, CallWords, CardWords } from "@svc/contract/types";
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
  words: CardWords;
  frame: Frame;
  language: string;
  /** The notice that the visitor has accepted. */
  notice: string;
  onEnd: () => void;
}

/**
 * Puts what can be done during a call before its end: a person instead, the notice, small or large. From then on the
 * end is asked about. Returns a function for when the frame has become large or small.
 */
export function addControls(header: HTMLElement, options: ControlsOptions): () => void {
  const { agent, strings, words, frame, notice } = options;
  const { notice_link: link } =
    agent.languages.find(({ code }) => code === options.language) ?? agent.languages[0]!;
  frame.addStyle(CARDS_STYLE);
  const small = iconButton(words.minimize, MINIMIZE, () => frame.minimize());
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
        title: words.person,
        "aria-label": words.person,
      },
      icon(PERSON),
      element("span", { className: "long" }, words.person),
      element("span", { className: "short" }, words.person_short),
    );
  const end = header.lastElementChild as HTMLElement;
  askBeforeEnd(end, options);
  end.before(
    ...(person ? [person] : []),
    iconButton(words.about, ABOUT, () => showAbout(header, words, notice, link)),
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

/**
 * A click on the end by mistake would lose a conversation. Until the visitor has said something there is none, and
 * nothing is asked.
 */
function askBeforeEnd(
  end: HTMLElement,
  { strings, words, onEnd }: Pick<ControlsOptions, "strings" | "words" | "onEnd">,
): void {
  const header = end.parentElement!;
  const ask = (click: Event): void => {
    if (!header.parentElement!.querySelector("li.user")) return;
    click.stopImmediatePropagation();
    const close = (): void => {
      end.focus();
      question.remove();
    };
    const stay = element("button", { type: "button", onclick: close }, words.stay);
    const question = element(
      "div",
      {
        className: "leave",
        role: "alertdialog",
        "aria-label": words.end_question,
        // Safari focuses no button that is clicked: without this, that would be a click beside the question.
        tabIndex: -1,
        // Escape would make the call small.
        onkeydown: (event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          close();
        },
      },
      element("p", {}, words.end_question),
      element("button", { type: "button", className: "end", onclick: onEnd }, strings.end),
      stay,
    );
    question.addEventListener("focusout", ({ relatedTarget }) => {
      if (!question.contains(relatedTarget as Node | null)) question.remove();
    });
    header.append(question);
    stay.focus();
  };
  // Before the button's own.
  end.addEventListener("click", ask, { capture: true });
}

/** The notice, which stays within reach during the call. A dialog of its own takes Escape, which would make the call small. */
function showAbout(
  header: HTMLElement,
  words: CardWords,
  notice: string,
  link: AgentFactsLanguage["notice_link"],
): void {
  const about: HTMLDialogElement = element(
    "dialog",
    {
      className: "about",
      "aria-label": words.about,
      // The form covers the dialog: a click on the dialog itself is one beside it.
      onclick: ({ target }) => {
        if (target === about) about.close();
      },
      onclose: () => about.remove(),
    },
    element(
      "form",
      { method: "dialog" },
      element("h3", {}, words.about),
      element("p", { tabIndex: 0 }, notice),
      link && element("a", { href: link.url, target: "_blank" }, link.text),
      element("button", {}, words.close),
    ),
  );
  header.append(about);
  about.showModal();
}
