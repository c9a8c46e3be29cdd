import type { Strings } from "./strings.ts";

export const strings: Strings = {
  aiGuide: "Guía de IA",
  invitation: "Le muestro {brand} y respondo a sus preguntas. Dura unos cinco minutos.",
  talk: "Hablar",
  write: "Escribir",
  type: "Empezar por escrito",
  cancel: "Ahora no",
  language: "Idioma",

  connecting: "Conectando",
  listening: "Su turno",
  thinking: "Pensando",
  speaking: "Respondiendo",
  reconnecting: "Reconectando",

  hears: "Escuchando",
  speaks: "Hablando. Puede interrumpir.",
  muted: "Micrófono apagado",
  allow: "Permita el micrófono, por favor",
  mute: "Silenciar",
  voiceGone: "La voz no está disponible ahora, así que seguimos por escrito.",

  conversation: "Conversación",
  you: "Usted",
  message: "Su mensaje",
  send: "Enviar",
  end: "Terminar",
  minimize: "Reducir",
  restore: "Ampliar",
  person: "Hablar con una persona",
  about: "Sobre esta llamada",
  close: "Cerrar",

  contentFailed: "No se pudo cargar.",

  unreachable: "No se puede contactar con la demostración. Inténtelo de nuevo en un momento.",
};
