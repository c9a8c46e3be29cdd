import { foldWord } from "./folding.ts";

/** What a word adds to a number that is spelled out, or multiplies it by; `and` only joins. */
export type NumberWord = { plus: number } | { times: number; needsNumber?: boolean } | "and";

export type NumberWords = (word: string) => NumberWord | undefined;

/** Number words of one language, folded. Of a language that is not here none are known. */
export function numberWordsOf(language: string): NumberWords {
  const words = tables.get(language);
  if (words === undefined) return () => undefined;
  return language === "de" ? (word) => words.get(word) ?? germanThousands(word) : get(words);
}

/** The number words of all languages together: what was said in one language may be written down in another. */
export const anyNumberWord: NumberWords = (word) => everyWord.get(word) ?? germanThousands(word);

function get(words: Map<string, NumberWord>): NumberWords {
  return (word) => words.get(word);
}

/** From zero upwards, a space between numbers, and / between words for the same one. */
const ENGLISH = `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
  sixteen seventeen eighteen nineteen`;
const GERMAN = `null ein/eins/eine/einen/einem/einer zwei/zwo drei vier fünf sechs sieben acht neun zehn elf zwölf
  dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn`;
const FRENCH = `zéro un/une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize`;
const SPANISH = `cero uno/un/una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince
  dieciséis diecisiete dieciocho diecinueve veinte veintiuno/veintiún/veintiuna veintidós veintitrés veinticuatro
  veinticinco veintiséis veintisiete veintiocho veintinueve`;

/** What follows no row, as `word=plus` and `word*times`, or `word^times` where it is nothing on its own. */
const MORE = {
  en: `twenty=20 thirty=30 forty=40 fifty=50 sixty=60 seventy=70 eighty=80 ninety=90 dozen=12 hundred*100
    thousand*1000 k^1000 million*1000000 mn^1000000 billion*1000000000 bn^1000000000`,
  de: `dutzend=12 hundert*100 tausend*1000 tsd^1000 k^1000 million*1000000 millionen*1000000 mio^1000000
    milliarde*1000000000 milliarden*1000000000 mrd^1000000000`,
  fr: `vingt=20 vingts=20 trente=30 quarante=40 cinquante=50 soixante=60 septante=70 huitante=80 octante=80 nonante=90
    dizaine=10 douzaine=12 quinzaine=15 vingtaine=20 trentaine=30 quarantaine=40 cinquantaine=50 soixantaine=60
    centaine=100 cent*100 cents*100 mille*1000 k^1000 million*1000000 millions*1000000 milliard*1000000000
    milliards*1000000000`,
  es: `treinta=30 cuarenta=40 cincuenta=50 sesenta=60 setenta=70 ochenta=80 noventa=90 docena=12 cien=100 ciento=100
    doscientos=200 trescientos=300 cuatrocientos=400 quinientos=500 seiscientos=600 setecientos=700 ochocientos=800
    novecientos=900 doscientas=200 trescientas=300 cuatrocientas=400 quinientas=500 seiscientas=600 setecientas=700
    ochocientas=800 novecientas=900 mil*1000 k^1000 millón*1000000 millones*1000000`,
};

const tables = new Map([
  ["en", table(ENGLISH, MORE.en, "and")],
  ["de", new Map([...germanHundreds(), ...table(GERMAN, MORE.de, "und")])],
  ["fr", table(FRENCH, MORE.fr, "et")],
  ["es", table(SPANISH, MORE.es, "y")],
]);
const everyWord = new Map([...tables.values()].flatMap((words) => [...words]));

function table(row: string, more: string, and: string): Map<string, NumberWord> {
  const words = new Map<string, NumberWord>([[and, "and"]]);
  for (const [value, names] of row.split(/\s+/).entries())
    for (const name of names.split("/")) words.set(foldWord(name), { plus: value });
  for (const entry of more.split(/\s+/)) {
    const [, name = "", sign, value] = /^(.+)([=*^])(.+)$/.exec(entry) ?? [];
    const number = Number(value);
    words.set(
      foldWord(name),
      sign === "=" ? { plus: number } : { times: number, needsNumber: sign === "^" },
    );
  }
  return words;
}

/** German writes what is below a thousand as one word: `hundertvierundsechzig`. */
function germanHundreds(): Map<string, NumberWord> {
  const units = GERMAN.split(/\s+/).map((names) => names.split("/")[0]!);
  const tens = `zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig`.split(" ");
  const below100 = [
    ...units.map((unit, value) => [unit, value] as const),
    ["eins", 1] as const,
    ...tens.flatMap((ten, row) =>
      units
        .slice(0, 10)
        .map(
          (unit, value) => [value > 0 ? `${unit}und${ten}` : ten, 20 + row * 10 + value] as const,
        ),
    ),
  ];
  const words = new Map<string, NumberWord>();
  for (const [word, value] of below100) words.set(foldWord(word), { plus: value });
  for (let hundreds = 1; hundreds < 10; hundreds++) {
    for (const prefix of hundreds === 1 ? ["", "ein"] : [units[hundreds]!]) {
      if (prefix !== "") words.set(foldWord(`${prefix}hundert`), { plus: hundreds * 100 });
      for (const [word, value] of below100.filter(([, rest]) => rest > 0))
        words.set(foldWord(`${prefix}hundert${word}`), { plus: hundreds * 100 + value });
    }
  }
  return words;
}

function germanThousands(word: string): NumberWord | undefined {
  const at = word.indexOf("tausend");
  if (at < 0) return undefined;
  const parts = [word.slice(0, at) || "ein", word.slice(at + "tausend".length) || "null"];
  const [thousands, rest] = parts.map((part) => tables.get("de")?.get(part));
  if (typeof thousands !== "object" || !("plus" in thousands)) return undefined;
  if (typeof rest !== "object" || !("plus" in rest)) return undefined;
  return { plus: thousands.plus * 1_000 + rest.plus };
}
