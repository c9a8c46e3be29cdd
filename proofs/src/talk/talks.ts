import type { Session } from "@svc/contract/types";

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

/** A typed talk, with a browser or without. */
interface TextVisitorInTalk {
  /** Says it, and waits until it is answered. */
  ask(text: string): Promise<void>;
  lastHeard(): Promise<string> | string;
  /** It is asked for the address on a card. */
  hasCard(): Promise<boolean> | boolean;
}

/** Talks until the email card is open. */
export async function talkInText(visitor: TextVisitorInTalk, talk: Talk): Promise<void> {
  const said: string[] = [];
  while (!(await visitor.hasCard())) {
    const question = (await visitor.lastHeard()).match(/[^.!?]*\?/g)?.at(-1) ?? "";
    const answer = talk.answers.find(
      ([asked, text]) => asked.test(question) && !said.includes(text),
    );
    const line = answer?.[1] ?? talk.asks.find((text) => !said.includes(text));
    if (line === undefined) throw new Error("no email card was opened");
    said.push(line);
    await visitor.ask(line);
  }
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

/** A visitor's side of a whole demo by voice, line by line. */
export interface VoiceTalk {
  language: string;
  metadata: Record<string, string>;
  /** Confirmed on the card. */
  email: string;
  /** Its answer is heard to the end. */
  question?: string;
  /** Its answer is cut. */
  cutQuestion: string;
  /** Cuts it, and brings the card. */
  asksForEmail: string;
  goodbye: string;
}

export const ENGLISH: Required<VoiceTalk> = {
  language: "en",
  metadata: { plan: "trial" },
  email: "dana@example.com",
  // Its answer is heard to the end, and so the slide at the end of it is seen.
  question: "How do I add it to my page?",
  cutQuestion: "What do I get after a session?",
  asksForEmail: "I would like you to send me something so please email me.",
  // A recogniser spells the "goodbye" of a synthetic voice in many ways.
  goodbye: "I think that is all.",
};

export const GERMAN: Required<VoiceTalk> = {
  language: "de",
  metadata: { plan: "trial" },
  email: "jonas@example.com",
  question: "Wie baue ich das in meine Seite ein?",
  cutQuestion: "Was bekomme ich nach einer Sitzung?",
  asksForEmail: "Bitte schicken Sie mir etwas per E-Mail.",
  goodbye: "Vielen Dank und auf Wiedersehen.",
};

export function linesOf({ question, cutQuestion, asksForEmail, goodbye }: VoiceTalk): string[] {
  return [...(question === undefined ? [] : [question]), cutQuestion, asksForEmail, goodbye];
}

/** Words of the machinery. None of them is ever said or written to a visitor. */
const MACHINERY = [
  "show_content",
  "ask_email",
  "search_knowledge",
  "talk_to_a_person",
  "end_session",
  "minutes_left",
  "⟦",
  "[event",
  "[state",
  "# Knowledge",
  "card_result",
  "quick_reply",
  '{"',
];

/** What is in a transcript and must not be. */
export function findLeaks(transcript: Session["transcript"] = [], email: string): string[] {
  return transcript.flatMap(({ role, content }) => {
    const words = MACHINERY.filter((word) => content.includes(word));
    // A card's address is no turn: the visitor never said it.
    const card = role === "user" && content.trim() === email ? ["the card's address"] : [];
    return [...words, ...card];
  });
}
