export { createShows, type Shows } from "./shows.ts";
export { useKit } from "../kit.ts";
