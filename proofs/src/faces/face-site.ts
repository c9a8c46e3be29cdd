import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openCustomerSite } from "../product/customer-site.ts";
import type { CustomerSite } from "../product/customer-site.ts";
import { buildSdk, SDK_FILES } from "../product/whole-product.ts";

export const PERSONAS: string[] = ["ash", "birch", "cedar", "hazel", "linden", "rowan", "orb"];

export interface FaceSite extends CustomerSite {
  /** The address of a built file by its name without hash. */
  fileOf(chunk: string): string;
  /** In bytes, after brotli. */
  sizeOf(chunk: string): number;
}

/** The built SDK and the facts of an agent for each persona; a page's `?agent=` says which. More files lie beside it. */
export async function openFaceSite(
  body: string,
  more: (fileOf: FaceSite["fileOf"]) => Record<string, string> = () => ({}),
): Promise<FaceSite> {
  const built = await buildSdk();
  const nameOf = (chunk: string): string =>
    built.find((file) => new RegExp(`^${chunk}\\.(?:\\w+\\.)?js$`).test(file))!;
  const fileOf = (chunk: string): string => `/sdk/${nameOf(chunk)}`;
  const files = built
    .filter((file) => file.endsWith(".js"))
    .map((file) => [`/sdk/${file}`, readFileSync(join(SDK_FILES, file), "utf8")]);
  const facts = PERSONAS.map((avatar) => [
    `/sdk/v1/agents/${avatar}`,
    JSON.stringify({ avatar, languages: [], brand: {} }),
  ]);
  const site = await openCustomerSite({
    "/": `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>Faces</title><body>${body}<script>window.SvcConfig = { agentId: new URLSearchParams(location.search).get("agent") ?? "linden" };</script><script id="svc-sdk" src="/sdk/sdk.js"></script></body></html>`,
    ...Object.fromEntries([...files, ...facts]),
    ...more(fileOf),
  });
  return {
    ...site,
    fileOf,
    sizeOf: (chunk) => readFileSync(join(SDK_FILES, `${nameOf(chunk)}.br`)).length,
  };
}
