import type { Frame } from "../call/frame.ts";
import { element, icon } from "../core/element.ts";
import type { Strings } from "../strings/strings.ts";
import { browserOf } from "./browser-of.ts";
import { LADDER_STYLE } from "./ladder-style.ts";
import { ladderWords } from "./ladder-words.ts";
import { PICTURES } from "./pictures.ts";
import { isFinal, isPermission } from "./rung.ts";
import type { Rung } from "./rung.ts";

export interface RungOptions {
  rung: Rung;
  frame: Frame;
  language: string;
  strings: Strings;
  /** In the tap. */
  onTalk: () => void;
  onType: () => void;
}

/** Why the visitor cannot talk, how that is undone in this browser, and the way on. */
export function rungCard({
  rung,
  frame,
  language,
  strings,
  onTalk,
  onType,
}: RungOptions): HTMLElement {
  const words = ladderWords(language);
  frame.addStyle(LADDER_STYLE);
  const help = rung === "denied" && element("p", {}, words.help[browserOf(navigator.userAgent)]);
  const card = element("div", { className: "card rung", "data-rung": rung });

  function draw(picture: string, [title, text]: [string, string], more: HTMLElement | false): void {
    card.replaceChildren(
      icon(picture),
      element("h3", {}, title),
      element("p", {}, text),
      ...(more ? [more] : []),
      element(
        "div",
        { className: "row" },
        !isFinal(rung) &&
          element(
            "button",
            { type: "button", className: "primary", onclick: onTalk },
            strings.talk,
          ),
        element(
          "button",
          { type: "button", className: isFinal(rung) ? "" : "plain", onclick: onType },
          strings.write,
        ),
      ),
    );
  }

  draw(PICTURES[rung], words.rungs[rung], help);
  if (isPermission(rung)) {
    whenAllowed(() => {
      if (card.isConnected) draw(PICTURES.allowed, words.allowed, false);
    });
  }
  return card;
}

/** Some browsers do not tell; there the visitor just presses Talk again. */
function whenAllowed(then: () => void): void {
  navigator.permissions
    ?.query({ name: "microphone" })
    .then((permission) =>
      permission.addEventListener("change", () => {
        if (permission.state === "granted") then();
      }),
    )
    .catch(() => {});
}
