/**
 * The phrases that an agent says without asking a model. Behind the greeting nothing asks: a question mark in
 * such a turn would count as the question that was due.
 */
export interface Phrases {
  greeting(name: string, brand: string): string;
  notUnderstood: string;
  /** While a model thinks. */
  signOfLife: string;
  /** When no model has answered. */
  oneMoment: string;
  technicalGoodbye: string;
  wrapUpTime: string;
  wrapUpCost: string;
  /** In place of a fact that stands nowhere. */
  doNotKnow: string;
  /** When the visitor has said nothing for a while. */
  nudge: string;
}

/** In English where the language has none of its own. */
export function phrases(language: string): Phrases {
  const [base = ""] = language.toLowerCase().split("-");
  return spoken.get(base) ?? ENGLISH;
}

const ENGLISH: Phrases = {
  greeting: (name, brand) =>
    `Hello, I'm ${name}, an AI guide. I'll gladly show you ${brand}. What would you like to see?`,
  signOfLife: "One moment, please.",
  notUnderstood: "Sorry, I didn't get that. Please put it another way.",
  oneMoment: "I'm sorry, I lost my thread for a moment. Please say that once more.",
  technicalGoodbye:
    "I'm sorry, something is wrong on our side and I can't go on. Please try again a little later.",
  wrapUpTime: "Our time is up, so I have to stop here. Thank you for talking with me. Goodbye!",
  wrapUpCost: "I have to stop here for today. Thank you for talking with me. Goodbye!",
  doNotKnow: "I don't know that. A person from our team will answer it.",
  nudge: "Take your time. I am here when you would like to go on.",
};

const spoken = new Map<string, Phrases>([
  ["en", ENGLISH],
  [
    "de",
    {
      greeting: (name, brand) =>
        `Guten Tag, ich bin ${name}, eine KI. Ich zeige Ihnen gern ${brand}. Was möchten Sie sehen?`,
      signOfLife: "Einen Moment, bitte.",
      notUnderstood:
        "Entschuldigung, das habe ich nicht verstanden. Bitte sagen Sie es noch einmal anders.",
      oneMoment:
        "Entschuldigung, ich habe kurz den Faden verloren. Bitte sagen Sie das noch einmal.",
      technicalGoodbye:
        "Es tut mir leid, bei uns ist gerade etwas gestört, und ich kann nicht weitermachen. Bitte versuchen Sie es etwas später noch einmal.",
      wrapUpTime:
        "Unsere Zeit ist um, deshalb muss ich hier aufhören. Danke für das Gespräch. Auf Wiedersehen!",
      wrapUpCost: "Für heute muss ich hier aufhören. Danke für das Gespräch. Auf Wiedersehen!",
      doNotKnow: "Das weiß ich nicht. Jemand aus unserem Team wird es Ihnen beantworten.",
      nudge: "Lassen Sie sich Zeit. Ich bin da, wenn Sie weitermachen möchten.",
    },
  ],
  [
    "fr",
    {
      greeting: (name, brand) =>
        `Bonjour, je suis ${name}, une IA. Je vous présente volontiers ${brand}. Que souhaitez-vous voir ?`,
      signOfLife: "Un instant, s'il vous plaît.",
      notUnderstood: "Pardon, je n'ai pas compris. Dites-le autrement, s'il vous plaît.",
      oneMoment: "Excusez-moi, j'ai perdu le fil un instant. Redites-le, s'il vous plaît.",
      technicalGoodbye:
        "Je suis désolé, il y a un problème de notre côté et je ne peux pas continuer. Veuillez réessayer un peu plus tard.",
      wrapUpTime:
        "Notre temps est écoulé, je dois m'arrêter ici. Merci pour cet échange. Au revoir !",
      wrapUpCost: "Je dois m'arrêter ici pour aujourd'hui. Merci pour cet échange. Au revoir !",
      doNotKnow: "Je ne le sais pas. Quelqu'un de notre équipe vous répondra.",
      nudge: "Prenez votre temps. Je suis là quand vous voulez continuer.",
    },
  ],
  [
    "es",
    {
      greeting: (name, brand) =>
        `Buenos días, soy ${name}, una IA. Con gusto le muestro ${brand}. ¿Qué le gustaría ver?`,
      signOfLife: "Un momento, por favor.",
      notUnderstood: "Perdone, no lo he entendido. Dígalo de otra manera, por favor.",
      oneMoment: "Perdone, he perdido el hilo un momento. Dígalo otra vez, por favor.",
      technicalGoodbye:
        "Lo siento, hay un problema por nuestra parte y no puedo continuar. Por favor, inténtelo de nuevo más tarde.",
      wrapUpTime:
        "Se nos acabó el tiempo, así que tengo que parar aquí. Gracias por la conversación. ¡Adiós!",
      wrapUpCost: "Por hoy tengo que parar aquí. Gracias por la conversación. ¡Adiós!",
      doNotKnow: "No lo sé. Alguien de nuestro equipo se lo responderá.",
      nudge: "Tómese su tiempo. Aquí estoy cuando quiera continuar.",
    },
  ],
]);
