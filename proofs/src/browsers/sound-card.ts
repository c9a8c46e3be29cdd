import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** A sound card that nobody hears, for browsers that play nothing without one. */
export interface SoundCard {
  /** For the process that is to play on it. */
  environment: Record<string, string>;
  close(): Promise<void>;
}

const READY_WITHIN_MS = 5_000;

/** @param script what is plugged into it, in PulseAudio's own commands: a loudspeaker unless told. */
export async function openSoundCard(
  script: readonly string[] = ["load-module module-null-sink"],
): Promise<SoundCard> {
  const folder = mkdtempSync(join(tmpdir(), "svc-sound-card-"));
  const socket = join(folder, "native");
  // The socket comes last: whoever finds it finds everything.
  const door = `load-module module-native-protocol-unix socket=${socket} auth-anonymous=1`;
  writeFileSync(join(folder, "script.pa"), [...script, door, ""].join("\n"));
  const daemon = spawn(
    "pulseaudio",
    [
      "-n",
      `--file=${join(folder, "script.pa")}`,
      "--daemonize=no",
      "--exit-idle-time=-1",
      "--use-pid-file=no",
    ],
    { stdio: "ignore", env: { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder } },
  );
  soundFirst(daemon.pid!);
  const ended = once(daemon, "exit");
  const endMs = performance.now() + READY_WITHIN_MS;
  while (!existsSync(socket)) {
    if (performance.now() > endMs) throw new Error("pulseaudio does not start");
    await delay(50);
  }
  return {
    environment: { PULSE_SERVER: `unix:${socket}` },
    async close() {
      daemon.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

const BEFORE_OTHERS = -10;

/**
 * Lets a process, and all that it has started, go before others, as a desktop does with whatever makes
 * sound. Else the models that hear and speak beside a browser take the two cores for a moment, and the
 * browser loses what its microphone hears meanwhile.
 */
export function soundFirst(pid: number): void {
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      setPriority(Number(thread), BEFORE_OTHERS);
      const children = readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8");
      for (const child of children.split(" ").filter(Boolean)) soundFirst(Number(child));
    }
  } catch {
    // The process ended meanwhile, or its priority may not be raised: all are equal then.
  }
}
