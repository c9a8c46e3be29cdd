import { transcribe } from "@svc/rehearsal";
import type { Cut } from "./cut-sentence.ts";
import { wordsIn } from "./words.ts";

/** Has a recogniser listen to what was played. Returns how many sound as they are stored, give or take a word. */
export async function listenTo(cuts: Cut[], say: (line: string) => void): Promise<number> {
  let agreed = 0;
  for (const { segment, stored } of cuts) {
    const { text } = await transcribe(at16Khz(segment.pcm));
    say(`stored “${stored}”, sounds like “${text}”`);
    if (Math.abs(wordsIn(text) - wordsIn(stored)) <= 1) agreed += 1;
  }
  return agreed;
}

/** From 24 kHz: two samples of three, each where it belongs. */
function at16Khz(pcm: Int16Array): Int16Array {
  return Int16Array.from({ length: Math.floor((pcm.length * 2) / 3) }, (_, index) => {
    const at = index * 1.5;
    const before = pcm[Math.floor(at)]!;
    return before + (at % 1) * ((pcm[Math.ceil(at)] ?? before) - before);
  });
}
