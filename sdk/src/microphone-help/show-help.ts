import type { Frame } from "../call/frame.ts";
import { element, icon } from "../kit.ts";
import type { Strings } from "../strings/strings.ts";
import { browserOf } from "./browser-of.ts";
import { HELP_STYLE } from "./help-style.ts";
import { helpWords } from "./help-words.ts";
import { PICTURES } from "./pictures.ts";
import { isFinal, isPermission, problemOf } from "./microphone-problem.ts";
import type { MicrophoneProblem } from "./microphone-problem.ts";

export interface HelpOptions {
  voice: { readonly trouble: string | undefined; start(): void };
  frame: Frame;
  language: string;
  strings: Strings;
  onShown: () => void;
  onType: () => void;
}

/** Shows in `place` why the visitor cannot talk, unless that has changed meanwhile. */
export async function showHelp(place: HTMLElement, options: HelpOptions): Promise<void> {
  const { voice, onShown, onType } = options;
  const { trouble } = voice;
  if (trouble === undefined) return;
  const problem = await problemOf(trouble);
  if (voice.trouble !== trouble) return;
  const card = helpCard(problem, options, () => {
    place.replaceChildren();
    onType();
  });
  place.replaceChildren(card);
  onShown();
}

/** Why the visitor cannot talk, how that is undone in this browser, and the way on. */
function helpCard(
  problem: MicrophoneProblem,
  { voice, frame, language, strings }: HelpOptions,
  onType: () => void,
): HTMLElement {
  // In the tap: Safari starts no sound elsewhere.
  const onTalk = (): void => voice.start();
  const words = helpWords(language);
  frame.addStyle(HELP_STYLE);
  const help = problem === "denied" && element("p", {}, words.help[browserOf(navigator.userAgent)]);
  const card = element("div", { className: "card help", "data-problem": problem });

  function draw(picture: string, [title, text]: [string, string], more: HTMLElement | false): void {
    card.replaceChildren(
      icon(picture),
      element("h3", {}, title),
      element("p", {}, text),
      ...(more ? [more] : []),
      element(
        "div",
        { className: "row" },
        !isFinal(problem) &&
          element(
            "button",
            { type: "button", className: "primary", onclick: onTalk },
            strings.talk,
          ),
        element(
          "button",
          { type: "button", className: isFinal(problem) ? "" : "plain", onclick: onType },
          strings.write,
        ),
      ),
    );
  }

  draw(PICTURES[problem], words.problems[problem], help);
  if (isPermission(problem)) {
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
