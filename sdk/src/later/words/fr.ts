import type { LaterWords } from "../later-words.ts";

export const fr: LaterWords = {
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
  emailDone: "Merci. Nous vous écrirons à {email}.",
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
  nextWithEmail: "Nous vous écrirons à {email}.",
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
