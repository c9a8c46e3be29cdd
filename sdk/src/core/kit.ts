import { addStyle, element, icon, iconButton, openShadow } from "./element.ts";
import { drawFace } from "./face.ts";
import { hint } from "./events.ts";

/** The functions of sdk.js that the chunks use, too. They are passed on, so that no chunk contains a copy. */
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
