import { isSmallWord, wordsOf } from "./words-of.ts";

/**
 * What a text is about: the stems of its content words, and what they mean in any of the languages,
 * so that a German question finds an English sentence.
 */
export function termsOf(text: string): Set<string> {
  const terms = new Set<string>();
  for (const word of wordsOf(text)) {
    if (isSmallWord(word) || vague.has(word)) continue;
    const meanings = concepts.filter(({ pattern }) => pattern.test(word));
    for (const { name } of meanings) terms.add(name);
    if (meanings.length === 0 && (word.length > 2 || /\d/.test(word))) terms.add(stem(word));
  }
  return terms;
}

/** A term that every language has a word for. */
export function isConcept(term: string): boolean {
  return term.startsWith("#");
}

function stem(word: string): string {
  return word.replace(/s$/, "").slice(0, 6);
}

/** Words that questions are made of and that tell nothing about what is asked. */
const vague = new Set(
  `know tell show explain want need please work works working something anything thing things offer really much many
  more most way good make makes take use does mean happen happens about there here still only very
  roughly approximately ungefähr circa peu-près approximativement aproximadamente
  wissen sagen zeigen erklären möchte möchten bitte etwas funktioniert wirklich viel viele mehr gut machen macht
  eigentlich genau gerne gern brauche brauchen bieten bietet heißt bedeutet passiert geht
  savoir dire montrer expliquer voudrais veux quelque chose vraiment beaucoup fait faire fonctionne marche besoin
  proposez passe signifie peut peux pouvez
  saber decir mostrar explicar quiero quisiera algo cosa realmente mucho muchos hace hacer funciona necesito ofrece
  significa pasa puede puedo pueden tienen`.split(/\s+/),
);

/** A few hundred words that visitors of any product use, by what they mean. Each is the beginning of a word. */
const words = {
  price:
    "price pricing cost fee tariff preis kost gebühr tarif prix coût précio precio cuest costo coste vale",
  free: "free gratis kostenlos gratuit",
  trial: "trial test probe probier essai essay essayer prueba probar",
  plan: "plan package abo tarifmodell paket formule abonnement forfait paquete suscripc",
  discount: "discount rabatt nachlass remise réduction descuento rebaja",
  contract: "contract vertrag contrat contrato",
  cancel: "cancel kündig résili annul cancelar terminat",
  install: "install setup integrat einbau einbind einricht installier instal intégr integrar",
  privacy: "privacy gdpr dsgvo datenschutz rgpd confidentialité vie-privée privacidad protección",
  data: "data daten donnée datos",
  security: "secur sicher sécur segur",
  store: "store kept keep speicher gespeichert aufbewahr conserv stock guard almacen",
  delete: "delet eras lösch supprim effac borra elimin",
  language: "language sprache langue idioma lengua",
  support: "support hilfe assistance soporte ayuda hotline",
  export: "export csv spreadsheet tabelle excel feuille hoja",
  webhook: "webhook",
  crm: "crm salesforce hubspot",
  email: "email e-mail mail courriel correo",
  team: "team user nutzer benutzer utilisateur équipe usuario equipo",
  visitor: "visitor visit besuch visiteur visite",
  month: "month monat mois mes",
  year: "year jahr jährlich année annuel año anual",
  day: "day tag täglich jour día diario",
  start: "start launch live begin anfang beginn loslegen lanc démarr commenc empez comenz arranc",
  duration:
    "duration long minute week hour dauer lang minuten woche stunde durée durer semaine heure minuto dura tarda semana hora",
  website: "website webseite internetseite site page seite página web",
  mobile: "mobile phone handy smartphone móvil teléfono app",
  hosting: "host server cloud serveur servidor hébergé aloja",
  battery: "battery akku batterie batería",
  cookie: "cookie",
  recording: "record aufnahm aufgenommen aufgezeichnet enregistr grab",
  delivery: "deliver shipping liefer versand livr envío entreg",
  guarantee: "guarante warrant garant",
  refund: "refund rückerstatt zurückgeb rembours reembols devoluc",
  hours: "hours opening öffnungszeit uhr horaire heures horario",
  place: "where location address ort standort adresse lieu ubicación dirección",
  customer: "customer client kund clientes",
  human: "human person mensch humain personne humano persona",
} as const;

const concepts = Object.entries(words).map(([name, beginnings]) => ({
  name: `#${name}`,
  pattern: new RegExp(`^(?:${beginnings.split(" ").join("|")})`, "u"),
}));
