import type { PersonWords } from "./words.ts";

export const words: PersonWords = {
  rights: {
    title: (brand) => `Su conversación con ${brand}`,
    intro: (agent, brand, date) =>
      `Usted habló con ${agent}, el guía de IA de ${brand}, el ${date}. Esto es lo que se guarda de ello. Puede llevárselo o borrarlo.`,
    keepLink: "Quien tenga el enlace de esta página puede hacer lo mismo. No lo comparta.",
    said: "Lo que se dijo",
    you: "Usted",
    cut: "Una raya al final de una línea indica una interrupción. Solo se guarda lo que usted oyó.",
    nothingSaid: "No se dijo nada.",
    kept: "Qué más se guarda",
    address: "Su dirección",
    summary: "Resumen, escrito por una IA",
    fromPage: "Transmitido por el sitio",
    assessment: "Análisis",
    assessmentIs: (brand) =>
      `Lo que una IA dedujo de la conversación para ${brand}. Si desea verlo, pídaselo a ${brand}.`,
    until: "Se guarda hasta",
    untilIs: (date) => `${date}. Después se borra por sí solo.`,
    download: "Descargar como archivo (JSON)",
    delete: "Borrar",
    deleteConversation: "Borrar esta conversación",
    deleteEverything: (address, brand) => `Borrar todo lo de ${address} en ${brand}`,
  },
  confirm: {
    conversation: "¿Borrar esta conversación?",
    everything: (brand) => `¿Borrar todo en ${brand}?`,
    goes: "Se borra lo que se dijo y también el resumen, el análisis, su dirección y todo lo demás de la página anterior.",
    everythingGoes: (address, brand) =>
      `Se borran todas las conversaciones con ${brand} guardadas con ${address} y todo lo relacionado con ellas.`,
    final: "No se puede deshacer.",
    copies: (brand) =>
      `Las copias que ${brand} ya haya pasado a sus propios sistemas no se borran con esto. Consulte a ${brand} por ellas.`,
    yes: "Borrar definitivamente",
    no: "Conservar",
  },
  deleted: {
    title: "Está borrado",
    conversation: (brand) => `Aquí ya no se guarda nada de su conversación con ${brand}.`,
    everything: (brand) => `Aquí ya no se guarda nada de sus conversaciones con ${brand}.`,
    copies: (brand) =>
      `No incluye las copias que ${brand} pasó antes a sus propios sistemas. Consulte a ${brand} por ellas.`,
    backups: "De las copias de seguridad desaparece cuando estas caducan.",
    receipt: "Recibo",
    receiptIs: "Muestra que algo se borró y cuándo. No lleva su nombre.",
  },
  unsubscribe: {
    title: (brand) => `¿No recibir más correos de ${brand}?`,
    question: (address, brand) =>
      `${address} no volverá a recibir ningún resumen de una conversación con ${brand}, tampoco después de otra conversación.`,
    yes: "Dejar de recibir estos correos",
    doneTitle: "Ya no recibirá estos correos",
    done: (address, brand) =>
      `No se enviará a ${address} ningún otro resumen de una conversación con ${brand}. Un correo que ya esté en camino puede llegar todavía.`,
    unnamed: {
      title: "¿No recibir más estos correos?",
      question:
        "No volverá a recibir de este remitente ningún resumen de una conversación, tampoco después de otra conversación.",
      done: "Este remitente no le enviará ningún otro resumen de una conversación. Un correo que ya esté en camino puede llegar todavía.",
    },
  },
  deadLink: {
    title: "Este enlace no lleva a ninguna parte",
    why: "La conversación se borró, o el enlace le llegó incompleto.",
    fix: "Si usted la borró, está todo hecho. Si no, abra de nuevo el enlace completo del correo.",
  },
  tooMany: {
    title: "Un poco más despacio, por favor",
    why: "Este enlace se abrió muchas veces en pocos segundos.",
    fix: "Espere un momento y ábralo de nuevo.",
  },
  unavailable: {
    title: "Esta página no se puede mostrar ahora",
    why: "Algo falla por nuestra parte. Nada suyo ha cambiado, salvo que una página se lo haya dicho.",
    fix: "Inténtelo de nuevo dentro de unos minutos.",
  },
};
