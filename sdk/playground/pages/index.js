import { button } from "./button.js";
import { events } from "./events.js";
import { faults } from "./faults.js";
import { form } from "./form.js";
import { hero } from "./hero.js";
import { languages } from "./languages.js";
import { metadata } from "./metadata.js";
import { theCall } from "./call.js";
import { widget } from "./widget.js";

/** In the order of the menu; the first is where one lands. */
export const PAGES = [widget, hero, button, form, theCall, languages, metadata, events, faults];
