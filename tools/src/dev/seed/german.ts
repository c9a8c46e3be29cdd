import type { Phrases } from "./phrases.ts";

export const german: Phrases = {
  greeting:
    "Guten Tag, ich bin Linden, eine KI. Ich zeige Ihnen Svc in etwa fünf Minuten. Unterbrechen Sie mich jederzeit: Was führt Sie her?",
  needs: {
    after_hours: {
      said: "Die Hälfte unserer Besucher kommt abends, da ist im Vertrieb niemand mehr da.",
      topic: "den Empfang Ihrer Besucher am Abend",
      reply:
        "Dann passt das gut. Ich antworte zu jeder Uhrzeit, und morgens lesen Sie, was gesagt wurde, mit einer Auswertung zu jedem Gespräch.",
      shown: "So sieht es am Morgen aus: links das Gespräch, rechts die Fakten.",
    },
    repeated_demos: {
      said: "Unsere Leute zeigen fünfmal am Tag dieselbe Demo, meistens für Leute, die nie kaufen.",
      topic: "die Entlastung Ihres Teams bei der ersten Demo",
      reply:
        "Die erste Runde kann ich übernehmen. Ich stelle dabei Ihre Fragen, und Ihre Leute rufen die an, die passen.",
      shown: "Hier sehen Sie so ein Gespräch, mit allen gestellten und beantworteten Fragen.",
    },
    own_warehouse: {
      said: "Wir wollen jedes Gespräch in unserem eigenen Data Warehouse haben, nicht in noch einem Werkzeug.",
      topic: "den Weg jedes Gesprächs in Ihr Data Warehouse",
      reply:
        "Jedes beendete Gespräch gibt es als JSON und als CSV. Sie gehen nach Datum vor, und es fehlt keines, auch wenn sich Gespräche überholen.",
      shown:
        "Das ist die ganze Schleife, zehn Zeilen. Sie liest dort weiter, wo sie aufgehört hat.",
    },
    several_languages: {
      said: "Wir verkaufen in vier Ländern und können nicht alle Sprachen besetzen.",
      topic: "Vorführungen in mehreren Sprachen",
      reply:
        "Ich richte mich nach der Sprache des Browsers, und das Protokoll entsteht in einer Sprache für Ihr Team.",
      shown:
        "Auf dieser Folie sehen Sie dasselbe Gespräch auf Französisch, mit dem Protokoll auf Englisch.",
    },
    self_hosting: {
      said: "Was wir einsetzen, muss auf unseren eigenen Servern laufen.",
      topic: "den Betrieb auf Ihren eigenen Servern",
      reply: "Das tut es. Ein Serverprogramm und PostgreSQL, mehr braucht es nicht.",
      shown: "Das ist das ganze Bild: die Seite, der Server, die Datenbank.",
    },
    lead_quality: {
      said: "Über das Kontaktformular bekommen wir Namen, aber nie, was die Leute wirklich brauchen.",
      topic: "das, was Ihre Besucher brauchen",
      reply:
        "Dafür ist das Gespräch da. Sie wählen die Fragen, und zu jeder Antwort steht im Protokoll der Wortlaut des Besuchers.",
      shown: "Sehen Sie hier: Neben jeder Erkenntnis steht das Zitat.",
    },
    lost_trials: {
      said: "Unsere Testnutzer verlieren sich in der ersten Stunde und kommen nicht wieder.",
      topic: "die Begleitung Ihrer Testnutzer",
      reply:
        "Ich kann als kleines Fenster in der Ecke Ihrer Seite sitzen und helfen, wenn jemand fragt, mit Stimme oder Text.",
      shown: "Das ist das Fenster. Es bleibt klein, bis es jemand öffnet.",
    },
    hard_to_explain: {
      said: "Unser Produkt lässt sich schlecht beschreiben, man muss es sehen.",
      topic: "das Zeigen statt Beschreiben",
      reply:
        "Beim Sprechen kann ich Folien und Karten zeigen und zurückgehen, wenn jemand nachfragt.",
      shown: "Zum Beispiel diese. Sie können selbst weiterblättern, während wir sprechen.",
    },
  },
  questions: {
    recording: {
      said: "Nehmen Sie den Ton auf?",
      reply: "Nein. Nur der Text bleibt erhalten, und das steht im Hinweis, bevor es losgeht.",
    },
    interrupting: {
      said: "Was passiert, wenn ich Ihnen ins Wort falle?",
      reply:
        "Dann höre ich auf. Im Protokoll steht nur, was Sie gehört haben, nicht, was ich noch sagen wollte.",
    },
    crm: {
      said: "Wie kommt das in unser CRM?",
      reply:
        "Über einen Webhook. Jedes ausgewertete Gespräch geht signiert an eine Adresse von Ihnen, Sie können also prüfen, woher es kommt.",
    },
    cost: {
      said: "Und was kostet das?",
      reply:
        "Svc ist quelloffen. Sie bezahlen Ihre Server und die Sprach- und Textmodelle, die Sie auswählen.",
    },
    installing: {
      said: "Wie aufwendig ist der Einbau auf unserer Seite?",
      reply:
        "Ein Schnipsel auf der Seite. Danach starten Sie mich über einen Knopf, ein Fenster in der Ecke oder einen Block in der Seite.",
    },
    retention: {
      said: "Wie lange bleiben die Daten gespeichert?",
      reply:
        "Im Normalfall ein Jahr. Sie stellen es je Konto ein und können alles zu einer Adresse löschen.",
    },
    spreadsheet: {
      said: "Können die Kollegen das in Excel öffnen?",
      reply:
        "Ja. Es gibt einen CSV-Link; der Browser fragt nach Kundennummer und Token, dann öffnet sich die Datei.",
    },
    person: {
      said: "Kann man auch mit einem Menschen sprechen?",
      reply: "Jederzeit. Dafür gibt es einen Knopf, und Sie legen fest, wohin er führt.",
    },
    phone: {
      said: "Geht das auch am Handy?",
      reply: "Ja. Die Knöpfe liegen am Daumen, und statt zu sprechen kann man schreiben.",
    },
    inventing: {
      said: "Denken Sie sich manchmal etwas aus?",
      reply:
        "Ich antworte aus dem, was man mir zu lesen gab. Steht es dort nicht, sage ich, dass ich es nicht weiß.",
    },
    changing: {
      said: "Wie ändern wir, was Sie sagen?",
      reply:
        "In einer Datei. Sie ändern sie, sehen sich den Unterschied an und wenden sie an; jedes Gespräch nennt seine Fassung.",
    },
  },
  objections: {
    robots: {
      said: "Ehrlich gesagt reden unsere Kunden ungern mit Robotern.",
      reply:
        "Das verstehe ich. Darum sage ich sofort, was ich bin, schreiben geht immer, und ein Mensch ist einen Klick entfernt.",
    },
    machine_summaries: {
      said: "Zusammenfassungen von einer Maschine traue ich nicht so recht.",
      reply:
        "Dann prüfen Sie die Zitate. Jede Aussage verweist auf gesagte Worte, und was sich nicht belegen lässt, fehlt.",
    },
    security_review: {
      said: "Unsere Sicherheitsabteilung wird Monate dafür brauchen.",
      reply:
        "Sie kann alles lesen. Der Code ist offen, er läuft in Ihrem Netz, und Ton wird nicht aufbewahrt.",
    },
    too_small: {
      said: "Vielleicht sind wir für so etwas einfach zu klein.",
      reply:
        "Ein kleiner Server genügt. Fangen Sie mit einer einzigen Seite an und sehen Sie, was die Leute fragen.",
    },
    no_engineers: {
      said: "Wir haben gerade keine Entwickler frei.",
      reply:
        "Die Seite braucht einen Schnipsel. Der Rest ist eine Textdatei, die Sie selbst ändern können.",
    },
  },
  unfit: {
    job_search: {
      said: "Ich suche eigentlich eine Stelle. Stellen Sie gerade ein?",
      reply:
        "Ich kenne nur Svc selbst. Über den Knopf unten erreichen Sie einen Menschen, der es weiß.",
    },
    own_offer: {
      said: "Wir gestalten Webseiten und wollten Ihnen unsere Dienste anbieten.",
      reply:
        "Angebote kann ich nicht annehmen, ich zeige nur Svc. Der Knopf unten führt zu einem Menschen.",
    },
    no_website: {
      said: "Ich habe gar keine Webseite, ich wollte nur hören, wie das klingt.",
      reply: "Sehr gern. Ohne Seite habe ich keinen Platz, aber fragen Sie, was Sie möchten.",
    },
  },
  currentTools: {
    video: "Heute steht dort ein Video, und kaum jemand sieht es zu Ende.",
    chat: "Im Moment antwortet ein Chatfenster, und die Leute warten lange.",
    calendar: "Bisher buchen die Leute einen Termin, und die Hälfte kommt nicht.",
  },
  deciders: {
    manager: "Meine Marketingleiterin muss noch zustimmen.",
    engineering: "Unsere Entwickler wollen es vorher ansehen.",
    board: "Am Ende entscheidet die Geschäftsführung.",
  },
  monthlyVisitors: {
    ask: "Wie viele Leute besuchen diese Seite ungefähr im Monat?",
    said: [
      (people) => `Etwa ${people.toLocaleString("de")}, würde ich sagen.`,
      (people) => `Rund ${people.toLocaleString("de")} im Monat.`,
      (people) => `Im letzten Bericht standen ${people.toLocaleString("de")}.`,
    ],
    thanks: "Gut zu wissen, danke.",
  },
  timeline: {
    ask: "Wann soll es bei Ihnen laufen?",
    said: {
      this_month: "Am liebsten noch diesen Monat, wir haben bald eine Messe.",
      this_quarter: "Irgendwann in diesem Quartal, denke ich.",
      next_year: "Nicht vor dem nächsten Jahr, das Budget ist weg.",
      looking_around: "Das weiß ich noch nicht, ich sehe mich nur um.",
    },
    thanks: "Das hilft mir weiter.",
  },
  introduction: ({ first, last, company }) =>
    `Mein Name ist ${first} ${last}, ich arbeite bei ${company}.`,
  cutIn: ["Entschuldigung, kurz dazwischen.", "Gut, das genügt mir.", "Ja, verstanden."],
  emailCard: {
    offer:
      "Wenn Sie möchten, schicke ich Ihnen eine Zusammenfassung. Ich habe ein Feld für Ihre Adresse eingeblendet.",
    thanks: "Vielen Dank, sie kommt kurz nach unserem Gespräch.",
  },
  goodbye: {
    visitor: [
      "Gut, mehr wollte ich nicht wissen. Auf Wiedersehen.",
      "Danke, ich bespreche das im Team.",
      "Alles klar, vielen Dank.",
    ],
    agent: "Danke für Ihre Zeit. Auf Wiederhören.",
  },
  prospectSummary: (person, topic) =>
    `Vielen Dank für das Gespräch${person === undefined ? "" : `, ${person.first} ${person.last}`}. Wir sprachen über ${topic}. Wenn Sie weitere Fragen haben, kommen Sie einfach wieder auf die Seite.`,
  people: {
    first: [
      "Anneliese",
      "Jörg",
      "Miriam",
      "Cem",
      "Katharina",
      "Lukas",
      "Sabine",
      "Emre",
      "Ulrike",
      "Matthias",
    ],
    last: [
      "Weiß",
      "Öztürk",
      "Brandstätter",
      "Krüger",
      "Vogel",
      "Hähnle",
      "Lorenz",
      "Yıldız",
      "Schäfer",
    ],
  },
  companies: [
    "Nordlicht Optik",
    "Talbrücke Software",
    "Kranich & Söhne",
    "Morgenstern Pflege",
    "Rheinwerk Logistik",
    "Feinguss Müller",
  ],
};
