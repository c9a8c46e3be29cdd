import { describe, expect, it } from "vitest";
import { checkAnswer } from "../check-answer.ts";
import type { Conversation, Rubric } from "../rubric-of.ts";
import { HONEST, isFound, published, withClaim } from "./check-under-test.ts";
import { sentencesOf } from "#language";

interface Example {
  language: string;
  heard: string[];
  /** As a good model writes, sentence by sentence. */
  honest: string;
  /** Each sentence has something that nobody said. */
  invented: string;
}

const examples: Example[] = [
  {
    language: "en",
    heard: [
      "Hi, I'm Nora from Larkspur, an AI. How many vans do you run?",
      "Thirty-four, plus two trailers. We deliver frozen fish around Aberdeen.",
      "And what do you use for routing?",
      "RouteBuddy, but drivers hate it. It crashes every Monday morning.",
      "Larkspur works offline. It is twelve pounds per van and month.",
      "That's a lot. Priya, our controller, has to sign off before June.",
    ],
    honest: `The visitor delivers frozen fish around Aberdeen with 34 vans and two trailers. Their current tool, RouteBuddy,
      crashes every Monday morning, and the drivers dislike it. Nora explained that Larkspur works offline. Price is the
      main objection: at 12 pounds per van and month they find it expensive. Priya, the controller, must approve the
      purchase before June. Overall, a promising lead with a clear pain point. Drivers are unhappy with the current
      routing tool. Reliability seems to matter more than cost. Next step: send an offer to the controller. Frozen fish
      delivery company looking for better routing. Decision expected before June. Thirty-four vans would be equipped.`,
    invented: `They run 43 vans. Their base is Dundee. RouteBuddy crashes every Friday. The drivers prefer OptimoRoute. It is
      15 pounds per van. Priya Sharma signs off. They decide in July. Write to priya@fish.example. Graham called twice.
      They have five trailers. Waitrose is a customer of theirs. They need ISO27001. The code is X Q Z. See
      larkspur.example/prices for more. Their turnover is two million.`,
  },
  {
    language: "de",
    heard: [
      "Guten Tag, ich bin Falk, die KI von Taktwerk. Wie viele Praxen betreuen Sie?",
      "Achtzehn, alle rund um Kassel. Die Abrechnung läuft über MediDoc, und das dauert ewig.",
      "Was kostet Sie am meisten Zeit?",
      "Die Rückfragen der Kassen, bestimmt sechs Stunden in der Woche. Unsere Frau Nowak macht das.",
      "Taktwerk prüft jede Rechnung vorher, das kostet 89 Euro im Monat.",
      "Das klingt gut, aber vor September geht nichts, da ist der Umzug.",
    ],
    honest: `Der Interessent betreut 18 Praxen rund um Kassel. Die Abrechnung läuft derzeit über MediDoc und dauert sehr lange.
      Am meisten Zeit kosten die Rückfragen der Kassen: rund 6 Stunden pro Woche. Zuständig dafür ist Frau Nowak. Falk
      erklärte, dass Taktwerk jede Rechnung vorab prüft und 89 Euro im Monat kostet. Vor September ist wegen des Umzugs
      kein Start möglich. Insgesamt ein guter Kontakt mit klarem Bedarf. Nächster Schritt: Angebot im September. Hoher
      Zeitaufwand, konkretes Problem. Für das Team zählt vor allem die Zeitersparnis. Vielen Dank für das Gespräch! Wir
      melden uns gerne nach Ihrem Umzug. Die Entscheidung hängt vom Umzug ab.`,
    invented: `Er betreut 80 Praxen. Herr Kowal macht das. Zuständig ist Ulrike Brandt. Ulrike Brandt entscheidet. Die Praxen nutzen
      SAP. Die Firma Compugroup liefert die Software. Start ist im Oktober. Am Mittwoch folgt ein Termin. Es kostet 98
      Euro. Schreiben Sie an info@praxis.example. Dr. Hartwig leitet die Praxis. Sie nutzen außerdem DocPlanner. Das
      sind sieben Stunden. Die Kassen zahlen zwanzigtausend Euro.`,
  },
  {
    language: "fr",
    heard: [
      "Bonjour, je suis Maël, l'IA de Vergers. Combien d'hectares avez-vous ?",
      "Une soixantaine, des pommes surtout, près d'Angers.",
      "Comment suivez-vous vos récoltes ?",
      "Sur papier. On a essayé AgriSuite en 2024, mais personne ne s'en servait.",
      "Avec Vergers, tout se fait à la voix, pour vingt-neuf euros par mois.",
      "Pourquoi pas, mais mon frère Loïc doit voir ça, il rentre jeudi.",
    ],
    honest: `Le prospect exploite environ 60 hectares de pommiers près d'Angers. Les récoltes sont suivies sur papier. En 2024,
      l'exploitation a essayé AgriSuite, sans succès. Maël a expliqué que tout se fait à la voix, pour 29 euros par mois.
      Son frère Loïc, qui rentre jeudi, doit donner son accord. Il n'y a pas d'objection sur le prix. Exploitation
      intéressée, mais la décision reste ouverte. Prochaine étape : une démonstration avec Loïc. L'essai précédent
      explique la prudence. Merci pour cet échange. Bonne continuation à vous et à votre frère. Pommes surtout, sur une
      soixantaine d'hectares.`,
    invented: `Il exploite 70 hectares. La ferme est à Saumur. Son frère Thomas décide. Ils ont essayé AgriSuite en 2022. Loïc
      rentre mardi. Ils utilisent Isagri. Le prix est de trente euros. Écrivez à ferme@pommes.example. Camille veut une
      démonstration. La récolte commence en août. Carrefour achète leurs pommes. Le terrain vaut deux millions.`,
  },
  {
    language: "es",
    heard: [
      "Hola, soy Lía, la IA de Faro. ¿Cuántas habitaciones tiene el hotel?",
      "Cuarenta y dos, en Cudillero, frente al puerto.",
      "¿Cómo gestionan las reservas?",
      "Con HotelMax, pero se cae cada dos por tres. En agosto perdimos quince reservas.",
      "Faro funciona también sin conexión. Cuesta 120 euros al mes.",
      "Me interesa. Tendría que verlo Nuria, mi socia, el viernes.",
    ],
    honest: `El visitante dirige un hotel de 42 habitaciones en Cudillero. Gestiona las reservas con HotelMax, que falla a menudo.
      En agosto perdieron 15 reservas. Lía explicó que Faro funciona sin conexión y cuesta 120 euros al mes. Su socia
      Nuria tendría que verlo el viernes. Mostró un interés claro. Buen candidato, con una necesidad urgente. Próximo
      paso: una demostración con Nuria. También valoró que funcione sin conexión. No hubo objeciones sobre el precio.
      Gracias por su tiempo. Hotel frente al puerto. Hablaron de las caídas del sistema.`,
    invented: `El hotel tiene 52 habitaciones. Está en Gijón. Su socia Marta decide. En julio perdieron reservas. Usan Cloudbeds.
      Cuesta 150 euros. Lo verá el martes. Escriba a nuria@hotel.example. Perdieron dieciséis reservas. Joaquín quiere
      una demo. Booking les cobra mucho. El hotel factura un millón.`,
  },
];

