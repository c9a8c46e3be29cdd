/**
 * Ways to get an agent file wrong. Each is planted alone into a file that was good, and must be
 * told at its own field and line.
 */
export type PlantedMistake = Place & Way;

interface Place {
  name: string;
  /** What must be named. */
  field: string;
  /** Where it is planted, if not there. */
  at?: string;
  /** How many lines below that it stands. */
  below?: number;
  /** What it brings with it: these are named too. */
  also?: string[];
}

type Way =
  /** This stands where the field's value should be. */
  | { raw: string }
  /** The field's key is written like this. */
  | { key: string }
  /** The field is left out; the line of what it stands in is named. */
  | { leftOut: true }
  /** Its line is written like this. */
  | { line: (line: string) => string | string[] }
  /** This file holds something else, or is not there. */
  | { file: string; bytes: OtherBytes };

type OtherBytes = Buffer | undefined | "link out of the folder";

const values: [field: string, ...raws: string[]][] = [
  ["name", "42", "true", "~", '""', "[Ada]", `"${"x".repeat(81)}"`, '"two\\nlines"'],
  ["brand", "Acme", "[Acme]"],
  ["brand.name", "2024"],
  ["brand.logo", "/etc/passwd", "../logo.svg", "content/lgo.svg", "content/notes.txt", "content"],
  ["brand.link", "http://acme.example", "www.acme.example", "ftp://acme.example"],
  ["brand.colors", '"#ffffff"'],
  ["brand.colors.primary", "#fff", "red", '"#ff"', '"rgb(1, 2, 3)"'],
  ["modes", "voice", "[]"],
  ["modes[1]", "talk", "voice"],
  ["languages", "en", "[en, de]"],
  ["languages.de", "Deutsch"],
  ["languages.en.greeting", "12", '"   "', `"${"x".repeat(501)}"`],
  ["default_language", "it", "English"],
  ["record_language", "english", "en_US", "EN", "en-UK"],
  ["persona", "5", '""'],
  ["instructions", "[Ask]"],
  ["knowledge", "knowledge/prices.md"],
  ["knowledge[1]", "knowledge/none.md", "knowledge/prices.md", "../setup.md", "content/prices.csv"],
  ["content", "content/tour.png"],
  ["content[0]", "tour"],
  ["content[0].id", "Tour", "prices tour", "1st"],
  ["content[1].id", "tour"],
  ["content[0].kind", "picture", "imge"],
  ["content[0].file", "content/tour.jpg", "content/prices.csv"],
  ["content[2].link", "acme.example/film"],
  ["questions", "[team_size]"],
  ["questions.team_size", "5", "~"],
  ["insights", "tool"],
  ["qualification", "They have a team."],
  ["tools", "show_content"],
  ["tools[0]", "fly", "showcontent"],
  ["limits.max_minutes", "31", "0", "1.5", '"15"', "a while"],
  ["limits.at_once", "-1", "none"],
  ["limits.daily_starts", "0.5"],
  ["limits.daily_cost", "0", "free"],
  ["allowed_origins", "https://acme.example"],
  [
    "allowed_origins[1]",
    "acme.example",
    "https://acme.example/shop",
    "https://*.acme.example",
    '"*"',
  ],
  ["allowed_origins[1]", "https://www.acme.example:443/", "~"],
  ["avatar", "dog", "5"],
  ["person", "nowhere", "http://acme.example", "javascript:alert(1)"],
  ["follow_up", "off", "1"],
];

const keys: [field: string, ...slips: string[]][] = [
  ["brand", "brnad"],
  ["languages", "langauges"],
  ["record_language", "recordLanguage"],
  ["questions", "Questions"],
  ["persona", "personality"],
  ["limits", "limit"],
  ["limits.max_minutes", "max_mintues", "maxMinutes"],
  ["languages.en.greeting", "greting"],
  ["content[1].file", "path"],
  ["brand.colors", "colours"],
  ["languages.de", "german", "DE", "de_DE"],
  ["questions.team_size", "Team Size", "team-size", "2nd", "__proto__"],
  ["qualification.disqualified", "disqualifed"],
  ["person", "greeting"],
];

