import type { CallWords, MicrophoneWords, TitledText } from "@svc/contract/types";
import type { Frame } from "../call/frame.ts";
import { element, icon } from "../kit.ts";
import { HELP_STYLE } from "./help-style.ts";
import { browserOf, isFinal, isPermission, problemOf } from "./microphone-problem.ts";
import type { MicrophoneProblem } from "./microphone-problem.ts";

export interface HelpOptions {
  voice: { readonly trouble: string | undefined; start(): void };
  frame: Frame;
  strings: CallWords;
  words: MicrophoneWords;
  onShown: () => void;
  onType: () => void;
}

/** Explains in `place` why the visitor cannot talk, unless the problem has changed meanwhile. */
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

/** A card that says why the visitor cannot talk, how to change that in this browser, and how to continue. */
function helpCard(
  problem: MicrophoneProblem,
  { voice, frame, strings, words }: HelpOptions,
  onType: () => void,
): HTMLElement {
  // Called inside the tap, because Safari starts sound nowhere else.
  const onTalk = (): void => voice.start();
  frame.addStyle(HELP_STYLE);
  const help = problem === "denied" && element("p", {}, words.help[browserOf(navigator.userAgent)]);
  const card = element("div", { className: "card help", "data-problem": problem });

  function draw(picture: string, { title, text }: TitledText, more: HTMLElement | false): void {
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

/** Some browsers do not report changes; there the visitor presses Talk again. */
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

const MICROPHONE =
  "M8 2.5a2.2 2.2 0 0 0-2.2 2.2v4a2.2 2.2 0 0 0 4.4 0v-4A2.2 2.2 0 0 0 8 2.5zM3.5 8.7a4.5 4.5 0 0 0 9 0M8 13.2v3.3";
/** The position of the sign beside the microphone. */
const SIGN = "M15.5 11.5";

/** A microphone with a sign of the problem. Paths in a box of 20 by 20. */
const PICTURES: Record<MicrophoneProblem | "allowed", string> = {
  denied: `${MICROPHONE}M13 17.5l4.5-4.5M12.2 15.2a3 3 0 1 0 6 0 3 3 0 1 0-6 0`,
  dismissed: `${MICROPHONE}M13.8 12.2a1.8 1.8 0 1 1 2.6 1.6c-.7.4-.9.8-.9 1.4M15.5 17.5h0`,
  none: `${MICROPHONE}M13.5 13.2l4 4M17.5 13.2l-4 4`,
  busy: `${MICROPHONE}${SIGN}a3 3 0 1 0 0 6 3 3 0 1 0 0-6M15.5 13v1.7l1.2.8`,
  insecure: `${MICROPHONE}M13 14h5v3.5h-5zM14 14v-1a1.5 1.5 0 0 1 2.8-.8`,
  policy: `${MICROPHONE}${SIGN}l2.6 1v1.9c0 1.5-1 2.6-2.6 3.3-1.6-.7-2.6-1.8-2.6-3.3v-1.9z`,
  removed: `${MICROPHONE}M14 11.5v2M17 11.5v2M13 13.5h5v1a2.5 2.5 0 0 1-5 0zM15.5 17v1`,
  sound: "M3 8v4h3l4 3.5v-11L6 8zM13.5 8l4 4M17.5 8l-4 4",
  allowed: `${MICROPHONE}M13 15l1.8 1.8 3.2-3.6`,
};
