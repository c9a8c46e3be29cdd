import { element } from "../kit.ts";

/** One sentence that the visitor should know now. It goes when they say something. */
export interface WarningLine {
  element: HTMLElement;
  say(text: string): void;
  clear(): void;
}

export function warningLine(onShown: () => void): WarningLine {
  const line = element("p", { role: "status", className: "warning", hidden: true });
  return {
    element: line,
    say(text) {
      line.hidden = false;
      line.textContent = text;
      onShown();
    },
    clear() {
      line.hidden = true;
    },
  };
}
