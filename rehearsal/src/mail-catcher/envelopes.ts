/** What a client wrote in its MAIL and RCPT commands, letter by letter. */
export interface Envelope {
  from: string;
  to: string[];
}

/** The envelopes that connections are at, by the connection's id. The library's own are decoded and without repetitions. */
export class Envelopes {
  readonly #open = new Map<string, Envelope>();

  /** A line that a client sent. True if it named a recipient. */
  read(connection: string, line: string): boolean {
    const path = /^(?<verb>MAIL FROM|RCPT TO): ?<(?<address>.*)>/i.exec(line)?.groups;
    if (path === undefined) return false;
    const address = path["address"]!;
    const isRecipient = path["verb"]!.toUpperCase() === "RCPT TO";
    if (isRecipient) this.of(connection).to.push(address);
    else this.#open.set(connection, { from: address, to: [] });
    return isRecipient;
  }

  of(connection: string): Envelope {
    return this.#open.get(connection) ?? { from: "", to: [] };
  }

  forget(connection: string): void {
    this.#open.delete(connection);
  }
}
