export { placeLights, type LightOptions, type PlaceLights } from "./place-lights.ts";
export { useKit } from "../kit.ts";
