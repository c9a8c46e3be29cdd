import type { Phrases } from "./phrases.ts";

export const french: Phrases = {
  greeting:
    "Bonjour, je suis Linden, une IA. Je vous présente Svc en cinq minutes environ. Interrompez-moi quand vous voulez : qu'est-ce qui vous amène ?",
  needs: {
    after_hours: {
      said: "La moitié de nos visiteurs viennent le soir, quand il n'y a plus personne au commercial.",
      topic: "l'accueil de vos visiteurs le soir",
      reply:
        "Alors c'est fait pour vous. Je réponds à toute heure, et le matin vous lisez ce qui s'est dit, avec une évaluation de chaque échange.",
      shown:
        "Voici ce que vous trouveriez le matin : la conversation à gauche, les faits à droite.",
    },
    repeated_demos: {
      said: "Nos commerciaux font la même démo cinq fois par jour, souvent pour des gens qui n'achètent jamais.",
      topic: "la première démo, que vos commerciaux n'auraient plus à faire",
      reply:
        "Je peux prendre le premier tour. Je pose vos questions en chemin, et vos équipes rappellent ceux qui conviennent.",
      shown: "Voici un de ces échanges, avec les questions posées et les réponses obtenues.",
    },
    own_warehouse: {
      said: "Nous voulons chaque conversation dans notre propre entrepôt de données, pas dans un outil de plus.",
      topic: "l'arrivée de chaque conversation dans votre entrepôt de données",
      reply:
        "Chaque session terminée existe en JSON et en CSV. Vous avancez par date, et il n'en manque aucune, même si elles finissent dans le désordre.",
      shown: "Voici la boucle entière, dix lignes. Elle reprend là où elle s'était arrêtée.",
    },
    several_languages: {
      said: "Nous vendons dans quatre pays et nous ne pouvons pas couvrir toutes les langues.",
      topic: "les démonstrations en plusieurs langues",
      reply:
        "Je suis la langue du navigateur, et le compte rendu est rédigé dans une seule langue pour votre équipe.",
      shown:
        "Sur cette page, vous voyez le même échange en allemand, avec le compte rendu en anglais.",
    },
    self_hosting: {
      said: "Tout ce que nous utilisons doit tourner sur nos propres serveurs.",
      topic: "l'installation sur vos propres serveurs",
      reply: "C'est le cas. Un programme serveur et PostgreSQL, rien d'autre.",
      shown: "Voici le schéma complet : la page, le serveur, la base de données.",
    },
    lead_quality: {
      said: "Notre formulaire de contact nous donne des noms, mais jamais ce dont les gens ont besoin.",
      topic: "les besoins de vos visiteurs",
      reply:
        "C'est le but de l'échange. Vous choisissez les questions, et chaque réponse du compte rendu cite les mots du visiteur.",
      shown: "Regardez ce compte rendu : à côté de chaque constat, il y a la citation.",
    },
    lost_trials: {
      said: "Nos utilisateurs d'essai se perdent dès la première heure et ne reviennent pas.",
      topic: "l'accompagnement de vos utilisateurs d'essai",
      reply:
        "Je peux me tenir dans un coin de votre page et aider quand on me le demande, à la voix ou par écrit.",
      shown: "Voici le bouton. Il reste petit tant que personne ne l'ouvre.",
    },
    hard_to_explain: {
      said: "Notre produit est difficile à décrire, il faut le voir.",
      topic: "ce qu'il vaut mieux montrer que décrire",
      reply:
        "Pendant que je parle, je peux montrer des pages et des fiches, et revenir en arrière sur demande.",
      shown: "Comme celle-ci. Vous pouvez la feuilleter vous-même pendant que nous parlons.",
    },
  },
  questions: {
    recording: {
      said: "Est-ce que vous enregistrez le son ?",
      reply: "Non. Seul le texte est conservé, et l'avis le dit avant le début de l'échange.",
    },
    interrupting: {
      said: "Que se passe-t-il si je vous coupe ?",
      reply:
        "Je m'arrête. Le texte ne garde alors que ce que vous avez entendu, pas ce que j'allais dire.",
    },
    crm: {
      said: "Comment cela arrive-t-il dans notre CRM ?",
      reply:
        "Par un webhook. Chaque session évaluée est envoyée, signée, à une adresse à vous ; vous pouvez donc vérifier d'où elle vient.",
    },
    cost: {
      said: "Et combien ça coûte ?",
      reply:
        "Svc est un logiciel libre. Vous payez vos serveurs et les modèles de voix et de langue que vous choisissez.",
    },
    installing: {
      said: "C'est beaucoup de travail de l'installer sur notre site ?",
      reply:
        "Un extrait de code dans la page. Ensuite, un bouton, une vignette ou un bloc dans la page me fait démarrer.",
    },
    retention: {
      said: "Combien de temps gardez-vous tout cela ?",
      reply:
        "Un an par défaut. Vous le réglez par compte, et vous pouvez effacer ce qui concerne une adresse.",
    },
    spreadsheet: {
      said: "Mes collègues peuvent-ils ouvrir les données dans Excel ?",
      reply:
        "Oui. Il y a un lien CSV ; le navigateur demande votre identifiant et votre jeton, et le fichier s'ouvre.",
    },
    person: {
      said: "Peut-on parler à une vraie personne ?",
      reply: "À tout moment. Il y a un bouton pour cela, et c'est vous qui décidez où il mène.",
    },
    phone: {
      said: "Ça marche sur un téléphone ?",
      reply: "Oui. Les boutons sont sous le pouce, et on peut écrire au lieu de parler.",
    },
    inventing: {
      said: "Vous arrive-t-il d'inventer ?",
      reply:
        "Je réponds d'après ce qu'on m'a donné à lire. Si cela n'y figure pas, je dis que je ne sais pas.",
    },
    changing: {
      said: "Comment change-t-on ce que vous dites ?",
      reply:
        "Dans un fichier. Vous le modifiez, vous regardez la différence et vous l'appliquez ; chaque échange nomme sa version.",
    },
  },
  objections: {
    robots: {
      said: "Honnêtement, nos clients détestent parler à des robots.",
      reply:
        "Je comprends. C'est pourquoi je dis tout de suite ce que je suis, on peut toujours écrire, et une personne est à un clic.",
    },
    machine_summaries: {
      said: "Je ne fais pas trop confiance aux résumés d'une machine.",
      reply:
        "Alors vérifiez les citations. Chaque affirmation renvoie à des mots prononcés, et ce qui ne se prouve pas est omis.",
    },
    security_review: {
      said: "Notre service de sécurité va y passer des mois.",
      reply:
        "Il peut tout lire. Le code est ouvert, il tourne dans votre réseau, et aucun son n'est gardé.",
    },
    too_small: {
      said: "Nous sommes peut-être trop petits pour cela.",
      reply:
        "Un petit serveur suffit. Commencez par une seule page et voyez ce que les gens demandent.",
    },
    no_engineers: {
      said: "Nous n'avons pas de développeur disponible en ce moment.",
      reply:
        "La page demande un extrait de code. Le reste est un fichier texte que vous modifiez vous-même.",
    },
  },
  unfit: {
    job_search: {
      said: "En fait, je cherche un emploi. Est-ce que vous recrutez ?",
      reply:
        "Je ne connais que Svc. Le bouton ci-dessous vous mène à une personne qui saura vous répondre.",
    },
    own_offer: {
      said: "Nous créons des sites et je voulais vous proposer nos services.",
      reply:
        "Je ne peux pas recevoir d'offres, je présente seulement Svc. Le bouton ci-dessous mène à une personne.",
    },
    no_website: {
      said: "Je n'ai pas de site, je voulais seulement entendre ce que cela donne.",
      reply: "Avec plaisir. Sans page, je n'ai pas de place, mais demandez-moi ce que vous voulez.",
    },
  },
  currentTools: {
    video: "Aujourd'hui il y a une vidéo, et presque personne ne la regarde jusqu'au bout.",
    chat: "Pour l'instant une fenêtre de chat répond, et les gens attendent.",
    calendar: "Actuellement les gens prennent rendez-vous, et la moitié ne vient pas.",
  },
  deciders: {
    manager: "Ma directrice marketing doit donner son accord.",
    engineering: "Nos développeurs voudront d'abord y jeter un œil.",
    board: "À la fin, c'est la direction qui décide.",
  },
  monthlyVisitors: {
    ask: "Combien de personnes visitent cette page en un mois, à peu près ?",
    said: [
      (people) => `Environ ${people.toLocaleString("fr")}, je dirais.`,
      (people) => `À peu près ${people.toLocaleString("fr")} par mois.`,
      (people) => `Le dernier rapport indiquait ${people.toLocaleString("fr")}.`,
    ],
    thanks: "C'est bon à savoir, merci.",
  },
  timeline: {
    ask: "Quand aimeriez-vous que cela tourne ?",
    said: {
      this_month: "Si possible ce mois-ci, nous avons un lancement.",
      this_quarter: "Dans le courant du trimestre, je pense.",
      next_year: "Pas avant l'année prochaine, le budget est épuisé.",
      looking_around: "Je ne sais pas encore, je regarde seulement.",
    },
    thanks: "Cela m'aide.",
  },
  introduction: ({ first, last, company }) =>
    `Je m'appelle ${first} ${last}, je travaille chez ${company}.`,
  cutIn: ["Pardon de vous couper.", "Bien, cela me suffit.", "D'accord, j'ai compris."],
  emailCard: {
    offer:
      "Si vous le souhaitez, je vous envoie un résumé. J'ai affiché une fiche pour votre adresse.",
    thanks: "Merci, vous le recevrez peu après notre échange.",
  },
  goodbye: {
    visitor: [
      "Parfait, c'est tout ce que je voulais savoir. Au revoir.",
      "Merci, j'en parle à mon équipe.",
      "Très bien, merci.",
    ],
    agent: "Merci de votre temps. Au revoir.",
  },
  prospectSummary: (person, topic) =>
    `Merci pour cet échange${person === undefined ? "" : `, ${person.first} ${person.last}`}. Nous avons parlé de ce sujet : ${topic}. Si vous avez d'autres questions, revenez sur la page quand vous voulez.`,
  people: {
    first: ["Élodie", "Benoît", "Fatou", "Hugo", "Margaux", "Yassine", "Clémence", "Théo", "Inès"],
    last: [
      "Lefèvre",
      "Benali",
      "Garnier",
      "Diallo",
      "Chauvin",
      "Petitjean",
      "Roussel",
      "N'Guessan",
    ],
  },
  companies: [
    "Atelier Verdier",
    "Lumière & Fils",
    "Pont-Neuf Conseil",
    "Sève Biotech",
    "Maison Delorme",
  ],
};
