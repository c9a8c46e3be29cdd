import type { Service } from "../core/service.ts";
import { readEligibility } from "../preflight/preflight.ts";

/** Returns whether the tab's preview token does not work. Other reasons are told when the visitor starts. */
export async function previewRefused(service: Service): Promise<boolean> {
  return (await readEligibility(service)).reason === "preview_invalid";
}
