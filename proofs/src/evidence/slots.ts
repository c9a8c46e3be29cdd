import type { Random } from "@svc/tools/random";
import type { Phrasebook } from "./phrases/phrasebook.ts";

/** What one sentence is about. */
export interface Filling {
  /** Index of a spelled number of every phrasebook, or digits. */
  number: { spelled: number } | { digits: string };
  name: string;
  month: number;
  mail: string;
}

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
  readonly #taken = new Set<string>();
  /** What was heard, in digits and by name. */
  readonly heardNumbers: string[] = [];
  readonly heardNames: string[] = [];
  readonly heardMonths: number[] = [];
  /** What was generated for a turn and never heard. */
  readonly unheard: string[] = [];
  /** What stands only in the agent's knowledge. */
  readonly known: string;
  readonly knownNumber: string;

  constructor(random: Random) {
    this.#random = random;
    this.known = this.#name();
    this.knownNumber = this.#digits();
  }

  draw(): Filling {
    const spelled = this.#random.integer(0, 5);
    const isSpelled = this.#random.chance(0.5) && !this.#taken.has(`spelled ${spelled}`);
    this.#taken.add(`spelled ${spelled}`);
    return {
      number: isSpelled ? { spelled } : { digits: this.#digits() },
      name: this.#name(),
      month: this.#random.integer(0, 2),
      mail: `${this.#name()
        .toLowerCase()
        .normalize("NFD")
        .replace(/[^a-z]/g, "")}@example.org`,
    };
  }

  /** As it is said, and heard from now on. */
  fill(template: string, filling: Filling, book: Phrasebook): string {
    const { number, name, month, mail } = filling;
    if (template.includes("{n}")) this.heardNumbers.push(this.#inDigits(number, book));
    if (template.includes("{name}")) this.heardNames.push(name);
    if (template.includes("{month}")) this.heardMonths.push(month);
    const said =
      "spelled" in number ? book.spelled[number.spelled]![0] : this.#grouped(number.digits);
    return template
      .replace("{n}", said)
      .replace("{name}", name)
      .replace("{month}", book.months[month]!)
      .replace("{mail}", mail);
  }

  /** As it is written down. */
  note(template: string, { number, name, month, mail }: Filling, book: Phrasebook): string {
    const isInWords = "spelled" in number && this.#random.chance(0.2);
    return template
      .replace("{n}", isInWords ? book.spelled[number.spelled]![0] : this.#inDigits(number, book))
      .replace("{name}", name)
      .replace("{month}", book.months[month]!)
      .replace("{mail}", mail);
  }

  /** Planned to be said, and cut off before. */
  fillUnheard(template: string): string {
    const [number, name] = [this.#digits(), this.#name()];
    this.unheard.push(number, name);
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
      ...this.unheard,
    ]);
  }

  #name(): string {
    for (;;) {
      const name = this.#random.pick(FIRST) + this.#random.pick(SECOND);
      if (this.#taken.has(name)) continue;
      this.#taken.add(name);
      return name;
    }
  }

  #digits(): string {
    for (;;) {
      const digits = String(this.#random.pick([1, 10]) * this.#random.integer(51, 899));
      if (this.#taken.has(digits) || ["260", "300", "7000"].includes(digits)) continue;
      this.#taken.add(digits);
      return digits;
    }
  }

  #inDigits(number: Filling["number"], book: Phrasebook): string {
    return "digits" in number ? number.digits : book.spelled[number.spelled]![1];
  }

  #grouped(digits: string): string {
    const sign = this.#random.pick(["", "", ",", ".", "\u202F"]);
    return digits.length < 4 ? digits : `${digits.slice(0, -3)}${sign}${digits.slice(-3)}`;
  }
}
