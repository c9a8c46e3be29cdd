import type { Kit } from "./core/kit.ts";

/** The functions that sdk.js passes to the chunks, so that none of them contains a copy. */
export let kit: Kit;
export let element: Kit["element"];
export let icon: Kit["icon"];
export let iconButton: Kit["iconButton"];

/** Every chunk that draws is given the kit before any of its functions is called. */
export function useKit(given: Kit): void {
  kit = given;
  ({ element, icon, iconButton } = given);
}
