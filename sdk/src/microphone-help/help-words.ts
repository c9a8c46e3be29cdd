import { reviewed } from "../strings/strings.ts";
import type { Reviewed } from "../strings/strings.ts";
import type { BrowserName, MicrophoneProblem } from "./microphone-problem.ts";

export function helpWords(language: string): HelpWords {
  return WORDS[reviewed(language)];
}

export interface HelpWords {
  /** What happened, and what the visitor can do. */
  problems: Record<MicrophoneProblem, [title: string, text: string]>;
  /** How to allow the microphone in this browser. */
  help: Record<BrowserName, string>;
  /** Shown when the visitor has allowed it in the settings. */
  allowed: [title: string, text: string];
}

const en: HelpWords = {
  problems: {
    denied: [
      "The microphone is blocked",
      "You can type instead. To talk, allow the microphone and press Talk again.",
    ],
    dismissed: [
      "The microphone was not allowed",
      "You can type instead. To talk, press Talk again and choose Allow when your browser asks.",
    ],
    none: ["No microphone was found", "You can type instead. To talk, connect one and press Talk."],
    busy: [
      "The microphone cannot be used",
      "Another program may be using it. You can type instead, or close that program and press Talk.",
    ],
    insecure: [
      "The microphone is not available here",
      "Browsers allow it only on pages whose address begins with https. You can type instead.",
    ],
    policy: [
      "The microphone is not available here",
      "This website has switched it off for this page. You can type instead.",
    ],
    removed: [
      "The microphone is gone",
      "It was unplugged or switched off. You can type instead, or connect it again and press Talk.",
    ],
    sound: [
      "The sound could not be started",
      "You can type instead, or press Talk to try once more.",
    ],
  },
  help: {
    chrome: "Click the icon left of the address and switch the microphone on.",
    chromePhone: "Tap the icon left of the address, then Permissions, then Microphone.",
    firefox: "Click the crossed-out microphone left of the address and remove the block.",
    safari: "In the menu Safari, choose Settings for this website, and allow the microphone.",
    safariPhone:
      "Tap the icon left of the address, then Website Settings, and allow the microphone.",
    other: "You find it in your browser's settings for this website.",
  },
  allowed: ["The microphone is allowed now", "Press Talk to go on by voice."],
};

const de: HelpWords = {
  problems: {
    denied: [
      "Das Mikrofon ist blockiert",
      "Sie können stattdessen schreiben. Zum Sprechen erlauben Sie das Mikrofon und drücken noch einmal „Sprechen“.",
    ],
    dismissed: [
      "Das Mikrofon wurde nicht erlaubt",
      "Sie können stattdessen schreiben. Zum Sprechen drücken Sie noch einmal „Sprechen“ und wählen „Zulassen“, wenn der Browser fragt.",
    ],
    none: [
      "Es wurde kein Mikrofon gefunden",
      "Sie können stattdessen schreiben. Zum Sprechen schließen Sie eines an und drücken „Sprechen“.",
    ],
    busy: [
      "Das Mikrofon lässt sich nicht verwenden",
      "Vielleicht nutzt es ein anderes Programm. Sie können stattdessen schreiben, oder Sie schließen das Programm und drücken „Sprechen“.",
    ],
    insecure: [
      "Das Mikrofon ist hier nicht verfügbar",
      "Browser erlauben es nur auf Seiten, deren Adresse mit https beginnt. Sie können stattdessen schreiben.",
    ],
    policy: [
      "Das Mikrofon ist hier nicht verfügbar",
      "Diese Website hat es auf dieser Seite ausgeschaltet. Sie können stattdessen schreiben.",
    ],
    removed: [
      "Das Mikrofon ist weg",
      "Es wurde abgezogen oder ausgeschaltet. Sie können stattdessen schreiben, oder Sie schließen es wieder an und drücken „Sprechen“.",
    ],
    sound: [
      "Der Ton ließ sich nicht starten",
      "Sie können stattdessen schreiben, oder Sie versuchen es mit „Sprechen“ noch einmal.",
    ],
  },
  help: {
    chrome: "Klicken Sie auf das Symbol links neben der Adresse und schalten Sie das Mikrofon ein.",
    chromePhone:
      "Tippen Sie auf das Symbol links neben der Adresse, dann auf Berechtigungen und Mikrofon.",
    firefox:
      "Klicken Sie auf das durchgestrichene Mikrofon links neben der Adresse und heben Sie die Sperre auf.",
    safari:
      "Wählen Sie im Menü Safari „Einstellungen für diese Website“ und erlauben Sie das Mikrofon.",
    safariPhone:
      "Tippen Sie auf das Symbol links neben der Adresse, dann auf Website-Einstellungen, und erlauben Sie das Mikrofon.",
    other: "Sie finden es in den Einstellungen Ihres Browsers für diese Website.",
  },
  allowed: [
    "Das Mikrofon ist jetzt erlaubt",
    "Drücken Sie „Sprechen“, um mit der Stimme weiterzumachen.",
  ],
};

const fr: HelpWords = {
  problems: {
    denied: [
      "Le micro est bloqué",
      "Vous pouvez écrire. Pour parler, autorisez le micro et appuyez de nouveau sur Parler.",
    ],
    dismissed: [
      "Le micro n'a pas été autorisé",
      "Vous pouvez écrire. Pour parler, appuyez de nouveau sur Parler et choisissez Autoriser quand votre navigateur le demande.",
    ],
    none: [
      "Aucun micro n'a été trouvé",
      "Vous pouvez écrire. Pour parler, branchez un micro et appuyez sur Parler.",
    ],
    busy: [
      "Le micro ne peut pas être utilisé",
      "Un autre programme l'utilise peut-être. Vous pouvez écrire, ou fermer ce programme et appuyer sur Parler.",
    ],
    insecure: [
      "Le micro n'est pas disponible ici",
      "Les navigateurs ne l'autorisent que sur les pages dont l'adresse commence par https. Vous pouvez écrire.",
    ],
    policy: [
      "Le micro n'est pas disponible ici",
      "Ce site l'a désactivé sur cette page. Vous pouvez écrire.",
    ],
    removed: [
      "Le micro a disparu",
      "Il a été débranché ou éteint. Vous pouvez écrire, ou le rebrancher et appuyer sur Parler.",
    ],
    sound: [
      "Le son n'a pas pu démarrer",
      "Vous pouvez écrire, ou appuyer sur Parler pour réessayer.",
    ],
  },
  help: {
    chrome: "Cliquez sur l'icône à gauche de l'adresse et activez le micro.",
    chromePhone: "Touchez l'icône à gauche de l'adresse, puis Autorisations, puis Micro.",
    firefox: "Cliquez sur le micro barré à gauche de l'adresse et levez le blocage.",
    safari: "Dans le menu Safari, choisissez Réglages pour ce site web et autorisez le micro.",
    safariPhone:
      "Touchez l'icône à gauche de l'adresse, puis Réglages du site web, et autorisez le micro.",
    other: "Cela se trouve dans les réglages de votre navigateur pour ce site.",
  },
  allowed: ["Le micro est maintenant autorisé", "Appuyez sur Parler pour continuer à voix haute."],
};

const es: HelpWords = {
  problems: {
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

const WORDS: Record<Reviewed, HelpWords> = { en, de, fr, es };
