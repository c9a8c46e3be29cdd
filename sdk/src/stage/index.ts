export { stageSlides, type StageSlides } from "./stage-slides.ts";
export { useKit } from "../kit.ts";
