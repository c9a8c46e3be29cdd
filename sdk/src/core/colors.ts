import { hint } from "./hint.ts";

/**
 * Puts a page's colours into custom properties. What is no colour is left out with a hint: a value
 * with a semicolon would be more than a colour.
 */
export function setColors(
  { style }: HTMLElement,
  { primaryColor, textColor }: Pick<SvcWidgetConfig, "primaryColor" | "textColor">,
): void {
  set("--svc-accent", primaryColor);
  set("--svc-on-accent", textColor);

  function set(name: string, value: string | undefined): void {
    style.removeProperty(name);
    if (value === undefined) return;
    // A page may pass anything.
    const color = String(value);
    if (!color.includes(";") && CSS.supports("color", color)) style.setProperty(name, color);
    else hint(`"${color}" is no colour.`);
  }
}
