/**
 * Rejects with an error whose `cause` is the browser's own: so the caller can tell it from other
 * failures of sound.
 * @param deviceId any microphone when empty.
 */
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
  } catch (cause) {
    throw new Error("microphone", { cause });
  }
}

export function letGo(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
