export { CONTENT_STYLE } from "./content-style.ts";
export { renderContent } from "./render-content.ts";
