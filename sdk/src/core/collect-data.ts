import type { CoreWords } from "./core-words.ts";
import { element } from "./element.ts";
import { hint } from "./hint.ts";

export interface WayIn {
  collectData: SvcCollectData | undefined;
  ctaText: string;
  /** Where the page gives none. Nothing is drawn without. */
  formTitle?: string;
  words: CoreWords;
  /** Before each class name. */
  prefix: string;
  /** With what the form has collected. */
  start(collected?: Record<string, string>): void;
}

let made = 0;

/** The button that starts the demo, in a form if one thing is asked for before. */
export function wayIn(options: WayIn): HTMLElement {
  const { collectData, ctaText, formTitle, words, prefix, start } = options;
  const className = `${prefix}cta`;
  if (!isUsable(collectData)) {
    return element("button", { className, type: "button", onclick: () => start() }, ctaText);
  }
  const { dataKey, placeholder = "Enter your email" } = collectData;
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
  });
  function show(problem: string): void {
    error.textContent = problem;
    field.setAttribute("aria-invalid", String(problem !== ""));
    if (problem !== "") field.focus();
  }
  return element(
    "form",
    {
      className: `${prefix}form`,
      noValidate: true,
      onsubmit: (event) => {
        event.preventDefault();
        void problemWith(field.value, collectData.validator, words).then((problem) => {
          show(problem);
          if (problem === "") start({ [dataKey]: field.value });
        });
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

/** In words; empty when there is none. */
async function problemWith(
  value: string,
  validator: SvcCollectData["validator"],
  words: CoreWords,
): Promise<string> {
  if (validator === undefined) return value.trim() === "" ? words.missing : "";
  try {
    const verdict: unknown = await validator(value);
    if (verdict === true) return "";
    return typeof verdict === "string" && verdict !== "" ? verdict : words.wrong;
  } catch {
    hint("The validator threw an error.");
    return words.wrong;
  }
}

/** A configuration that cannot work is explained, and the demo starts without a form. */
function isUsable(given: SvcCollectData | undefined): given is SvcCollectData {
  if (given && !given.dataKey) hint("collectData needs a dataKey.");
  return Boolean(given?.dataKey);
}
