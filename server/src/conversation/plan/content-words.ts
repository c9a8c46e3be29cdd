import type { DemoAgent } from "../conversation.ts";

/** The words of a text that say what it is about, cut to their stems: "visitors" and "visit" are one. */
export function contentWords(text: string): Set<string> {
  const words = new Set<string>();
  for (const [word] of text.normalize("NFKC").toLowerCase().matchAll(WORD))
    if (word.length > 3 && !SMALL_WORDS.has(word)) words.add(word.slice(0, STEM));
  for (const [number] of text.matchAll(/\d+/g)) words.add(number);
  return words;
}

export function sharedCount(words: Set<string>, others: Set<string>): number {
  let count = 0;
  for (const word of words) if (others.has(word)) count += 1;
  return count;
}

const STEM = 5;
const WORD = /\p{L}[\p{L}\p{M}]*/gu;

/** Words of four letters and more of which every text is full, in any of the four languages. */
const SMALL_WORDS = new Set(
  `about above after again also although always another because been before being below between both cannot could does
  doing done down during each either else ever every from further give given going have having here hers high himself
  however into itself just know less like made make many maybe might mine more most much must myself need neither never
  next none nothing often once only other others ours over please quite rather really same shall should since some
  something soon still such take tell than thank thanks that their them then there these they thing things this those
  though through together towards under until upon used very want wanted well were what when where whether which while
  whom whose will with within without would your yours yourself
  aber alle allem allen aller alles also ander andere anderen auch bald beim bereits bitte dabei dadurch dafür dann daran
  darauf daraus darin darum dass davon dazu dein deine dem denen denn deren deshalb dessen dich diese diesem diesen dieser
  dieses doch dort durch eben eher eigentlich eine einem einen einer eines einfach einige einmal etwa etwas euch euer eure
  falls ganz gegen genau gerade gern gerne gibt habe haben hast hatte hätte hätten heute hier hinter ihnen ihre ihrem
  ihren ihrer immer indem irgendwie jede jedem jeden jeder jedes jedoch jemand jetzt kann kein keine keinen könnte könnten
  können lassen machen macht mehr mein meine meinem meinen meist mich möchte möchten möchtest muss müssen nach nachdem
  nehmen nicht nichts noch oder ohne schon sehr sein seine seinem seinen seiner seit selbst sich sicher sind sogar soll
  sollen sollte sollten sonst über überhaupt unser unsere unserem unseren unter viel viele vielen vielleicht vier vor wann
  warum weil weiter welche welchem welchen welcher welches wenig wenn werde werden weniger wird wirklich wissen wohl wollen
  worden wozu wurde würde würden zwar zwischen
  afin ainsi alors après assez aucun aucune aussi autre autres avant avec avez avoir avons beaucoup bien ceci cela celle
  celui cette ceux chaque chez chose choses combien comme comment contre dans déjà depuis devez devraient devrait doit doivent dernier donc dont elle elles
  encore entre êtes être fait faire faut guère ici jamais jusque leur leurs lors mais même mêmes mieux moins notre nous
  parce parfois peut peuvent plus plusieurs plutôt pour pourquoi pouvez pouvoir quand quel quelle quelles quels quelque
  quelques quoi sans savoir selon sera seront seulement soit sommes sont sous souhaitez souvent sujet surtout tous tout
  toute toutes très trop vers voici voilà voir vont votre vouloir voulez vous vraiment
  además ahora algo alguien algún alguna algunas alguno algunos allí ambos ante antes aquel aquella aquí aunque bastante
  bien cada casi como cómo contra cosa cosas cuál cual cuales cualquier cuando cuándo cuánto cuanta cuántos cuántas dado
  debe deben debería deberían debemos decir dentro desde después donde dónde durante ella ellas ellos entonces entre eran eres esas esos esta está
  estas este esto estos están estoy gracias gusta gustaría haber hace hacen hacer hacia hasta incluso jamás luego menos
  mientras misma mismo mucha muchas mucho muchos nada nadie ninguna ninguno nosotros nuestra nuestras nuestro nuestros nunca
  otra otras otro otros para pero poco poder podría porque pueda puede pueden pues puedo quién quiere quieren quiero quizás
  respecto saber según ser será sido siempre sobre solo sólo somos suyo también tampoco tanto tener tengo tiene tienen
  todas todavía todo todos tras unas unos usted ustedes varias varios vosotros`.split(/\s+/),
);

const readWords = new WeakMap<DemoAgent, Set<string>>();

/** Whether the agent's names or its knowledge have this word. */
export function isOnTopic(word: string, agent: DemoAgent): boolean {
  const words = readWords.get(agent) ?? wordsOf(agent);
  readWords.set(agent, words);
  const [stem] = contentWords(word);
  return stem !== undefined && words.has(stem);
}

function wordsOf({ config, knowledge }: DemoAgent): Set<string> {
  const texts = [config.name, config.brand.name, ...knowledge.map(({ text }) => text)];
  return contentWords(texts.join("\n"));
}

const readSections = new WeakMap<DemoAgent, { name: string; words: Set<string> }[]>();

/** Names of the sections that a text draws on, by the words they share; at most two. */
export function sectionsUsed(text: string, agent: DemoAgent): string[] {
  const sections =
    readSections.get(agent) ??
    agent.knowledge.map(({ name, text: body }) => ({ name, words: contentWords(body) }));
  readSections.set(agent, sections);
  const said = contentWords(text);
  const scored = sections
    .map(({ name, words }) => ({ name, score: sharedCount(said, words) }))
    .filter(({ score }) => score >= FEWEST_WORDS && score >= said.size / 3)
    .toSorted((one, other) => other.score - one.score);
  const best = scored[0]?.score ?? 0;
  return scored
    .filter(({ score }) => score >= best * 0.8)
    .slice(0, 2)
    .map(({ name }) => name);
}

const FEWEST_WORDS = 3;
