export { type HelpOptions, showHelp } from "./show-help.ts";
export { useKit } from "../kit.ts";
