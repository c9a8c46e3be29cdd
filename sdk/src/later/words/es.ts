import type { LaterWords } from "../later-words.ts";

export const es: LaterWords = {
  timeWarning: "Quedan unos {minutes} minutos.",
  idleWarning: "¿Sigue ahí? La conversación terminará pronto.",

  personText: "Aquí puede contactar con una persona:",
  emailTitle: "¿Adónde podemos escribirle?",
  emailHelp: "Solo se guarda si la confirma aquí.",
  emailLabel: "Correo electrónico",
  emailConfirm: "Usar esta dirección",
  emailDismiss: "No, gracias",
  emailInvalid: "Esto no es una dirección de correo. ¿Falta la @ o sobra un espacio?",
  emailDone: "Gracias. Le escribiremos a {email}.",
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
  nextWithEmail: "Le escribiremos a {email}.",
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
