import type { LiveEndReason } from "@svc/contract/types";
import { reviewed } from "../strings/strings.ts";
import type { Reviewed } from "../strings/strings.ts";

export function cardWords(language: string): CardWords {
  return WORDS[reviewed(language)];
}

/** The texts of cards, warnings and endings. `{…}` is a placeholder. */
export interface CardWords {
  timeWarning: string;
  idleWarning: string;

  personText: string;
  emailTitle: string;
  emailHelp: string;
  emailLabel: string;
  emailConfirm: string;
  emailDismiss: string;
  emailInvalid: string;
  emailDone: string;
  emailInstead: string;
  /** Of the card that opens again because the domain accepts no mail. */
  emailDoubt: string;
  emailUse: string;
  emailCorrect: string;
  emailRight: string;
  microphone: string;
  testSession: string;

  /** Why the conversation ended. */
  reasons: Record<LiveEndReason, string>;
  title: string;
  /** Only where the server says that a mail follows. */
  nextMail: string;
  nextNoted: string;
  nextWithoutEmail: string;
  copy: string;
  copied: string;
  /** Shown where the browser refuses. */
  notCopied: string;
  rate: string;
  stars: string;
  rated: string;
  close: string;
  again: string;

  /** Why no call can be started, and what the visitor can do. */
  trouble: Record<
    | "agent_unknown"
    | "agent_paused"
    | "origin_not_allowed"
    | "at_capacity"
    | "too_many_starts"
    | "daily_cap"
    | "service_unavailable"
    | "offline"
    | "elsewhere"
    | "moved",
    string
  >;
  troubleTitle: string;
}

export const en: CardWords = {
  timeWarning: "About {minutes} minutes are left.",
  idleWarning: "Are you still there? The conversation ends soon.",

  personText: "You can reach a person here:",
  emailTitle: "Where may we write to you?",
  emailHelp: "It is kept only if you confirm it here.",
  emailLabel: "Email address",
  emailConfirm: "Use this address",
  emailDismiss: "No, thank you",
  emailInvalid: "This is not an email address. Check it for a missing @ or a space.",
  emailDone: "Thank you. We noted {email}.",
  emailInstead: "We noted {email} instead.",
  emailDoubt: "{domain} takes no mail. Is the address right?",
  emailUse: "Use {email}",
  emailCorrect: "Correct it",
  emailRight: "It is right",
  microphone: "Microphone",
  testSession: "This is a test session: it is not exported, delivered or mailed.",

  reasons: {
    visitor_ended: "You ended the conversation.",
    agent_ended: "That was the demo.",
    silence: "It was quiet for a while, so the conversation ended.",
    max_duration: "The time for one conversation is up.",
    max_cost: "The time for one conversation is up.",
    visitor_gone: "The connection was lost. The conversation has ended.",
    server_fault: "Something went wrong on our side, so the conversation ended here.",
  },
  title: "Thank you for your time",
  nextMail: "We'll write to {email}.",
  nextNoted: "We noted {email}.",
  nextWithoutEmail: "You can start again whenever you like.",
  copy: "Copy the conversation",
  copied: "Copied",
  notCopied: "Your browser does not allow copying here",
  rate: "How was it?",
  stars: "{number} of 5",
  rated: "Thank you.",
  close: "Close",
  again: "Try again",

  trouble: {
    agent_unknown: "This demo is not set up on this page yet.",
    agent_paused: "This demo is taking a break. Please come back later.",
    origin_not_allowed: "This demo is not available on this page.",
    at_capacity: "Everybody is in a conversation right now. Please try again in a minute.",
    too_many_starts:
      "Several demos were started from your network just now. Please try again in a minute.",
    daily_cap: "Today's demos are all taken. Please come back tomorrow.",
    service_unavailable: "The demo cannot be reached right now. Please try again in a moment.",
    offline: "You seem to be offline. Check your connection and try again.",
    elsewhere: "A demo is open in another tab. Go on there, or close it first.",
    moved: "The conversation goes on in another tab.",
  },
  troubleTitle: "Not right now",
};

