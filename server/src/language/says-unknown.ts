import { fold } from "./folding.ts";

/**
 * Whether a speaker says that they do not know something: "I don't know whether …", "das kann ich Ihnen nicht sagen". In the
 * languages that most agents speak; others are told by the model alone.
 */
export function saysUnknown(text: string): boolean {
  return UNKNOWN.test(fold(text));
}

const ENGLISH = [
  "i (?:honestly |really |simply )?(?:don t|do not) (?:actually |really )?know",
  "i (?:don t|do not) have (?:that|this|any|the|an|a|enough|more) (?:information|details?|figures?|answer|data|numbers?|specifics)",
  "i have no (?:information|details?|figures?|data|answer)",
  "i (?:can t|cannot|can not|couldn t|could not) (?:tell you|say (?:for|with|whether|if)|answer (?:that|this)|confirm)",
  "i (?:m|am) not (?:sure|certain) (?:whether|if|about|how|what|when|which)",
  "(?:something|that s what|that is what) i (?:don t|do not) know",
  "(?:won t|rather not|not going to|don t want to) guess",
];
const GERMAN = [
  "ich (?:das |es |leider |selbst )*nicht weiss",
  "(?:weiss ich|ich weiss) (?:das |es |leider |selbst |auch |noch )*nicht",
  "(?:kann ich|ich kann) (?:ihnen |dir |euch |das |dazu |leider |so |im moment |hier )*nicht (?:sicher |genau |verbindlich )*(?:sagen|beantworten|bestätigen)",
  "(?:habe ich|ich habe|liegen mir) (?:leider |dazu |hier )*keine (?:information|angabe|auskunft|daten|zahl|details?)",
  "ist mir (?:leider )?nicht bekannt",
  "bin ich (?:mir )?(?:leider )?nicht sicher",
];
const FRENCH = [
  "je ne (?:le |la )?sais pas",
  "je l ignore",
  "je ne (?:peux|saurais) pas (?:vous |te )?(?:le |la |l )?(?:dire|répondre|confirmer)",
  "je n ai pas (?:cette |l |d |de |la |ces )?(?:information|réponse|détail|donnée|précision)",
  "je ne suis pas (?:sûre?|certaine?)",
];
const SPANISH = [
  "no lo sé",
  "no sé (?:si|qué|cuál|cuánto|cuándo|cómo|dónde|exactamente)",
  "no sabría decir",
  "no (?:se |te |le )?(?:lo )?puedo (?:decir|confirmar|responder|asegurar)",
  "no tengo (?:esa |esta |ese |este |la |más |ninguna )?(?:información|dato|respuesta|detalle|cifra)",
  "desconozco",
];
const ITALIAN = [
  "non lo so",
  "non so (?:se|quanto|quando|come|quale|dove|dirle|dirti)",
  "non (?:le |ti |vi )?(?:lo )?posso (?:dire|dirle|dirti|confermare|rispondere)",
  "non ho (?:questa |quest |l |questo |altre )?(?:informazion|dato|risposta|dettagli)",
];
const DUTCH = [
  "(?:weet ik|ik weet) (?:dat |het |helaas |zelf |ook )*niet",
  "ik (?:dat |het |helaas )*niet weet",
  "(?:kan ik|ik kan) (?:u |je |dat |helaas )*niet (?:zeker )?(?:zeggen|beantwoorden|bevestigen)",
];
const PORTUGUESE = [
  "não sei",
  "não tenho (?:essa |esta |esse |a )?(?:informação|resposta|dado)",
  "não (?:lhe |te )?posso (?:dizer|confirmar|responder)",
];

/** On folded text, in which an apostrophe is a space and ß is ss. A word may go on: "informations". */
const UNKNOWN = new RegExp(
  ` (?:${[ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, DUTCH, PORTUGUESE].flat().join("|")})`,
  "u",
);
