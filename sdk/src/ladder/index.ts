export { type HelpOptions, showHelp } from "./rung-card.ts";
export { useKit } from "../kit.ts";
