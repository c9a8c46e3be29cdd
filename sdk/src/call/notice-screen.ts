import type { AgentFacts } from "@svc/contract/types";
import { fill } from "../strings/strings.ts";
import type { Strings } from "../strings/strings.ts";
import { agentMark } from "./agent-mark.ts";
import { element } from "../core/element.ts";

export interface NoticeOptions {
  agent: AgentFacts;
  strings: Strings;
  language: string;
  notice: string;
  onLanguage: (code: string) => void;
  /** With the text that was accepted. */
  onStart: (notice: string) => void;
  onCancel: () => void;
}

/** Who speaks, what is kept, and the choice: one screen, one click. */
export function noticeScreen(options: NoticeOptions): HTMLElement {
  const { agent, strings, notice } = options;
  return element(
    "section",
    { className: "notice" },
    agentMark(agent),
    element("h2", {}, agent.name),
    element("p", { className: "quiet" }, strings.aiGuide),
    element("p", { className: "lead" }, fill(strings.invitation, { brand: agent.brand.name })),
    element(
      "button",
      {
        type: "button",
        className: "primary",
        "data-focus": "",
        onclick: () => options.onStart(notice),
      },
      strings.type,
    ),
    element("p", { className: "small", id: "notice" }, notice),
    element("p", { role: "status", className: "quiet" }),
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

function languageChoice({ agent, strings, language, onLanguage }: NoticeOptions): HTMLElement {
  if (agent.languages.length < 2) return element("span");
  return element(
    "label",
    { className: "language" },
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
