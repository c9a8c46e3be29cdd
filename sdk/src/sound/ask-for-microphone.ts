/** Why there is no microphone. The visitor is told what can be done about each. */
export type MicrophoneRung = "denied" | "dismissed" | "none" | "busy" | "insecure" | "policy";

export class MicrophoneTrouble extends Error {
  readonly rung: MicrophoneRung;

  constructor(rung: MicrophoneRung) {
    super(rung);
    this.rung = rung;
  }
}

/** @param deviceId any microphone when empty. */
export async function askForMicrophone(deviceId: string): Promise<MediaStream> {
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: {
        echoCancellation: true,
        // It takes a visitor who talks over the agent for noise.
        noiseSuppression: false,
        autoGainControl: true,
        ...(deviceId && { deviceId: { exact: deviceId } }),
      },
    });
  } catch (error) {
    throw new MicrophoneTrouble(await rungOf((error as Error).name));
  }
}

async function rungOf(name: string): Promise<MicrophoneRung> {
  switch (name) {
    case "NotFoundError":
    case "OverconstrainedError":
    // Some browsers inside of apps have no microphones at all.
    case "TypeError":
      return "none";
    case "NotAllowedError":
    case "SecurityError":
      if (isForbiddenByPage()) return "policy";
      return (await canAskAgain()) ? "dismissed" : "denied";
    default:
      return "busy";
  }
}

/** The page's own headers forbid it, and nobody was asked. Only Chromium tells. */
function isForbiddenByPage(): boolean {
  const { featurePolicy } = document as {
    featurePolicy?: { allowsFeature(name: string): boolean };
  };
  return featurePolicy?.allowsFeature("microphone") === false;
}

async function canAskAgain(): Promise<boolean> {
  try {
    const { state } = await navigator.permissions.query({ name: "microphone" });
    return state === "prompt";
  } catch {
    // Not every browser knows this permission.
    return false;
  }
}

export function letGo(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
