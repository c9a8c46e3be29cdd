import { boundedFetch } from "#platform";
import { openSocket } from "./open-socket.ts";
import { VendorAway, apiUrl } from "./vendor.ts";
import type { HearingConfig } from "./vendor.ts";

const PROBE_MS = 5_000;
const MAX_ANSWER_BYTES = 1_000_000;

/** Connects and shows the key, without saying anything. Throws `VendorAway` where that fails. */
export async function probeHearing({ provider, url, key = "none" }: HearingConfig): Promise<void> {
  if (provider === "deepgram") {
    const base = apiUrl(url ?? "https://api.deepgram.com", "ws", "/v1");
    const socket = await openSocket({
      provider,
      url: `${base}/listen?encoding=linear16&sample_rate=16000`,
      headers: { authorization: `Token ${key}` },
    });
    return socket.close();
  }
  const base = apiUrl(url ?? "https://api.openai.com", "http", "/v1");
  const response = await boundedFetch(MAX_ANSWER_BYTES)(`${base}/models`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(PROBE_MS),
  }).catch((cause: unknown) => {
    throw VendorAway.unreachable(provider, cause);
  });
  await response.body?.cancel();
  if (!response.ok) throw VendorAway.answered(provider, response.status);
}
