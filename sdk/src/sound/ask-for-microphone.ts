/**
 * Rejects with an error whose `cause` is the browser's own error, so that callers can tell a missing
 * microphone from other failures.
 * @param deviceId Empty: any microphone.
 */
export async function askForMicrophone(deviceId: string): Promise<MediaStream> {
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: {
        echoCancellation: true,
        // Noise suppression removes the voice of a visitor who talks over the agent.
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
