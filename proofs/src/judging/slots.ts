import type { Random } from "@svc/tools/random";
import type { Phrasebook } from "./evidence-talk.ts";

/** What one sentence is about. */
interface Filling {
  number: string;
  name: string;
  month: number;
  mail: string;
}

/** The numbers that every phrasebook has in words, too: they are always said so. */
const SPELLED = ["12", "25", "41", "300", "260", "7000"];
const FIRST = ["Quill", "Zen", "Brisk", "Öko", "Łodz", "Nord", "Ça", "Vel", "Mör", "Aşk"];
const SECOND = ["Desk", "Hub", "Flow", "Wärk", "Ñandu", "Point", "Łink", "Base", "Grid", "Élan"];
const GIVEN = ["Ada", "Zoë", "Łukasz", "Íñigo", "Nguyễn", "Siobhán", "Jörg", "Amélie"];
const FAMILY = ["Okafor", "Brankovič", "Etxeberria", "Weiß", "Lindqvist", "D’Amico", "Núñez"];

/**
 * Numbers, names, months and addresses, each drawn once in a talk: what was said of one thing can
 * never back another by chance. Some are kept back for what is made up.
 */
export class Slots {
  readonly #random: Random;
  readonly #spelled: string[];
  readonly #taken = new Set(SPELLED);
  /** What was said, as it may be noted. */
  readonly heard = { numbers: [] as string[], names: [] as string[], months: [] as number[] };
  /** What was generated for a turn and never heard. */
  readonly #unheard: string[] = [];
  /** What is only in the agent's knowledge. */
  readonly known: string;
  readonly knownNumber: string;

  constructor(random: Random) {
    this.#random = random;
    this.#spelled = random.pickSeveral(SPELLED, SPELLED.length);
    this.known = this.#name();
    this.knownNumber = this.#digits();
  }

  draw(): Filling {
    const spelled = this.#random.chance(0.4) ? this.#spelled.pop() : undefined;
    const mailbox = this.#name().toLowerCase().normalize("NFD");
    return {
      number: spelled ?? this.#digits(),
      name: this.#name(),
      month: this.#random.integer(0, 2),
      mail: `${mailbox.replace(/[^a-z]/g, "")}@example.org`,
    };
  }

  /** As it is said, and heard from now on. */
  fill(template: string, filling: Filling, book: Phrasebook): string {
    const { number, name, month } = filling;
    if (template.includes("{n}")) this.heard.numbers.push(number);
    if (template.includes("{name}")) this.heard.names.push(name);
    if (template.includes("{month}")) this.heard.months.push(month);
    return put(template, inWords(number, book) ?? this.#grouped(number), filling, book);
  }

  /** As it is noted. */
  note(template: string, filling: Filling, book: Phrasebook): string {
    const words = this.#random.chance(0.2) ? inWords(filling.number, book) : undefined;
    return put(template, words ?? filling.number, filling, book);
  }

  /** Planned to be said, and interrupted before. */
  fillUnheard(template: string): string {
    const [number, name] = [this.#digits(), this.#name()];
    this.#unheard.push(number, name);
    return template.replace("{n}", number).replace("{name}", name);
  }

  person(): string {
    return `${this.#random.pick(GIVEN)} ${this.#random.pick(FAMILY)}`;
  }

  /** Something that nobody said: a number, a name, a month or an address. */
  madeUp(book: Phrasebook): string {
    return this.#random.pick([
      String(this.#random.integer(9_001, 9_999)),
      this.#name(),
      book.months[3]!,
      "ceo@madeup.example",
      "madeup.example/prices",
      "k e y s ok",
      ...this.#unheard,
    ]);
  }

  #name(): string {
    return this.#untaken(() => this.#random.pick(FIRST) + this.#random.pick(SECOND));
  }

  #digits(): string {
    return this.#untaken(() => String(this.#random.pick([1, 10]) * this.#random.integer(51, 899)));
  }

  #untaken(make: () => string): string {
    let made = make();
    while (this.#taken.has(made)) made = make();
    this.#taken.add(made);
    return made;
  }

  #grouped(digits: string): string {
    const sign = this.#random.pick(["", "", ",", ".", "\u202F"]);
    return digits.length < 4 ? digits : `${digits.slice(0, -3)}${sign}${digits.slice(-3)}`;
  }
}

function inWords(number: string, book: Phrasebook): string | undefined {
  return book.spelled.split(" | ")[SPELLED.indexOf(number)];
}

function put(template: string, number: string, filling: Filling, book: Phrasebook): string {
  return template
    .replace("{n}", number)
    .replace("{name}", filling.name)
    .replace("{month}", book.months[filling.month]!)
    .replace("{mail}", filling.mail);
}
