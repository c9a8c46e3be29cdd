import { stringify } from "yaml";
import type { Brand } from "./find-brand.ts";
import type { FoundPlace, FoundSlide } from "./worth-showing.ts";

/** All that an agent's folder is described by. */
export interface AgentOutline {
  source: string;
  today: string;
  brand: Brand;
  /** Where the brand's site is, if it has one. */
  site: string | undefined;
  /** Codes of languages that are built in, the site's own first. */
  languages: string[];
  /** The site's other languages, whose texts must be reviewed before they can be used. */
  unworded: string[];
  slides: (Pick<FoundSlide, "id" | "title" | "file"> & {
    kind: "table" | "markdown";
    about?: string;
  })[];
  places: FoundPlace[];
  draft: OutlineDraft | undefined;
}

/** What only a model or a person can write. */
export interface OutlineDraft {
  greetings: Record<string, string>;
  persona?: string;
  questions: { key: string; text: string }[];
  qualified: string[];
  disqualified: string[];
}

/** Writes agent.yaml with what is known, and shows as comments what is still to be written. */
export function agentYaml(outline: AgentOutline): string {
  const { source, today, brand, site, languages, slides, places, draft } = outline;
  const known = {
    name: "Linden",
    brand: {
      name: brand.name,
      ...(brand.logo !== undefined && { logo: brand.logo.path }),
      ...(site?.startsWith("https:") === true && { link: site }),
      ...(brand.colors !== undefined && { colors: brand.colors }),
    },
    languages: Object.fromEntries(
      languages.map((code) => {
        const greeting = draft?.greetings[code];
        return [code, greeting === undefined ? null : { greeting }];
      }),
    ),
    ...(draft?.persona !== undefined && { persona: draft.persona }),
    ...(slides.length > 0 && {
      content: slides.map(({ id, title, kind, file, about = title }) => ({
        id,
        title,
        kind,
        file,
        show_when: `The visitor asks about ${about}.`,
      })),
    }),
    ...(places.length > 0 && {
      places: Object.fromEntries(
        places.map(({ id, path, selector, caption }) => [
          id,
          { path, selector, caption, show_when: `The visitor asks about ${caption}.` },
        ]),
      ),
    }),
    ...(draft !== undefined &&
      draft.questions.length > 0 && {
        questions: Object.fromEntries(draft.questions.map(({ key, text }) => [key, text])),
      }),
    ...(draft !== undefined &&
      draft.qualified.length > 0 && {
        qualification: {
          qualified: draft.qualified,
          ...(draft.disqualified.length > 0 && { disqualified: draft.disqualified }),
        },
      }),
    ...(site !== undefined && { allowed_origins: [new URL(site).origin] }),
  };
  return `${header(source, today)}\n${stringify(known, { nullStr: "", lineWidth: 100 })}${toWrite(outline)}`;
}

function header(source: string, today: string): string {
  return [
    "# yaml-language-server: $schema=agent.schema.json",
    "#",
    `# Made from ${source} on ${today}. Read it from top to bottom, and the files of knowledge/: what they`,
    "# say, the agent says. `svc agents refresh` with this folder shows later what has changed at the source.",
    "",
  ].join("\n");
}

/** Examples that are comments until somebody has thought about them. */
function toWrite({ draft, unworded, languages, brand }: AgentOutline): string {
  const has = { questions: draft?.questions.length ?? 0, criteria: draft?.qualified.length ?? 0 };
  const silent = languages.find((code) => draft?.greetings[code] === undefined);
  const parts = [
    ...(brand.logo === undefined
      ? [
          "# Your logo, a file in this folder. Add it above, under `brand:`:",
          "#   logo: content/logo.svg",
          "",
        ]
      : []),
    ...(silent !== undefined
      ? [
          "# What the agent says first; until then it greets in our words. Add it above, under its language:",
          `#   ${silent}:`,
          "#     greeting: Hello, I am an AI and show you what we do. What brings you here?",
          "",
        ]
      : []),
    ...(draft?.persona === undefined
      ? [
          "# Who speaks, under the name above, and how:",
          "# persona: You have worked here for years. You are friendly, brief and exact.",
          "",
        ]
      : []),
    ...(unworded.length > 0
      ? [
          "# The site also has these languages. Move one up to `languages:`; `svc agents apply` then drafts our own texts in it.",
          ...unworded.map((code) => `#   ${code}:`),
          "",
        ]
      : []),
    ...(has.questions === 0
      ? [
          "# What the agent should find out:",
          "# questions:",
          "#   team_size: How many people would use it?",
          "",
        ]
      : []),
    ...(has.criteria === 0
      ? [
          "# Who counts as qualified:",
          "# qualification:",
          "#   qualified: They have a team of five or more.",
          "",
        ]
      : []),
    '# Where "talk to a person" leads:',
    "# person: sales@example.com",
    "",
  ];
  return `\n${parts.join("\n").trimEnd()}\n`;
}
