/** What a name leads to, as the name server of the proof plays it. */
export interface Name {
  /** With `turns`, each question is answered by the next of these; otherwise by all. */
  addresses: string[];
  turns: boolean;
}

/** Answers for names that were made known before; every question is counted. */
export class Names {
  readonly #names = new Map<string, Name & { asked: Record<string, number> }>();

  define(names: Record<string, Name>): void {
    for (const [name, meaning] of Object.entries(names)) {
      this.#names.set(name, { ...meaning, asked: {} });
    }
  }

  answer(name: string, type: "A" | "AAAA"): string[] | "nxdomain" {
    const known = this.#names.get(name);
    if (known === undefined) return "nxdomain";
    const turn = (known.asked[type] ?? 0) % known.addresses.length;
    known.asked[type] = turn + 1;
    const answered = known.turns ? known.addresses.slice(turn, turn + 1) : known.addresses;
    return answered.filter((address) => address.includes(":") === (type === "AAAA"));
  }

  forget(): void {
    this.#names.clear();
  }
}
