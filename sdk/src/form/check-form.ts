import type { FormWords } from "@svc/contract/types";

/** By language, written in by the build. */
declare const FORM_WORDS: Record<string, FormWords>;

export interface FilledForm {
  field: HTMLInputElement;
  /** The element that shows the visitor what is wrong. */
  error: HTMLElement;
  validator: SvcCollectData["validator"];
  /** Explains a mistake of the page in its console. */
  hint(text: string): void;
}

/** Returns whether the form can be sent. If not, shows the visitor why. */
export async function checkForm({ field, error, validator, hint }: FilledForm): Promise<boolean> {
  const problem = await problemWith(field.value, validator, hint);
  error.textContent = problem;
  field.setAttribute("aria-invalid", String(problem !== ""));
  if (problem !== "") field.focus();
  return problem === "";
}

/** Returns an empty text where nothing is wrong. The page's validator alone decides; without one, only an empty value is wrong. */
async function problemWith(
  value: string,
  validator: FilledForm["validator"],
  hint: FilledForm["hint"],
): Promise<string> {
  const known = navigator.languages.map((code) => FORM_WORDS[code.slice(0, 2)]);
  const { missing, wrong } = known.find((words) => words !== undefined) ?? FORM_WORDS["en"]!;
  if (validator === undefined) return value.trim() === "" ? missing : "";
  try {
    const verdict: unknown = await validator(value);
    if (verdict === true) return "";
    return typeof verdict === "string" && verdict !== "" ? verdict : wrong;
  } catch {
    hint("The validator threw an error.");
    return wrong;
  }
}
