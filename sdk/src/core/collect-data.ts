import type { CoreWords } from "./core-words.ts";
import { element } from "./element.ts";
import { hint } from "./hint.ts";

export interface CollectForm {
  collectData: SvcCollectData;
  ctaText: string;
  /** None is drawn where there is none. */
  title: string | undefined;
  words: CoreWords;
  /** Before each class name. */
  prefix: string;
  onCollected: (data: Record<string, string>) => void;
}

let made = 0;

/** Asks for one thing before the demo starts. */
export function collectForm(options: CollectForm): HTMLFormElement {
  const { collectData, ctaText, title, words, prefix } = options;
  const { dataKey, placeholder = "Enter your email", validator } = collectData;
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
        void problemWith(field.value, validator, words).then((problem) => {
          show(problem);
          if (problem === "") options.onCollected({ [dataKey]: field.value });
        });
      },
    },
    title !== undefined && element("label", { className: `${prefix}title`, htmlFor: id }, title),
    element(
      "div",
      { className: `${prefix}row` },
      field,
      element("button", { className: `${prefix}cta`, type: "submit" }, ctaText),
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
export function usableCollectData(given: SvcCollectData | undefined): SvcCollectData | undefined {
  if (given === undefined || given === null) return undefined;
  if (typeof given.dataKey === "string" && given.dataKey !== "") return given;
  hint("collectData needs a dataKey.");
  return undefined;
}
