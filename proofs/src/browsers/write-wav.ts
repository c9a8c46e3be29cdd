import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Writes a WAV file of 16 bit mono sound, for a browser's microphone. It is removed when the claim ends. */
export function writeWav(
  onEnd: (clean: () => unknown) => void,
  pcm: Int16Array,
  sampleRate = 16_000,
): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-microphone-"));
  onEnd(() => rmSync(folder, { recursive: true }));
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + pcm.byteLength, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE(pcm.byteLength, 40);
  const path = join(folder, "microphone.wav");
  writeFileSync(
    path,
    Buffer.concat([header, Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength)]),
  );
  return path;
}
