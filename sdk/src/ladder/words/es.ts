import type { LadderWords } from "../ladder-words.ts";

export const es: LadderWords = {
  rungs: {
    denied: [
      "El micrófono está bloqueado",
      "Puede escribir. Para hablar, permita el micrófono y pulse Hablar otra vez.",
    ],
    dismissed: [
      "No se permitió el micrófono",
      "Puede escribir. Para hablar, pulse Hablar otra vez y elija Permitir cuando su navegador lo pregunte.",
    ],
    none: [
      "No se encontró ningún micrófono",
      "Puede escribir. Para hablar, conecte uno y pulse Hablar.",
    ],
    busy: [
      "El micrófono no se puede usar",
      "Quizá lo esté usando otro programa. Puede escribir, o cerrar ese programa y pulsar Hablar.",
    ],
    insecure: [
      "El micrófono no está disponible aquí",
      "Los navegadores solo lo permiten en páginas cuya dirección empieza por https. Puede escribir.",
    ],
    policy: [
      "El micrófono no está disponible aquí",
      "Este sitio lo ha desactivado en esta página. Puede escribir.",
    ],
    removed: [
      "El micrófono ya no está",
      "Se desconectó o se apagó. Puede escribir, o conectarlo de nuevo y pulsar Hablar.",
    ],
    sound: [
      "No se pudo iniciar el sonido",
      "Puede escribir, o pulsar Hablar para intentarlo otra vez.",
    ],
  },
  help: {
    chrome: "Haga clic en el icono a la izquierda de la dirección y active el micrófono.",
    chromePhone: "Toque el icono a la izquierda de la dirección, luego Permisos y Micrófono.",
    firefox: "Haga clic en el micrófono tachado a la izquierda de la dirección y quite el bloqueo.",
    safari: "En el menú Safari, elija Ajustes para este sitio web y permita el micrófono.",
    safariPhone:
      "Toque el icono a la izquierda de la dirección, luego Ajustes del sitio web, y permita el micrófono.",
    other: "Lo encontrará en los ajustes de su navegador para este sitio.",
  },
  allowed: ["El micrófono ya está permitido", "Pulse Hablar para seguir de viva voz."],
};
