export { previewRefused } from "./preview-refused.ts";
export { PREVIEW_STYLE } from "./preview-style.ts";
export { invalidScreen, previewRibbon, useTexts } from "./preview-screens.ts";
export { useKit } from "../kit.ts";
