import type { LadderWords } from "../ladder-words.ts";

export const de: LadderWords = {
  rungs: {
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
