import type { ActionParam } from "#agents";
import type { ActionParams } from "@svc/contract/types";

/** What a model wants the visitor's page to do: `open-report {"period": "month"}`. */
export interface ActionOrder {
  name: string;
  /** Not checked yet. */
  params: Record<string, unknown>;
}

/** Undefined where the parameters are no JSON object. */
export function readOrder(value: string): ActionOrder | undefined {
  const [, name, json = "{}"] = /^([^\s:{]+)\s*:?\s*(\{.*\})?$/su.exec(value.trim()) ?? [];
  if (name === undefined) return undefined;
  try {
    const params: unknown = JSON.parse(json);
    return isObject(params) ? { name: name.toLowerCase(), params } : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The parameters as they may be handed to the page; undefined where one is missing, unknown or wrong. */
export function checkParams(
  declared: readonly ActionParam[],
  given: Record<string, unknown>,
): ActionParams | undefined {
  const isKnown = (key: string): boolean => declared.some((one) => one.key === key);
  if (!Object.keys(given).every(isKnown)) return undefined;
  const checked: ActionParams = {};
  for (const param of declared) {
    const value = Object.hasOwn(given, param.key) ? given[param.key] : undefined;
    if (value === undefined && param.optional === true) continue;
    if (!fits(param, value)) return undefined;
    checked[param.key] = value;
  }
  return checked;
}

/** The SDK has the same rules, for what the page has declared itself. */
function fits(
  { type, enum: choices, minimum = -Infinity, maximum = Infinity }: ActionParam,
  value: unknown,
): value is string | number | boolean {
  switch (type) {
    case "string":
      if (typeof value !== "string" || value.length > LONGEST_TEXT) return false;
      return choices === undefined || choices.includes(value);
    case "boolean":
      return typeof value === "boolean";
    case "integer":
      if (!Number.isSafeInteger(value)) return false;
      break;
    case "number":
      if (!Number.isFinite(value)) return false;
  }
  return (value as number) >= minimum && (value as number) <= maximum;
}

const LONGEST_TEXT = 200;
