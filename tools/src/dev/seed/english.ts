import type { Phrases } from "./phrases.ts";

export const english: Phrases = {
  greeting:
    "Hello, I'm Linden, an AI guide. I'll show you Svc in about five minutes. Stop me any time: what brought you here?",
  needs: {
    after_hours: {
      said: "Half of our visitors come in the evening, when nobody from sales is around.",
      topic: "greeting your visitors in the evening",
      reply:
        "Then we fit. I answer at any hour, and in the morning you read what was said, with an evaluation of each talk.",
      shown:
        "This is what you would find in the morning: the conversation on the left, the facts on the right.",
    },
    repeated_demos: {
      said: "Our account managers give the same demo five times a day, mostly to people who never buy.",
      topic: "taking the first demo off your account managers",
      reply:
        "I can take the first round. I ask your questions along the way, and your people call those who fit.",
      shown:
        "Here is one of those talks. You see which questions were asked and which were answered.",
    },
    own_warehouse: {
      said: "We want every conversation in our own warehouse, not in yet another tool.",
      topic: "getting every conversation into your warehouse",
      reply:
        "Every finished session is there as JSON and as CSV. You walk it by date, and it skips none, even when talks end out of order.",
      shown: "This is the loop in ten lines. It reads on where it stopped the last time.",
    },
    several_languages: {
      said: "We sell in four countries and can't staff all the languages.",
      topic: "demos in several languages",
      reply:
        "I follow the language of the visitor's browser, and the record is written in one language for your team.",
      shown: "On this slide you see the same talk in German, with the record in English.",
    },
    self_hosting: {
      said: "Whatever we use has to run on our own servers.",
      topic: "running it on your own servers",
      reply: "It does. One server program and PostgreSQL, and nothing else is needed.",
      shown: "This is the whole picture: the page, the server, the database.",
    },
    lead_quality: {
      said: "Our contact form gives us names, but we never learn what people actually need.",
      topic: "learning what your visitors need",
      reply:
        "That is what the talk is for. You choose the questions, and each answer in the record comes with the visitor's own words.",
      shown: "Look at this record: every insight has its quote beside it.",
    },
    lost_trials: {
      said: "Trial users get lost in the first hour and don't come back.",
      topic: "guiding your trial users",
      reply:
        "I can sit in the corner of your page as a widget and help when they ask, by voice or by text.",
      shown: "This is the widget. It stays small until someone opens it.",
    },
    hard_to_explain: {
      said: "Our product is hard to explain in text, people have to see it.",
      topic: "showing what is hard to put into words",
      reply: "While I talk I can show slides and cards, and go back when somebody asks.",
      shown: "Like this one. You can page through it yourself while we talk.",
    },
  },
  questions: {
    recording: {
      said: "Do you record the audio?",
      reply: "No. Only the transcript is kept, and the notice says so before the talk begins.",
    },
    interrupting: {
      said: "What happens when I cut you off?",
      reply: "I stop. The transcript then holds only what you heard, not what I wanted to say.",
    },
    crm: {
      said: "How would this get into our CRM?",
      reply:
        "By a webhook. Each evaluated session is sent to an address of yours, signed, so you can check where it came from.",
    },
    cost: {
      said: "And what does it cost?",
      reply:
        "Svc is open source. You pay for your servers and for the speech and language models that you choose.",
    },
    installing: {
      said: "How much work is it to put this on our site?",
      reply:
        "One snippet on the page. After that a button, a floating widget or a block in the page starts me.",
    },
    retention: {
      said: "How long do you keep all this?",
      reply:
        "A year by default. You set it per account, and you can erase what belongs to one address.",
    },
    spreadsheet: {
      said: "Can my colleagues open the data in Excel?",
      reply:
        "Yes. There is a CSV link; the browser asks for your client id and token, and the file opens.",
    },
    person: {
      said: "Can people reach a human if they want to?",
      reply: "At any moment. There is a button for it, and you decide where it leads.",
    },
    phone: {
      said: "Does that work on a phone?",
      reply: "Yes. The controls sit at the thumb, and you can type instead of talking.",
    },
    inventing: {
      said: "Do you sometimes make things up?",
      reply:
        "I answer from what I was given to read. When it isn't in there, I say that I don't know.",
    },
    changing: {
      said: "How do we change what you say?",
      reply:
        "In a file. You edit it, look at the difference and apply it; every talk names the version it ran.",
    },
  },
  objections: {
    robots: {
      said: "Honestly, our customers hate talking to robots.",
      reply:
        "I understand. That is why I say what I am at once, typing is always there, and a person is one click away.",
    },
    machine_summaries: {
      said: "I don't really trust summaries that a machine wrote.",
      reply:
        "Then check the quotes. Every claim points to words that were said, and what can't be proven is left out.",
    },
    security_review: {
      said: "Our security team will need months for this.",
      reply:
        "They can read all of it. The code is open, it runs in your network, and no audio is kept.",
    },
    too_small: {
      said: "We may simply be too small for something like this.",
      reply: "One small server is enough. Begin with a single page and see what people ask.",
    },
    no_engineers: {
      said: "We have no engineers to spare at the moment.",
      reply: "The page needs one snippet. The rest is a text file that you can edit yourself.",
    },
  },
  unfit: {
    job_search: {
      said: "I'm actually looking for a job. Are you hiring at the moment?",
      reply: "I only know Svc itself. The button below brings you to a person who can tell you.",
    },
    own_offer: {
      said: "We design websites, and I wanted to offer you our services.",
      reply: "I can't take offers, I only show Svc. The button below leads to a person.",
    },
    no_website: {
      said: "I don't have a website, I was just curious how this sounds.",
      reply:
        "You are welcome. Without a page there is nothing for me to stand on, but ask me whatever you like.",
    },
  },
  currentTools: {
    video: "Today we have a video there, and hardly anybody watches it to the end.",
    chat: "Right now a chat window answers, and it keeps people waiting.",
    calendar: "At the moment people book a date, and half of them don't show up.",
  },
  deciders: {
    manager: "My head of marketing has to agree.",
    engineering: "Our engineers will want to look at it first.",
    board: "In the end the board decides.",
  },
  monthlyVisitors: {
    ask: "About how many people visit that page in a month?",
    said: [
      (people) => `About ${people.toLocaleString("en")}, I would say.`,
      (people) => `Roughly ${people.toLocaleString("en")} a month.`,
      (people) => `The last report said ${people.toLocaleString("en")}.`,
    ],
    thanks: "Good to know, thank you.",
  },
  timeline: {
    ask: "When would you like to have it running?",
    said: {
      this_month: "Ideally this month, we have a launch coming up.",
      this_quarter: "Sometime this quarter, I think.",
      next_year: "Not before next year, the budget is gone.",
      looking_around: "No idea yet, I'm only looking around.",
    },
    thanks: "That helps.",
  },
  introduction: ({ first, last, company }) => `I'm ${first} ${last}, from ${company}.`,
  cutIn: ["Sorry to cut in.", "Okay, that answers it.", "Right, got it."],
  emailCard: {
    offer: "If you like, I send you a summary. I have put a card for your address on the screen.",
    thanks: "Thank you, it will be with you shortly after our talk.",
  },
  goodbye: {
    visitor: [
      "Great, that's all I wanted to know. Bye.",
      "Thanks, I'll talk to my team.",
      "Okay, thank you.",
    ],
    agent: "Thank you for your time. Goodbye.",
  },
  prospectSummary: (person, topic) =>
    `Thank you for the talk${person === undefined ? "" : `, ${person.first}`}. We spoke about ${topic}. Whenever you have more questions, come back to the page and ask.`,
  people: {
    first: [
      "Amara",
      "Callum",
      "Priya",
      "Daniel",
      "Grace",
      "Owen",
      "Leila",
      "Marcus",
      "Ruth",
      "Tomasz",
      "Zoe",
      "Ibrahim",
    ],
    last: [
      "Okafor",
      "Bennett",
      "Raman",
      "Whitfield",
      "Moreau",
      "Lindqvist",
      "Haddad",
      "Sinclair",
      "Novak",
      "Achebe",
    ],
  },
  companies: [
    "Harbour Lane",
    "Fernleaf Analytics",
    "Copperfield Tools",
    "Northgate Health",
    "Papertrail Books",
    "Tidewater Energy",
    "Quillworks",
    "Brightside Clinics",
  ],
};
