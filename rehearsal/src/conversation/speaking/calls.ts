import type { ToolCall } from "../../language-model/answer.ts";
import { addressIn } from "../hearing/hear.ts";
import type { Talk } from "../talk.ts";

export function call(name: string, args: Record<string, unknown> = {}): ToolCall {
  return { name, arguments: args };
}

/** The call, where its tool is offered. */
export function offered({ tools }: Talk, wanted: ToolCall): ToolCall[] {
  return tools.includes(wanted.name) ? [wanted] : [];
}

/** With the address that the visitor wrote last, if any. */
export function askEmail({ allVisitorSaid }: Talk): ToolCall {
  const address = allVisitorSaid.map(addressIn).findLast((one) => one !== undefined);
  return call("ask_email", address === undefined ? {} : { prefill: address });
}