/** Who renames a field has also left it out. */
const alsoMissing = new Map([
  ["path", ["content[1].file"]],
  ["greeting", ["tools[2]"]],
]);

const leftOut = [
  "name",
  "content[0].title",
  "content[1].kind",
  "content[1].file",
  "qualification.qualified",
];

const afterKey = (value: string) => (line: string) => line.replace(/:.*$/, `: ${value}`);

const lines: [
  name: string,
  at: string,
  write: (line: string) => string | string[],
  below?: number,
][] = [
  ["a tab", "brand.name", (line) => line.replace(/^ +/, "\t")],
  ["a tab deep inside", "languages.en.notice", (line) => `\t${line.trim()}`],
  ["one space too few", "limits.at_once", (line) => line.replace(/^ /, "")],
  ["one space too many", "questions.timeline", (line) => ` ${line}`],
  ["two spaces too many", "brand.link", (line) => `  ${line}`],
  ["a colon in a text", "languages.en.voice", afterKey("the voice: alloy")],
  ["no space after the colon", "avatar", () => "avatar:rowan"],
  ["no colon", "insights", (line) => line.replace(":", "")],
  ["an open quote", "brand.name", afterKey('"Acme')],
  ["an open single quote", "person", afterKey("'sales@acme.example")],
  ["an apostrophe in quotes", "insights.tool", afterKey("'what's there'")],
  ["an open bracket", "person", afterKey("[sales@acme.example")],
  ["an open brace", "avatar", afterKey("{rowan: 1")],
  ["a reserved sign", "person", afterKey("@acme")],
  ["a percent sign", "avatar", afterKey("%rowan")],
  ["an alias", "languages.en.voice", afterKey("*bold")],
  ["a tag", "languages.en.voice", afterKey("!loud alloy")],
  ["an escape that is none", "brand.name", afterKey(String.raw`"Ac\me"`)],
  ["a control character", "brand.name", afterKey(String.raw`"Ac\u0007me"`)],
  ["half a character", "brand.name", afterKey(String.raw`"\uD83D"`)],
  ["the key a second time", "avatar", (line) => [line, "avatar: ash"], 1],
  ["the question a second time", "questions.timeline", (line) => [line, line], 1],
  ["a dash without a space", "record_language", afterKey("-de")],
];

const files: [name: string, field: string, file: string, bytes: OtherBytes][] = [
  ["a picture that is not there", "content[0].file", "content/tour.png", undefined],
  ["a picture without a byte", "content[0].file", "content/tour.png", Buffer.alloc(0)],
  ["a picture that is text", "content[0].file", "content/tour.png", Buffer.from("hello")],
  ["a picture that runs", "brand.logo", "content/logo.svg", Buffer.from("<svg onload='x()'/>")],
  [
    "a text that is no UTF-8",
    "knowledge[0]",
    "knowledge/prices.md",
    Buffer.from([0xff, 0xfe, 0x00]),
  ],
  ["a text that is too large", "knowledge[1]", "knowledge/setup.md", Buffer.alloc(500_001, "x")],
  ["a table with a NUL", "content[1].file", "content/prices.csv", Buffer.from("a,b\n\0,1\n")],
  ["a link out of the folder", "knowledge[1]", "knowledge/setup.md", "link out of the folder"],
];

export const plantedMistakes: PlantedMistake[] = [
  ...values.flatMap(([field, ...raws]) =>
    raws.map((raw) => ({ name: `${field}: ${raw.slice(0, 40)}`, field, raw })),
  ),
  ...keys.flatMap(([at, ...slips]) =>
    slips.map((key) => ({
      name: `${key} for ${at}`,
      at,
      field: at.includes(".") ? at.replace(/[^.]*$/, key) : key,
      key,
      also: alsoMissing.get(key) ?? [],
    })),
  ),
  ...leftOut.map((field) => ({ name: `no ${field}`, field, leftOut: true as const })),
  ...lines.map(([name, at, line, below = 0]) => ({
    name: `${name} at ${at}`,
    field: at,
    line,
    below,
  })),
  ...files.map(([name, field, file, bytes]) => ({ name, field, file, bytes })),
];
