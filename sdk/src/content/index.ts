export { CONTENT_STYLE } from "./content-style.ts";
export { createSlides, type Slides } from "./slides.ts";
export { useKit } from "../kit.ts";
