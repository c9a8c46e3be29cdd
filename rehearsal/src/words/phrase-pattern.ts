/**
 * Finds any of the phrases as whole words, with case, space and apostrophes folded; `*` at the end of
 * a word stands for any ending. One list a language reads well.
 */
export function phrasePattern(...lists: string[][]): RegExp {
  const either = lists.flat().map((phrase) =>
    phrase
      .trim()
      .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll(/\\\*(?=\s|$)/g, String.raw`\p{L}*`)
      .replaceAll(/['’]/g, "['’]")
      .replaceAll(/\s+/g, String.raw`\s+`),
  );
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${either.join("|")})(?![\p{L}\p{N}])`, "iu");
}
