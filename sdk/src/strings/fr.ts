import type { Strings } from "./strings.ts";

export const strings: Strings = {
  aiGuide: "Guide IA",
  invitation:
    "Je vous présente {brand} et je réponds à vos questions. Cela prend environ cinq minutes.",
  talk: "Parler",
  write: "Écrire",
  type: "Commencer par écrit",
  cancel: "Pas maintenant",
  language: "Langue",

  connecting: "Connexion en cours",
  listening: "À vous",
  thinking: "Réfléchit",
  speaking: "Répond",
  reconnecting: "Reconnexion en cours",

  hears: "À l'écoute",
  speaks: "Parle. Interrompez à tout moment.",
  muted: "Micro coupé",
  allow: "Veuillez autoriser le micro",
  mute: "Couper le micro",
  voiceGone: "La voix n'est pas disponible pour le moment. Nous continuons par écrit.",

  conversation: "Conversation",
  you: "Vous",
  message: "Votre message",
  send: "Envoyer",
  end: "Terminer",
  minimize: "Réduire",
  restore: "Agrandir",
  person: "Parler à une personne",
  about: "À propos de cet appel",
  close: "Fermer",

  contentFailed: "Ce contenu n'a pas pu être chargé.",

  unreachable: "La démonstration n'est pas joignable. Réessayez dans un instant.",
};