const de: CardWords = {
  timeWarning: "Es bleiben etwa {minutes} Minuten.",
  idleWarning: "Sind Sie noch da? Das Gespräch endet bald.",

  personText: "Hier erreichen Sie einen Menschen:",
  emailTitle: "Wohin dürfen wir Ihnen schreiben?",
  emailHelp: "Sie wird nur gespeichert, wenn Sie sie hier bestätigen.",
  emailLabel: "E-Mail-Adresse",
  emailConfirm: "Diese Adresse verwenden",
  emailDismiss: "Nein, danke",
  emailInvalid: "Das ist keine E-Mail-Adresse. Fehlt das @, oder ist ein Leerzeichen zu viel?",
  emailDone: "Danke. Wir haben {email} notiert.",
  emailInstead: "Wir haben stattdessen {email} notiert.",
  emailDoubt: "{domain} nimmt keine E-Mails an. Stimmt die Adresse?",
  emailUse: "{email} verwenden",
  emailCorrect: "Ändern",
  emailRight: "Sie stimmt",
  microphone: "Mikrofon",
  testSession: "Dies ist eine Testsitzung: Sie wird nicht exportiert, zugestellt oder verschickt.",

  reasons: {
    visitor_ended: "Sie haben das Gespräch beendet.",
    agent_ended: "Das war die Demo.",
    silence: "Es war eine Weile still, deshalb ist das Gespräch zu Ende.",
    max_duration: "Die Zeit für ein Gespräch ist um.",
    max_cost: "Die Zeit für ein Gespräch ist um.",
    visitor_gone: "Die Verbindung ging verloren. Das Gespräch ist zu Ende.",
    server_fault: "Bei uns ist etwas schiefgegangen, deshalb endet das Gespräch hier.",
  },
  title: "Danke für Ihre Zeit",
  nextMail: "Wir schreiben an {email}.",
  nextNoted: "Wir haben {email} notiert.",
  nextWithoutEmail: "Sie können jederzeit neu beginnen.",
  copy: "Gespräch kopieren",
  copied: "Kopiert",
  notCopied: "Ihr Browser lässt das Kopieren hier nicht zu",
  rate: "Wie war es?",
  stars: "{number} von 5",
  rated: "Danke.",
  close: "Schließen",
  again: "Noch einmal versuchen",

  trouble: {
    agent_unknown: "Diese Demo ist auf dieser Seite noch nicht eingerichtet.",
    agent_paused: "Diese Demo macht gerade Pause. Bitte kommen Sie später wieder.",
    origin_not_allowed: "Diese Demo steht auf dieser Seite nicht zur Verfügung.",
    at_capacity:
      "Gerade sind alle im Gespräch. Bitte versuchen Sie es in einer Minute noch einmal.",
    too_many_starts:
      "Aus Ihrem Netz wurden eben mehrere Demos gestartet. Bitte versuchen Sie es in einer Minute noch einmal.",
    daily_cap: "Die Demos für heute sind vergeben. Bitte kommen Sie morgen wieder.",
    service_unavailable:
      "Die Demo ist gerade nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.",
    offline:
      "Sie sind offenbar offline. Prüfen Sie die Verbindung und versuchen Sie es noch einmal.",
    elsewhere:
      "In einem anderen Tab ist eine Demo offen. Machen Sie dort weiter, oder schließen Sie sie zuerst.",
    moved: "Das Gespräch geht in einem anderen Tab weiter.",
  },
  troubleTitle: "Gerade nicht möglich",
};

const fr: CardWords = {
  timeWarning: "Il reste environ {minutes} minutes.",
  idleWarning: "Êtes-vous toujours là ? La conversation va bientôt se terminer.",

  personText: "Vous pouvez joindre une personne ici :",
  emailTitle: "Où pouvons-nous vous écrire ?",
  emailHelp: "L'adresse n'est conservée que si vous la confirmez ici.",
  emailLabel: "Adresse e-mail",
  emailConfirm: "Utiliser cette adresse",
  emailDismiss: "Non, merci",
  emailInvalid:
    "Ce n'est pas une adresse e-mail. Manque-t-il un @, ou y a-t-il une espace en trop ?",
  emailDone: "Merci. Nous avons noté {email}.",
  emailInstead: "Nous avons noté {email} à la place.",
  emailDoubt: "{domain} ne reçoit pas d'e-mails. L'adresse est-elle correcte ?",
  emailUse: "Utiliser {email}",
  emailCorrect: "Corriger",
  emailRight: "Elle est correcte",
  microphone: "Micro",
  testSession: "Ceci est une session de test : elle n'est ni exportée, ni transmise, ni envoyée.",

  reasons: {
    visitor_ended: "Vous avez mis fin à la conversation.",
    agent_ended: "C'était la démonstration.",
    silence: "Le silence a duré un moment, la conversation est donc terminée.",
    max_duration: "Le temps prévu pour une conversation est écoulé.",
    max_cost: "Le temps prévu pour une conversation est écoulé.",
    visitor_gone: "La connexion a été perdue. La conversation est terminée.",
    server_fault: "Un problème est survenu de notre côté, la conversation s'arrête donc ici.",
  },
  title: "Merci pour votre temps",
  nextMail: "Nous vous écrirons à {email}.",
  nextNoted: "Nous avons noté {email}.",
  nextWithoutEmail: "Vous pouvez recommencer quand vous voulez.",
  copy: "Copier la conversation",
  copied: "Copié",
  notCopied: "Votre navigateur ne permet pas de copier ici",
  rate: "Comment était-ce ?",
  stars: "{number} sur 5",
  rated: "Merci.",
  close: "Fermer",
  again: "Réessayer",

  trouble: {
    agent_unknown: "Cette démonstration n'est pas encore installée sur cette page.",
    agent_paused: "Cette démonstration fait une pause. Revenez plus tard.",
    origin_not_allowed: "Cette démonstration n'est pas disponible sur cette page.",
    at_capacity: "Tout le monde est en conversation. Réessayez dans une minute.",
    too_many_starts:
      "Plusieurs démonstrations viennent d'être lancées depuis votre réseau. Réessayez dans une minute.",
    daily_cap: "Les démonstrations d'aujourd'hui sont toutes prises. Revenez demain.",
    service_unavailable: "La démonstration n'est pas joignable. Réessayez dans un instant.",
    offline: "Vous semblez hors ligne. Vérifiez votre connexion et réessayez.",
    elsewhere:
      "Une démonstration est ouverte dans un autre onglet. Continuez là-bas, ou fermez-la d'abord.",
    moved: "La conversation continue dans un autre onglet.",
  },
  troubleTitle: "Pas pour l'instant",
};