function lostOf({ language, heard }: Example, summary: string): Set<number> {
  const rubric: Rubric = {
    names: [],
    languages: [language],
    defaultLanguage: language,
    recordLanguage: language,
    questions: [],
    insights: [],
    knowledge: [],
  };
  const conversation: Conversation = {
    metadata: {},
    turns: heard.map((content, index) => ({
      role: index % 2 === 0 ? "assistant" : "user",
      content,
      interrupted: false,
    })),
  };
  const answer = {
    language,
    customerName: undefined,
    questions: new Map(),
    insights: new Map(),
    prospectQuestions: [],
    objections: [],
    qualification: undefined,
    toTheJudge: [],
    conversationSummary: summary,
    summary: "",
    prospectSummary: "",
    dropped: [],
  };
  const { dropped } = checkAnswer(answer, rubric, conversation, isFound);
  return new Set(dropped.map(({ where }) => Number(/\d+/.exec(where)?.[0])));
}

describe.each(examples)("a summary in $language", (example) => {
  const flat = (text: string): string => text.replace(/\s+/g, " ");

  it("keeps what is true", () => {
    const sentences = sentencesOf(flat(example.honest), example.language);
    const lost = lostOf(example, flat(example.honest));
    expect(sentences.filter((_, index) => lost.has(index))).toEqual([]);
    expect(sentences.length).toBeGreaterThan(10);
  });

  it("loses what is made up", () => {
    const sentences = sentencesOf(flat(example.invented), example.language);
    const lost = lostOf(example, flat(example.invented));
    expect(sentences.filter((_, index) => !lost.has(index))).toEqual([]);
    expect(sentences.length).toBeGreaterThan(10);
  });
});

describe("a summary", () => {
  it("loses the sentences with facts from nowhere, and keeps the others", () => {
    const { summary, dropped } = published({
      ...HONEST,
      conversation_summary:
        "They use ZenQueue. Their CEO is Tom Baker. They pay 90 dollars. Lindqvist audits Tidepool. It runs in Frankfurt.",
    });
    expect(summary).toBe("They use ZenQueue. Lindqvist audits Tidepool. It runs in Frankfurt.");
    expect(dropped).toEqual([
      { where: "conversation_summary[1]", why: "not_shown" },
      { where: "conversation_summary[2]", why: "not_shown" },
    ]);
  });

  it("is absent when nothing of it is left", () => {
    const { summary, evaluation } = published({
      ...HONEST,
      conversation_summary: "They pay 90 dollars.",
      summary: "Their CEO is Tom Baker.",
      prospect_summary: "Write to tom@example.org.",
    });
    expect(summary).toBeUndefined();
    expect(evaluation).not.toHaveProperty("summary");
    expect(evaluation).not.toHaveProperty("prospect_summary");
  });

  it("does not tell the prospect how they were judged", () => {
    const to = (prospect_summary: string): string | undefined =>
      withClaim({ prospect_summary }).evaluation.prospect_summary;
    expect(to("Thank you. We want a team of ten or more.")).toBe("Thank you.");
    expect(to("Thank you. How many people would use... it?")).toBe("Thank you.");
    expect(to("We noted where the team works from.")).toBeUndefined();
    expect(to("Your team works from your office.")).toBe("Your team works from your office.");
    expect(to("Thank you. You judge one finished conversation.")).toBe("Thank you.");
  });
});
