/** "1.000.000" is one number, "12.03.2026" are several. */
export function piecesOf(
  piece: string,
  offset: number,
  language: string,
): { keys: string[]; from: number; length: number }[] {
  const [, whole, sign, fraction = ""] = GROUPED.exec(piece) ?? DECIMAL.exec(piece) ?? [];
  const at = { from: offset, length: piece.length };
  if (whole !== undefined) {
    const keys = [decimal(whole.replaceAll(/\D/g, ""), fraction)];
    // "1.200" is 1200 to a German, and may be 1.2 to an American.
    const [before = "", behind = ""] = piece.split(sign!);
    if (GROUPED.test(piece) && /^\d+[.,]\d{3}$/.test(piece) && sign === decimalSign(language))
      keys.push(decimal(before, behind));
    return [{ ...at, keys }];
  }
  return [...piece.matchAll(/\d+/g)].map(({ 0: digits, index }) => ({
    keys: [decimal(digits, "")],
    from: offset + index,
    length: digits.length,
  }));
}

/** Three digits behind every sign, or two in India: in no language is that a fraction more often than thousands. */
const GROUPED = /^([1-9]\d{0,2}([.,'’ ])(?:\d{3}\2|\d{2}\2)*\d{3})(?:[.,](\d+))?$/;
const DECIMAL = /^(\d+)([.,])(\d+)$/;

function decimal(whole: string, fraction: string): string {
  const rest = fraction.replace(/(?<!0)0+$/, "");
  return whole.replace(/^0+(?=\d)/, "") + (rest === "" ? "" : `.${rest}`);
}

const signs = new Map<string, string>();

function decimalSign(language: string): string {
  const sign =
    signs.get(language) ??
    new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === "decimal")
      ?.value ??
    ".";
  signs.set(language, sign);
  return sign;
}

/** Every script's own digits. They stand in tens, so that the ones before a digit tell its value. */
export function asciiDigits(text: string): string {
  return text.replace(/[^\P{Nd}0-9]/gu, (digit) => {
    const code = digit.codePointAt(0)!;
    let value = 0;
    while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
    return String(value);
  });
}
