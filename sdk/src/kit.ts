import type { Kit } from "./core/kit.ts";

/** What sdk.js draws with. It lends this to the chunks, so that none of them brings a copy of it. */
export let kit: Kit;
export let element: Kit["element"];
export let icon: Kit["icon"];
export let iconButton: Kit["iconButton"];

/** Every chunk that draws is given the kit before anything in it is called. */
export function useKit(given: Kit): void {
  kit = given;
  ({ element, icon, iconButton } = given);
}
