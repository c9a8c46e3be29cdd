/** A visitor's side of a whole demo, in one language. */
export interface Talk {
  language: string;
  /** Confirmed on the card once it is open. */
  email: string;
  /** What they answer, when they are asked. */
  answers: [asked: RegExp, answer: string][];
  /** What they say otherwise, one after the other. */
  asks: string[];
}

/** The next thing that this visitor says to what they have just heard; undefined when they are done. */
export function nextLine(talk: Talk, heard: string, said: readonly string[]): string | undefined {
  const question = heard.match(/[^.!?]*\?/g)?.at(-1) ?? "";
  const answer = talk.answers.find(([asked, text]) => asked.test(question) && !said.includes(text));
  return answer?.[1] ?? talk.asks.find((text) => !said.includes(text));
}

export const TALKS: Talk[] = [
  {
    language: "en",
    email: "dana@example.com",
    answers: [
      [/understand/i, "They should understand our garden tools before they call us."],
      [/month/i, "About 8,000 people in a month."],
      [/when|from which/i, "Next month would be good."],
    ],
    asks: [
      "Hello, please show me what you have.",
      "That looks useful.",
      "How do I add it to my page?",
      "Good.",
      "What do I get after a session?",
      "I see.",
      "Please send me something by email.",
    ],
  },
  {
    language: "de",
    email: "jonas@example.com",
    answers: [
      [/verstehen/i, "Sie sollen unsere Fahrräder verstehen, bevor sie anrufen."],
      [/Monat/i, "Ungefähr 5.000 Leute im Monat."],
      [/wann/i, "Nächsten Monat wäre gut."],
    ],
    asks: [
      "Guten Tag, was ist das genau?",
      "Das sieht nützlich aus.",
      "Wie baue ich das in meine Seite ein?",
      "Gut.",
      "Was bekomme ich nach einer Sitzung?",
      "Verstehe.",
      "Bitte schicken Sie mir etwas per E-Mail.",
    ],
  },
  {
    language: "fr",
    email: "claire@example.com",
    answers: [
      [/comprendre/i, "Ils devraient comprendre nos logiciels avant de nous appeler."],
      [/mois/i, "Environ 3000 personnes par mois."],
      [/quand/i, "Le mois prochain serait bien."],
    ],
    asks: [
      "Bonjour, montrez-moi ce que vous avez.",
      "Cela paraît utile.",
      "Comment l'ajouter à ma page ?",
      "Bien.",
      "Qu'est-ce que je reçois après une session ?",
      "Je vois.",
      "Envoyez-moi quelque chose par e-mail, s'il vous plaît.",
    ],
  },
  {
    language: "es",
    email: "lucia@example.com",
    answers: [
      [/entender/i, "Deberían entender nuestros cursos antes de llamarnos."],
      [/mes/i, "Unas 2000 personas al mes."],
      [/cuándo/i, "El mes que viene estaría bien."],
    ],
    asks: [
      "Buenos días, muéstreme lo que tiene.",
      "Parece útil.",
      "¿Cómo lo añado a mi página?",
      "Bien.",
      "¿Qué recibo después de una sesión?",
      "Ya veo.",
      "Envíeme algo por correo electrónico, por favor.",
    ],
  },
];
