export { cite, type Cited } from "./cite.ts";
export { useKit } from "../kit.ts";
