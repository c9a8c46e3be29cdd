/**
 * The domain that somebody probably meant who wrote one that accepts no mail: a large mail provider
 * that is at most two typing errors away, or the same name with its ending repaired. Undefined when
 * nothing comes close. It is only ever offered: a company may well have such a name.
 */
export function likelyDomain(domain: string): string | undefined {
  if (PROVIDERS.includes(domain)) return undefined;
  const near = PROVIDERS.map((provider) => ({ provider, errors: typingErrors(domain, provider) }))
    .filter(({ provider, errors }) => errors <= (provider.length < 8 ? 1 : 2))
    .toSorted((one, other) => one.errors - other.errors)[0];
  return near?.provider ?? withRepairedEnding(domain);
}

/** The most used first: of two that are equally near, the first is offered. */
const PROVIDERS = [
  "gmail.com",
  "outlook.com",
  "hotmail.com",
  "yahoo.com",
  "icloud.com",
  "live.com",
  "aol.com",
  "gmx.de",
  "web.de",
  "gmx.net",
  "gmx.at",
  "gmx.ch",
  "gmx.com",
  "t-online.de",
  "freenet.de",
  "googlemail.com",
  "proton.me",
  "protonmail.com",
  "orange.fr",
  "wanadoo.fr",
  "free.fr",
  "laposte.net",
  "sfr.fr",
  "hotmail.fr",
  "outlook.fr",
  "yahoo.fr",
  "hotmail.es",
  "outlook.es",
  "yahoo.es",
  "hotmail.de",
  "outlook.de",
  "yahoo.de",
  "hotmail.co.uk",
  "yahoo.co.uk",
  "btinternet.com",
  "msn.com",
  "me.com",
  "mail.com",
  "comcast.net",
  "fastmail.com",
  "zoho.com",
  "libero.it",
];

/** Endings that no registry issues, or that are rare beside the one that they resemble. */
const ENDINGS: Record<string, readonly string[]> = {
  com: ["con", "cmo", "ocm", "comm", "coom", "cpm", "cim", "vom", "xom", "cm", "om", "co"],
  net: ["nte", "ent", "met", "nett", "ner"],
  org: ["ogr", "rog", "orgg", "prg"],
  de: ["dee", "dw", "ded"],
  fr: ["ffr", "rf", "frr"],
  es: ["ess", "ees"],
};

function withRepairedEnding(domain: string): string | undefined {
  const dot = domain.lastIndexOf(".");
  const written = domain.slice(dot + 1);
  const meant = Object.keys(ENDINGS).find((ending) => ENDINGS[ending]!.includes(written));
  return meant && `${domain.slice(0, dot)}.${meant}`;
}

/** Counts missing, added, wrong and swapped letters: the optimal string alignment distance. */
function typingErrors(written: string, meant: string): number {
  // Domains are long, providers are not; the table would be in vain.
  if (Math.abs(written.length - meant.length) > 2) return Infinity;
  const rows: number[][] = [Array.from({ length: meant.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= written.length; row += 1) {
    const [above, twoAbove] = [rows[row - 1]!, rows[row - 2]];
    const current = [row];
    for (let column = 1; column <= meant.length; column += 1) {
      const isSame = written[row - 1] === meant[column - 1];
      const isSwapped =
        written[row - 1] === meant[column - 2] && written[row - 2] === meant[column - 1];
      current.push(
        Math.min(
          above[column]! + 1,
          current[column - 1]! + 1,
          above[column - 1]! + (isSame ? 0 : 1),
          isSwapped && twoAbove !== undefined ? twoAbove[column - 2]! + 1 : Infinity,
        ),
      );
    }
    rows.push(current);
  }
  return rows.at(-1)!.at(-1)!;
}
