import type { Chunks } from "./chunks.ts";
import { element } from "./element.ts";
import { hint } from "./events.ts";

export interface WayIn {
  collectData: SvcCollectData | undefined;
  ctaText: string;
  /** Where the page gives none. Nothing is drawn without. */
  formTitle?: string;
  /** Before each class name. */
  prefix: string;
  loadForm: LoadForm;
  /** With what the form has collected. */
  start(collected?: Record<string, string>): void;
}

/** What checks a form is loaded when the visitor begins to fill it in. Nothing where it cannot be. */
export type LoadForm = () => Promise<Chunks["form"] | void>;

let made = 0;

/** The button that starts the demo, in a form if one thing is asked for before. */
export function wayIn(options: WayIn): HTMLElement {
  const { collectData, ctaText, formTitle, prefix, loadForm, start } = options;
  const className = `${prefix}cta`;
  if (!isUsable(collectData)) {
    return element("button", { className, type: "button", onclick: () => start() }, ctaText);
  }
  const { dataKey, placeholder = "Enter your email", validator } = collectData;
  const title = collectData.formTitle ?? formTitle;
  const id = `svc-field-${(made += 1)}`;
  const isEmail = dataKey === "email";
  const error = element("p", { className: `${prefix}error`, id: `${id}-error`, role: "alert" });
  const field = element("input", {
    className: `${prefix}input`,
    id,
    name: dataKey,
    // The page's validator alone decides; the type brings the right keyboard and autofill.
    type: isEmail ? "email" : "text",
    autocomplete: isEmail ? "email" : "on",
    placeholder,
    "aria-label": title ?? placeholder,
    "aria-describedby": error.id,
    onfocus: loadForm,
  });
  async function submit(): Promise<void> {
    const form = await loadForm();
    const isFine = await form?.checkForm({ field, error, validator, hint });
    if (isFine) start({ [dataKey]: field.value });
  }
  return element(
    "form",
    {
      className: `${prefix}form`,
      noValidate: true,
      onsubmit: (event) => {
        event.preventDefault();
        void submit();
      },
    },
    title !== undefined && element("label", { className: `${prefix}title`, htmlFor: id }, title),
    element(
      "div",
      { className: `${prefix}row` },
      field,
      element("button", { className, type: "submit" }, ctaText),
    ),
    error,
  );
}

/** A configuration that cannot work is explained, and the demo starts without a form. */
function isUsable(given: SvcCollectData | undefined): given is SvcCollectData {
  if (given && !given.dataKey) hint("collectData needs a dataKey.");
  return Boolean(given?.dataKey);
}

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

/** The few words that widget and hero need before anything else is loaded. The specified defaults are not among them: they stay as they are. */
export interface CoreWords {
  /** One line of what happens behind the button. */
  about: string;
  collapse: string;
}

const WORDS: Record<string, CoreWords> = {
  en: {
    about: "An AI guide shows you around, in about five minutes.",
    collapse: "Make it small",
  },
  de: {
    about: "Ein KI-Guide zeigt Ihnen alles, in etwa fünf Minuten.",
    collapse: "Verkleinern",
  },
  fr: {
    about: "Un guide IA vous montre tout, en cinq minutes environ.",
    collapse: "Réduire",
  },
  es: {
    about: "Un guía de IA le muestra todo, en unos cinco minutos.",
    collapse: "Reducir",
  },
};

/** In the first of the visitor's languages that there are words in. */
export function coreWords(): CoreWords {
  const known = navigator.languages.map((code) => WORDS[code.slice(0, 2)]);
  return known.find((words) => words !== undefined) ?? WORDS["en"]!;
}
