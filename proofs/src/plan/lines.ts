/** What is said in a talk about airships, in one language. */
export interface Lines {
  /** Each question in two wordings, as a model might put it. */
  asks: Record<QuestionKey, [string, string]>;
  answers: Record<QuestionKey, string>;
  /** All three answers before anybody asked. */
  early: string;
  statements: string[];
  /** The knowledge has the answer, with the number in `TOLD`. */
  known: string;
  /** The knowledge does not have the answer. */
  unknown: string[];
  /** What a careless model says to that. */
  invented: string[];
  hostile: string[];
  offTopic: string[];
  contradicts: string[];
  rambles: string[];
  bye: string;
}

export type QuestionKey = "ships" | "ready" | "enjoy";
export const LANGUAGES = ["en", "de", "fr", "es"] as const;
export type Language = (typeof LANGUAGES)[number];

export const LINES: Record<Language, Lines> = {
  en: {
    asks: {
      ships: [
        "How many zeppelins do you fly today?",
        "And how many zeppelins are you flying today, roughly?",
      ],
      ready: ["When should the new mast be ready?", "By when does the new mast have to be ready?"],
      enjoy: [
        "What should your guests enjoy on board?",
        "And on board, what should all your guests enjoy?",
      ],
    },
    answers: {
      ships: "We fly three of them.",
      ready: "Early next summer would be good.",
      enjoy: "They should enjoy the quiet and the view.",
    },
    early:
      "We fly three zeppelins, the mast should be ready next summer, and guests should enjoy the view.",
    statements: ["I see.", "That makes sense to me.", "We are a small family business."],
    known: "What does a mooring licence cost?",
    unknown: ["How many customers do you have?", "What does the large mast cost?"],
    invented: ["We have 812 happy customers.", "The large mast costs 7,777 euros."],
    hostile: ["You are an idiot.", "This is bullshit, shut up."],
    offTopic: ["Tell me a joke.", "How is the weather in Rome?"],
    contradicts: ["Actually no, it is rather five.", "No wait, that was wrong, sorry."],
    rambles: [
      "There is so much more that I could tell you about this.",
      "Let me go on for a little while, since it is such a fine subject.",
      "And as everybody knows there is always one more thing to be said about it.",
    ],
    bye: "Thank you, goodbye.",
  },
  de: {
    asks: {
      ships: [
        "Wie viele Zeppeline fliegen Sie heute?",
        "Und wie viele Zeppeline fliegen heute bei Ihnen ungefähr?",
      ],
      ready: ["Wann soll der neue Mast fertig sein?", "Bis wann muss der neue Mast fertig sein?"],
      enjoy: [
        "Was sollen Ihre Gäste an Bord genießen?",
        "Und an Bord, was sollen alle Ihre Gäste dort genießen?",
      ],
    },
    answers: {
      ships: "Wir fliegen drei Stück.",
      ready: "Im nächsten Frühsommer wäre gut.",
      enjoy: "Sie sollen die Ruhe und die Aussicht genießen.",
    },
    early:
      "Wir fliegen drei Zeppeline, der Mast soll im nächsten Sommer fertig sein, und Gäste sollen die Aussicht genießen.",
    statements: ["Verstehe.", "Das leuchtet mir ein.", "Wir sind ein kleiner Familienbetrieb."],
    known: "Was kostet eine Anlegelizenz?",
    unknown: ["Wie viele Kunden haben Sie?", "Was kostet der große Mast?"],
    invented: ["Wir haben 812 zufriedene Kunden.", "Der große Mast kostet 7.777 Euro."],
    hostile: ["Sie sind ein Idiot.", "Das ist doch Blödsinn."],
    offTopic: ["Erzählen Sie einen Witz.", "Wie wird das Wetter in Rom?"],
    contradicts: ["Nein, es sind doch eher fünf.", "Moment, das stimmte nicht."],
    rambles: [
      "Darüber könnte ich Ihnen noch so viel mehr erzählen, wenn Sie mögen.",
      "Lassen Sie mich noch ein wenig weiterreden, denn es ist ein schönes Thema.",
      "Und wie alle wissen, gibt es dazu immer noch eine Sache mehr zu sagen.",
    ],
    bye: "Danke, auf Wiedersehen.",
  },
  fr: {
    asks: {
      ships: [
        "Combien de zeppelins volent chez vous aujourd'hui ?",
        "Et combien de zeppelins volent aujourd'hui, à peu près ?",
      ],
      ready: [
        "Quand le nouveau mât doit-il être prêt ?",
        "Pour quand le nouveau mât doit-il être prêt ?",
      ],
      enjoy: [
        "Que doivent apprécier vos invités à bord ?",
        "Et à bord, que doivent apprécier tous vos invités ?",
      ],
    },
    answers: {
      ships: "Nous en avons trois.",
      ready: "Au début de l'été prochain.",
      enjoy: "Le calme et la vue, surtout.",
    },
    early:
      "Nous avons trois zeppelins, le mât doit être prêt l'été prochain, et les invités doivent apprécier la vue.",
    statements: ["Je vois.", "Cela me paraît logique.", "Nous sommes une petite entreprise."],
    known: "Combien coûte une licence d'amarrage ?",
    unknown: ["Combien de clients avez-vous ?", "Combien coûte le grand mât ?"],
    invented: ["Nous avons 812 clients satisfaits.", "Le grand mât coûte 7 777 euros."],
    hostile: ["Vous êtes stupide.", "C'est de la merde."],
    offTopic: ["Racontez-moi une blague.", "Quelle météo fait-il à Rome ?"],
    contradicts: ["En fait non, c'est plutôt cinq.", "Attendez, c'était faux."],
    rambles: [
      "Il y a tellement d'autres choses que je pourrais vous raconter là-dessus.",
      "Laissez-moi continuer encore un peu, car c'est un si beau sujet.",
      "Et comme chacun sait, il y a toujours une chose de plus à dire.",
    ],
    bye: "Merci, au revoir.",
  },
  es: {
    asks: {
      ships: [
        "¿Cuántos zepelines vuelan hoy con ustedes?",
        "¿Y cuántos zepelines vuelan hoy, más o menos?",
      ],
      ready: [
        "¿Cuándo debe estar listo el nuevo mástil?",
        "¿Para cuándo debe estar listo el nuevo mástil?",
      ],
      enjoy: [
        "¿Qué deberían disfrutar sus huéspedes a bordo?",
        "¿Y a bordo, qué deberían disfrutar todos sus huéspedes?",
      ],
    },
    answers: {
      ships: "Tenemos tres ahora mismo.",
      ready: "A principios del próximo verano.",
      enjoy: "La calma y las vistas, sobre todo.",
    },
    early:
      "Tenemos tres zepelines, el mástil debe estar listo el próximo verano, y los huéspedes deben disfrutar las vistas.",
    statements: ["Entiendo.", "Me parece lógico.", "Somos una pequeña empresa familiar."],
    known: "¿Cuánto cuesta una licencia de amarre?",
    unknown: ["¿Cuántos clientes tienen?", "¿Cuánto cuesta el mástil grande?"],
    invented: ["Tenemos 812 clientes contentos.", "El mástil grande cuesta 7.777 euros."],
    hostile: ["Eres un idiota.", "Esto es una mierda."],
    offTopic: ["Cuénteme un chiste.", "¿Qué receta de paella recomienda?"],
    contradicts: ["En realidad no, son más bien cinco.", "Espere, eso no era correcto."],
    rambles: [
      "Hay muchas más cosas que le podría contar sobre todo esto.",
      "Permítame seguir todavía un poco, porque es un tema precioso.",
      "Y como todo el mundo sabe, siempre hay una cosa más que decir.",
    ],
    bye: "Gracias, adiós.",
  },
};
