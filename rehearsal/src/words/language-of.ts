/** The languages that the rules know. */
export const languages = ["en", "de", "fr", "es"] as const;
export type Language = (typeof languages)[number];

/** By its small words; undefined when none of them tells. */
export function languageOf(words: readonly string[]): Language | undefined {
  const counts = { en: 0, de: 0, fr: 0, es: 0 };
  for (const word of words) {
    for (const language of languagesOf.get(word) ?? []) counts[language] += 1;
  }
  const [best, next] = languages.toSorted((one, other) => counts[other] - counts[one]);
  return counts[best!] > counts[next!] ? best : undefined;
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
