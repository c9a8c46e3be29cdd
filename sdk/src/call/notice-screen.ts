import type { AgentFacts, AgentFactsLanguage, AgentMode, CallWords } from "@svc/contract/types";
import { element, icon } from "../kit.ts";
import { ICONS } from "./icons.ts";

export interface NoticeOptions {
  agent: AgentFacts;
  face: HTMLElement;
  strings: CallWords;
  language: string;
  notice: string;
  link: AgentFactsLanguage["notice_link"];
  /** Why the last try came to nothing. */
  trouble: string;
  onLanguage: (code: string) => void;
  /** In the tap. */
  onStart: (mode: AgentMode) => void;
  onCancel: () => void;
}

/** Who speaks, what is kept, and the choice: one screen, one click. */
export function noticeScreen(options: NoticeOptions): HTMLElement {
  const { agent, face, strings, notice, link } = options;
  return element(
    "section",
    { className: "notice" },
    element("div", { className: "banner" }, face),
    element("h2", {}, agent.name),
    element("p", { className: "quiet" }, strings.ai_guide),
    element(
      "p",
      { className: "lead" },
      strings.invitation.replace("{brand}", () => agent.brand.name),
    ),
    choice(options),
    element("p", { className: "small", id: "notice" }, notice),
    element(
      "p",
      { className: "small" },
      link && element("a", { href: link.url, target: "_blank" }, link.text),
    ),
    element("p", { role: "status", className: "quiet" }, options.trouble),
    element(
      "footer",
      {},
      languageChoice(options),
      element(
        "button",
        { type: "button", className: "plain", onclick: options.onCancel },
        strings.cancel,
      ),
    ),
  );
}

/** Talking comes first where it can be had. */
function choice({ agent, strings, onStart }: NoticeOptions): HTMLElement {
  const modes = (["voice", "text"] as const).filter((mode) => agent.modes.includes(mode));
  const names = { voice: strings.talk, text: modes.length > 1 ? strings.write : strings.type };
  const icons = { voice: ICONS.microphone, text: ICONS.keyboard };
  return element(
    "div",
    { className: "choice" },
    ...modes.map((mode, index) =>
      element(
        "button",
        {
          type: "button",
          ...(index === 0 && { className: "primary", "data-focus": "" }),
          onclick: () => onStart(mode),
        },
        icon(icons[mode]),
        names[mode],
      ),
    ),
  );
}

function languageChoice({ agent, strings, language, onLanguage }: NoticeOptions): HTMLElement {
  if (agent.languages.length < 2) return element("span");
  return element(
    "label",
    {},
    element("span", { className: "hidden" }, strings.language),
    element(
      "select",
      {
        onchange: ({ currentTarget }) => onLanguage((currentTarget as HTMLSelectElement).value),
      },
      ...agent.languages.map(({ code }) =>
        element("option", { value: code, selected: code === language }, nameOf(code)),
      ),
    ),
  );
}

/** A language's name in itself, with a capital where its own grammar would write a small letter. */
function nameOf(code: string): string {
  const name = new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}
