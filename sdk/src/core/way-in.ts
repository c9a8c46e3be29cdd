import type { PageWords } from "@svc/contract/types";
import type { Chunks } from "./chunks.ts";
import { element } from "./element.ts";
import { hint } from "./events.ts";

export interface WayIn {
  collectData: SvcCollectData | undefined;
  ctaText: string;
  /** Used where the page sets none. Without either there is no title. */
  formTitle?: string;
  /** The prefix of every class name. */
  prefix: string;
  loadForm: LoadForm;
  /** @param collected What the visitor entered in the form. */
  start(collected?: Record<string, string>): void;
}

/** Loads the chunk that checks a form, when the visitor begins to fill it in. Resolves to nothing if it cannot be loaded. */
export type LoadForm = () => Promise<Chunks["form"] | void>;

let made = 0;

/** The button that starts the demo, inside a form if something is to be asked first. */
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
    // The type selects keyboard and autofill; only the page's validator decides what is valid.
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

/** Explains a configuration that cannot work; the demo then starts without a form. */
function isUsable(given: SvcCollectData | undefined): given is SvcCollectData {
  if (given && !given.dataKey) hint("collectData needs a dataKey.");
  return Boolean(given?.dataKey);
}

/**
 * Sets a page's colours as custom properties. Invalid colours are left out with a hint; a value with a
 * semicolon could add declarations of its own.
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

/** By language, written in by the build. The defaults that the specification words are not translated. */
declare const PAGE_WORDS: Record<string, PageWords>;
/** The build would write them in at each place that names them. */
const inEveryLanguage = PAGE_WORDS;

/** What widget and hero say before any chunk is loaded, in the first of the visitor's languages that is built in, or in English. */
export function pageWords(): PageWords {
  const known = navigator.languages.map((code) => inEveryLanguage[code.slice(0, 2)]);
  return known.find((words) => words !== undefined) ?? inEveryLanguage["en"]!;
}
