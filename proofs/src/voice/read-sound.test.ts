import { describe, expect, it } from "vitest";
import { compareWords } from "./read-sound.ts";

const words = (text: string): string[] => text.split(" ").filter(Boolean);
const compare = (text: string, heard: string) => compareWords(words(text), words(heard));

describe("comparing a text with what was heard", () => {
  it("agrees with the same words", () => {
    expect(compare("you get a record", "you get a record")).toEqual({ share: 1, unheard: 0 });
    expect(compare("", "")).toEqual({ share: 1, unheard: 0 });
  });

  it("counts a word that was mistaken, wherever it stands", () => {
    expect(compare("you get a record", "you bet a record")).toEqual({ share: 0.75, unheard: 0 });
    expect(compare("you get a record", "you get a regard")).toEqual({ share: 0.75, unheard: 1 });
  });

  it("counts what nobody has heard", () => {
    expect(compare("you get a record and more", "you get a")).toEqual({ share: 0.5, unheard: 3 });
    expect(compare("you get", "")).toEqual({ share: 0, unheard: 2 });
  });

  it("counts what was heard and is missing in the text", () => {
    expect(compare("you get", "you get a record")).toEqual({ share: 0.5, unheard: 0 });
  });
});
