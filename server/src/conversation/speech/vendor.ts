import { ModelAway } from "#models";
import type { SpeechSettings } from "#platform";

export type SpeechConfig = SpeechSettings;
/** One provider of speech-to-text. */
export type HearingConfig = SpeechSettings["hearing"]["first"];
/** One provider of text-to-speech. */
export type VoiceConfig = SpeechSettings["voice"]["first"];

/** A vendor of speech that cannot be reached, refuses, or fell silent. */
export class VendorAway extends ModelAway {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "VendorAway";
  }

  static unreachable(provider: string, cause: unknown): VendorAway {
    const what = `${provider} is not to be reached: check its address and the network`;
    return new VendorAway(what, { cause });
  }

  /** Explains an HTTP status and what to do about it. */
  static answered(provider: string, status: number): VendorAway {
    return new VendorAway(`${provider} ${reasons[status] ?? `answered ${status}`}`);
  }
}

const badKey = "refuses the key: check the one that is set for it";
const badName = "knows no such voice or model: check their names in the settings and in the agent";
const spent = "gives no more: check the limits and the balance of the account";

const reasons: Record<number, string> = {
  400: badName,
  401: badKey,
  402: spent,
  403: badKey,
  404: badName,
  422: badName,
  429: spent,
};

/**
 * The address to dial. Operators give it with http or ws, and with or without a vendor's `/v1`.
 */
export function apiUrl(url: string, protocol: "http" | "ws", version = ""): string {
  const dialled = url.replace(/^(?:http|ws)/, protocol).replace(/\/+$/, "");
  return new URL(dialled).pathname === "/" ? `${dialled}${version}` : dialled;
}
