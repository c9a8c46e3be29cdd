export { renderContent } from "./render-content.ts";
