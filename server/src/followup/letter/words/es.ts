import type { LetterWords } from "../letter-language.ts";

export const words: LetterWords = {
  followUp: {
    subject: (brand) => `Su conversación con ${brand}`,
    thanks: (agent, brand) => `Gracias por hablar con ${agent}, el guía de IA de ${brand}.`,
    byAi: "Este resumen lo ha escrito una IA. Puede contener errores.",
    noSummary: "Esta vez no hay resumen. En el enlace de abajo encontrará toda la conversación.",
    rights: "Leer, descargar o borrar su conversación",
    why: (brand, date) =>
      `Recibe este correo porque indicó esta dirección en una conversación con ${brand} el ${date}.`,
    notYou:
      "Si no fue usted, alguien más la escribió. Con el enlace de arriba puede borrar la conversación; con el de abajo deja de recibir estos correos.",
    unsubscribe: (brand) => `No recibir más correos como este de ${brand}`,
  },
  deletion: {
    subject: {
      conversation: (brand) => `Borrada: su conversación con ${brand}`,
      everything: (brand) => `Borradas: sus conversaciones con ${brand}`,
    },
    conversation: (brand, date) =>
      `Como pidió, el ${date} borramos su conversación con ${brand} y todo lo que se guardaba de ella.`,
    everything: (brand, date) =>
      `Como pidió, el ${date} borramos todas las conversaciones con ${brand} guardadas con su dirección y todo lo relacionado con ellas.`,
    copies: (brand) =>
      `No incluye las copias que ${brand} ya haya pasado a sus propios sistemas. Consulte a ${brand} por ellas.`,
    receipt: "Recibo",
    last: "El recibo no lleva su nombre. Este es el último correo al respecto.",
  },
};
