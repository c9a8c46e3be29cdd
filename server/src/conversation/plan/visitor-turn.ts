import { fold } from "#language";
import type { VisitorKind } from "./goal.ts";
import { hasQuestionMark } from "./same-question.ts";

export interface VisitorTurn {
  kind: VisitorKind;
  /** They take their leave. */
  isFarewell: boolean;
}

/**
 * What a turn of the visitor's is, by words of four languages.
 *
 * @param isOnTopic whether the agent's own texts have a word: a question about the weather is no
 * small talk to a forecaster.
 */
export function readVisitorTurn(
  text: string,
  isOnTopic: (word: string) => boolean = () => false,
): VisitorTurn {
  const folded = fold(text);
  const isQuestion = hasQuestionMark(text) || opensAQuestion(text);
  const offTopic = OFF_TOPIC.exec(folded)?.[1];
  let kind: VisitorKind = isQuestion ? "question" : "statement";
  if (offTopic !== undefined && !isOnTopic(offTopic)) kind = "off_topic";
  if (ASKS_IF_HUMAN.test(folded)) kind = "asks_if_human";
  if (HOSTILE.test(folded)) kind = "hostile";
  return { kind, isFarewell: !isQuestion && kind !== "hostile" && FAREWELL.test(folded) };
}

/** People who type leave out question marks. */
function opensAQuestion(text: string): boolean {
  return text.split(/[.!;:\n]+/u).some((part) => OPENS_A_QUESTION.test(fold(part)));
}

/** Behind "and", "okay" and the like. What follows "when" tells a question from "when we are ready". */
const OPENS_A_QUESTION = new RegExp(
  String.raw`^ (?:(?:and|so|but|ok|okay|well|hi|hello|und|also|aber|na|hallo|et|alors|mais|bonjour|y|pero|entonces|hola) )*(?:` +
    [
      String.raw`(?:what|how|when|where|who|why|which)(?: \S+)? (?:s|is|are|do|does|did|can|could|would|will|should|has|have)`,
      String.raw`how (?:much|many|long|soon|often)`,
      String.raw`(?:is|are|do|does|did|can|could|would|will|should|has|have) (?:i|it|this|that|there|you|they|we|your|the|a|an)`,
      String.raw`(?:please )?(?:show|tell|explain|describe)(?: me| us)?(?= )`,
      String.raw`(?:was|wie|wann|wo|wer|warum|wieso|weshalb|welche[mnrs]?|wieviele?) (?!(?:wir|ich|ihr|man|die|der|den|dem|eine?|unsere?[mnrs]?|mein|meine) )`,
      String.raw`(?:ist|sind|kann|können|könnt|könnten|gibt|hat|haben|habt|wird|werden|darf|muss|müssen|läuft|funktioniert|kostet) (?:das|es|ich|man|sie|ihr|wir|du|die|der|ein|eine)`,
      String.raw`(?:bitte )?(?:zeig|zeige|zeigen sie|erklär|erkläre|erklären sie|erzähl|erzählen sie)(?= )`,
      String.raw`(?:combien|comment|pourquoi|où|qu est ce|est ce|c est quoi|peut on|puis je|pouvez vous|avez vous|y a t il|est il)`,
      String.raw`(?:quand|quel|quelles?|quels|qui) (?!(?:nous|on|je|notre|nos) )`,
      String.raw`(?:montrez|montre|expliquez|explique|parlez|dites)(?: moi| nous)`,
      String.raw`(?:qué|cómo|cuándo|cuánt[oa]s?|dónde|quién|cuál|cuáles|por qué)`,
      String.raw`(?:cuanto|como) (?:cuesta|vale|funciona|se|puedo)|(?:puedo|puede|pueden|hay|tiene|tienen|es posible) `,
      String.raw`(?:muéstreme|muéstrame|explíqueme|explícame|cuénteme|cuéntame|dígame|dime)`,
    ].join("|") +
    `)`,
  "u",
);

const ASKS_IF_HUMAN = new RegExp(
  [
    String.raw` (?:are you|is this|is that|am i (?:talking|speaking|chatting) (?:to|with))(?: just| really| actually)?(?: an?| the)?(?: real| actual| live)* (?:human|person|robot|bot|chatbot|ai|machine|computer|real) `,
    String.raw` (?:bist du|sind sie|ist das|spreche ich (?:hier )?mit|rede ich (?:hier )?mit|chatte ich mit)(?: denn| hier| wirklich| eigentlich)*(?: eine?[mnr]?)?(?: echte?[mnrs]?| richtige?[mnrs]?)* (?:mensch|menschen|person|roboter|bot|chatbot|ki|maschine|computer|echt) `,
    String.raw` (?:êtes vous|vous êtes|es tu|tu es|est ce|c est|je parle (?:à|avec))(?: vraiment)?(?: une?)?(?: vraie?)* (?:humain|humaine|personne|robot|bot|chatbot|ia|machine|ordinateur) `,
    String.raw` (?:eres|es usted|es esto|esto es|hablo con|estoy hablando con)(?: realmente| de verdad)?(?: una?)? (?:humano|humana|persona|robot|bot|chatbot|ia|máquina|ordenador)(?: real| de verdad)? `,
  ].join("|"),
  "u",
);

const HOSTILE =
  wordPattern(`idiot idiots stupid moron dumb shit bullshit fuck fucking asshole bastard crap garbage useless
  shut|up piece|of|junk hate|you
  dumm blöd blödsinn scheiße scheiss scheiß arschloch idioten trottel schwachsinn halt|die|klappe halts|maul müll
  nutzlos verarschen
  connard connasse merde putain stupide débile imbécile ta|gueule ferme|la nul|à|chier inutile
  idiota estúpido estúpida imbécil mierda joder puta gilipollas cállate basura inútil`);

const OFF_TOPIC =
  wordPattern(`weather joke poem recipe football soccer president election politics horoscope homework bitcoin
  lottery pizza song
  wetter witz gedicht rezept fußball präsident wahl wahlen politik horoskop hausaufgaben lotto lied
  météo blague poème recette football président élection élections politique horoscope devoirs loterie chanson
  chiste poema receta fútbol presidente elecciones política horóscopo deberes lotería canción`);

const FAREWELL =
  wordPattern(`bye goodbye see|you|soon see|you|later that|s|all that|is|all that|will|be|all nothing|else i|have|to|go i|ve|got|to|go gotta|go
  i|must|go talk|to|you|later
  tschüss tschüß tschau auf|wiedersehen bis|bald das|war|s das|wars das|wär|s das|wäre|alles das|ist|alles das|war|alles mehr|nicht sonst|nichts
  ich|muss|los ich|muss|weg
  au|revoir à|bientôt c|est|tout ce|sera|tout rien|d|autre je|dois|y|aller je|dois|partir bonne|journée
  adiós hasta|luego hasta|pronto eso|es|todo es|todo nada|más tengo|que|irme me|tengo|que|ir debo|irme`);

/** A space between phrases, | between the words of one. */
function wordPattern(phrases: string): RegExp {
  const each = phrases.split(/\s+/).map((phrase) => fold(phrase.replaceAll("|", " ")).trim());
  return new RegExp(` (${each.join("|")}) `, "u");
}
