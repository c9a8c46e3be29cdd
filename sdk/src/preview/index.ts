export { previewRefused } from "./preview-refused.ts";
export { PREVIEW_STYLE } from "./preview-style.ts";
export { invalidScreen, previewRibbon } from "./preview-screens.ts";
export { useKit } from "../kit.ts";
