export { createShows, type Shows, type StageNews } from "./shows.ts";
export { useKit } from "../kit.ts";
