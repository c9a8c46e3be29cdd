import type { Db } from "#platform";
import { selectDue } from "./delivery-store.ts";
import type { DueDelivery } from "./delivery-store.ts";

/** Reads deliveries that are asked for in the same moment together: one by one, reading would cost more than sending. */
export class DueDeliveries {
  readonly #db: Db;
  #asked = new Set<string>();
  #answer: Promise<Map<string, DueDelivery>> | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  async read(deliveryId: string): Promise<DueDelivery | undefined> {
    this.#asked.add(deliveryId);
    this.#answer ??= Promise.resolve().then(() => this.#readAsked());
    return (await this.#answer).get(deliveryId);
  }

  async #readAsked(): Promise<Map<string, DueDelivery>> {
    const ids = [...this.#asked];
    this.#asked = new Set();
    this.#answer = undefined;
    return new Map((await selectDue(this.#db, ids)).map((due) => [due.id, due]));
  }
}
