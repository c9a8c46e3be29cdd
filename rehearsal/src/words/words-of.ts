/** The words and numbers of a text, folded. An apostrophe or hyphen inside belongs to the word. */
export function wordsOf(text: string): string[] {
  return text.normalize("NFKC").toLowerCase().replaceAll("’", "'").match(WORD) ?? [];
}

const WORD = /[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*/gu;

/** The languages that the rules know. */
export const languages = ["en", "de", "fr", "es"] as const;
export type Language = (typeof languages)[number];

/** By its small words, of which there must be some; undefined when they do not tell. */
export function languageOf(words: readonly string[], atLeast = 1): Language | undefined {
  const counts = { en: 0, de: 0, fr: 0, es: 0 };
  for (const word of words) {
    for (const language of languagesOf.get(word) ?? []) counts[language] += 1;
  }
  const [best, next] = languages.toSorted((one, other) => counts[other] - counts[one]);
  return counts[best!] >= Math.max(atLeast, atLeast * counts[next!], counts[next!] + 1)
    ? best
    : undefined;
}

/** True for a word of which every text is full, in any of the languages. */
export function isSmallWord(word: string): boolean {
  return languagesOf.has(word);
}

/** Small words that carry no content; the most frequent of each language, which tell it from the others. */
const smallWords: Record<Language, string> = {
  en: `a about all also am an and any are as at be been but by can could did do does for from get had has have he her
    him his how i i'm if in into is it it's its just like me my no not now of on or our out she so some than that the
    their them then there they this to up us was we were what when where which who why will with would yes you your`,
  de: `aber alle als also am an auch auf aus bei bin bis da damit das dass dem den denn der des die doch dort du ein
    eine einem einen einer er es für gibt habe haben hat ich ihr ihre ihnen im in ist ja kann können man mein meine mir
    mit nach nein nicht noch nur oder ob schon sehr sich sie sind so um und uns unser unsere vom von vor war was wenn
    werden wie wir wird wo zu zum zur über`,
  fr: `ai alors au aussi aux avec avez avons bien c'est ce cela ces cette comme d'un d'une dans de des donc du elle en
    est et il ils j'ai je la le les leur lui mais me mes moi mon même ne nos notre nous on ou où par pas peu plus pour
    qu'est que quel quelle qui sa sans se ses si son sont sur ta te tout très tu un une vos votre vous y à ça être`,
  es: `a al algo ante como con cual cuando de del desde donde dos el ella ellos en entre era es esa ese eso esta este
    esto está estamos estoy gracias ha hasta hay la las le les lo los me mi mis muy más nada ni no nos nosotros nuestra
    nuestro o para pero por porque que quien qué se ser si sin sobre son soy su sus sí también tenemos tengo tiene todo
    tu un una uno usted y ya yo`,
};

const languagesOf = new Map<string, Language[]>();
for (const language of languages) {
  for (const word of smallWords[language].split(/\s+/)) {
    languagesOf.set(word, [...(languagesOf.get(word) ?? []), language]);
  }
}

/** Of the words of a text, those that say what it is about, cut to their stems. */
export function contentWords(words: readonly string[]): Set<string> {
  return new Set(words.filter((word) => word.length > 2 && !isSmallWord(word)).map(stem));
}

/** How many of the words are among the others. */
export function shared(words: Set<string>, others: Set<string>): number {
  let count = 0;
  for (const word of words) if (others.has(word)) count += 1;
  return count;
}

/** "visitors" and "visit" are one word to the rules. */
function stem(word: string): string {
  return word.replace(/s$/, "").slice(0, 5);
}

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

/** A number, in digits or in words. */
export const AMOUNT: RegExp =
  /\d|hundert|tausend|(?<!\p{L})(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|fifty|hundreds?|thousands?|millions?|dozens?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|fünfzig|millionen|deux|trois|quatre|cinq|sept|huit|neuf|onze|douze|dizaines?|vingt|cinquante|cents?|mille|milliers?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|veinte|cincuenta|cien|cientos|mil|miles|millón)(?!\p{L})/iu;

/** A month, a season, a "next week" or an "as soon as possible". */
export const TIME: RegExp = phrasePattern(
  `january, february, march, april, may, june, july, august, september, october, november, december,
  today, tomorrow, now, asap, soon, immediately, right away, next*, this week, this month, this quarter, this year,
  days, weeks, months, spring, summer, autumn, winter, q1, q2, q3, q4,
  januar, februar, märz, mai, juni, juli, oktober, dezember, heute, morgen, sofort, bald, möglichst, nächst*,
  tagen, wochen, monaten, dieses jahr, frühjahr, frühling, sommer, herbst, quartal,
  janvier, février, mars, avril, juin, juillet, août, septembre, octobre, novembre, décembre, aujourd'hui, demain,
  bientôt, dès que, tout de suite, plus tôt, prochain*, jours, semaines, cette année, printemps, été, automne, hiver,
  enero, febrero, marzo, abril, mayo, junio, julio, agosto, septiembre, octubre, noviembre, diciembre, hoy, mañana,
  pronto, que viene, cuanto antes, enseguida, próxim*, días, semanas, meses, este año, primavera, verano, otoño, invierno`.split(
    ",",
  ),
);

/** A sentence longer than this is cut at a word: a quote is to be read, not a whole speech. */
const LONGEST = 240;

/** The sentences of a text, as they stand in it. */
export function sentences(text: string): string[] {
  return text
    .trim()
    .split(/(?<=[.!?…。！？]["”“»’)]?)\s+/u)
    .filter((sentence) => sentence !== "")
    .map(shortened);
}

export function isQuestion(sentence: string): boolean {
  return /[?？]["”“»’)]?$/u.test(sentence);
}

function shortened(sentence: string): string {
  if (sentence.length <= LONGEST) return sentence;
  const space = sentence.lastIndexOf(" ", LONGEST);
  return sentence.slice(0, space > 0 ? space : LONGEST).toWellFormed();
}
