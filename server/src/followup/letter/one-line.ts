/** A name that is safe in a mail's header: on one line, without anything that cannot be seen, not endless. */
export function oneLine(name: string): string {
  const plain = name
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]+/gu, " ")
    .trim();
  return plain.length <= LONGEST ? plain : `${plain.slice(0, LONGEST).toWellFormed().trim()}…`;
}

const LONGEST = 80;