const es: CardWords = {
  timeWarning: "Quedan unos {minutes} minutos.",
  idleWarning: "¿Sigue ahí? La conversación terminará pronto.",

  personText: "Aquí puede contactar con una persona:",
  emailTitle: "¿Adónde podemos escribirle?",
  emailHelp: "Solo se guarda si la confirma aquí.",
  emailLabel: "Correo electrónico",
  emailConfirm: "Usar esta dirección",
  emailDismiss: "No, gracias",
  emailInvalid: "Esto no es una dirección de correo. ¿Falta la @ o sobra un espacio?",
  emailDone: "Gracias. Hemos anotado {email}.",
  emailInstead: "En su lugar hemos anotado {email}.",
  emailDoubt: "{domain} no recibe correo. ¿Es correcta la dirección?",
  emailUse: "Usar {email}",
  emailCorrect: "Corregirla",
  emailRight: "Es correcta",
  microphone: "Micrófono",
  testSession: "Esta es una sesión de prueba: no se exporta, ni se entrega, ni se envía.",

  reasons: {
    visitor_ended: "Ha terminado la conversación.",
    agent_ended: "Esta fue la demostración.",
    silence: "Hubo silencio durante un rato, por eso terminó la conversación.",
    max_duration: "Se acabó el tiempo de una conversación.",
    max_cost: "Se acabó el tiempo de una conversación.",
    visitor_gone: "Se perdió la conexión. La conversación ha terminado.",
    server_fault: "Algo falló por nuestra parte, por eso la conversación termina aquí.",
  },
  title: "Gracias por su tiempo",
  nextMail: "Le escribiremos a {email}.",
  nextNoted: "Hemos anotado {email}.",
  nextWithoutEmail: "Puede volver a empezar cuando quiera.",
  copy: "Copiar la conversación",
  copied: "Copiado",
  notCopied: "Su navegador no permite copiar aquí",
  rate: "¿Qué le pareció?",
  stars: "{number} de 5",
  rated: "Gracias.",
  close: "Cerrar",
  again: "Intentar de nuevo",

  trouble: {
    agent_unknown: "Esta demostración todavía no está configurada en esta página.",
    agent_paused: "Esta demostración está en pausa. Vuelva más tarde.",
    origin_not_allowed: "Esta demostración no está disponible en esta página.",
    at_capacity: "Ahora todos están en una conversación. Inténtelo de nuevo en un minuto.",
    too_many_starts:
      "Desde su red se han iniciado varias demostraciones hace un momento. Inténtelo de nuevo en un minuto.",
    daily_cap: "Las demostraciones de hoy ya están ocupadas. Vuelva mañana.",
    service_unavailable:
      "No se puede contactar con la demostración. Inténtelo de nuevo en un momento.",
    offline: "Parece que no tiene conexión. Compruébela e inténtelo de nuevo.",
    elsewhere: "Hay una demostración abierta en otra pestaña. Siga allí o ciérrela primero.",
    moved: "La conversación sigue en otra pestaña.",
  },
  troubleTitle: "Ahora no es posible",
};

const WORDS: Record<Reviewed, CardWords> = { en, de, fr, es };
