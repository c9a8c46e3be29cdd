import { addStyle, element, icon, iconButton, openShadow } from "./element.ts";
import { drawFace } from "./face.ts";
import { hint } from "./events.ts";

/** What sdk.js draws with. The call is given it, so that nothing of it is loaded twice. */
export interface Kit {
  element: typeof element;
  icon: typeof icon;
  iconButton: typeof iconButton;
  drawFace: typeof drawFace;
  hint: typeof hint;
  openShadow: typeof openShadow;
  addStyle: typeof addStyle;
}

export const KIT: Kit = { element, icon, iconButton, drawFace, hint, openShadow, addStyle };
