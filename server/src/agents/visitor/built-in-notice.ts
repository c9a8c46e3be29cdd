/**
 * What visitors read before they start where the agent says nothing of its own: that an AI speaks,
 * and what is kept. In English where the language has none.
 */
export function builtInNotice(language: string): string {
  return NOTICES.get(language.split("-", 1)[0]!) ?? ENGLISH;
}

const ENGLISH =
  "You are about to talk with an AI, not with a person. The text of the conversation is kept and read by the people whose product it is about; its sound is not kept.";

const NOTICES: ReadonlyMap<string, string> = new Map([
  ["en", ENGLISH],
  [
    "de",
    "Sie sprechen gleich mit einer KI, nicht mit einem Menschen. Der Text des Gesprächs wird aufbewahrt und von denen gelesen, um deren Produkt es geht; der Ton wird nicht aufbewahrt.",
  ],
  [
    "fr",
    "Vous allez parler avec une IA, pas avec une personne. Le texte de la conversation est conservé et lu par l’équipe dont le produit vous est présenté ; le son n’est pas conservé.",
  ],
  [
    "es",
    "Va a hablar con una IA, no con una persona. El texto de la conversación se guarda y lo lee el equipo cuyo producto se presenta; el sonido no se guarda.",
  ],
]);
