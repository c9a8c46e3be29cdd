import type { Log } from "#platform";

/** Checks at no cost whether a vendor answers and accepts our key. */
export interface VendorProbe {
  part: "hearing" | "voice";
  provider: string;
  /** Throws when it does not. */
  probe(): Promise<void>;
}

const PROBE_EVERY_MS = 30_000;

/** Probes vendors, so that an outage is known before a visitor needs them. */
export class VendorWatch {
  readonly #probes: VendorProbe[];
  readonly #log: Log;
  readonly #away = new Set<VendorProbe>();
  #timer: NodeJS.Timeout | undefined;

  constructor(probes: VendorProbe[], log: Log) {
    this.#probes = probes;
    this.#log = log;
  }

  /** True while at least one vendor of this part is not known to be away. */
  has(part: VendorProbe["part"]): boolean {
    return this.#probes.some((probe) => probe.part === part && !this.#away.has(probe));
  }

  async start(): Promise<void> {
    this.#timer ??= setInterval(() => void this.#look(), PROBE_EVERY_MS).unref();
    await this.#look();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #look(): Promise<void> {
    await Promise.all(this.#probes.map((probe) => this.#lookAt(probe)));
  }

  async #lookAt(probe: VendorProbe): Promise<void> {
    const { part, provider } = probe;
    try {
      await probe.probe();
      if (this.#away.delete(probe)) this.#log.info({ part, provider }, "a vendor is there again");
    } catch (err) {
      if (!this.#away.has(probe)) this.#log.warn({ part, provider, err }, "a vendor is away");
      this.#away.add(probe);
    }
  }
}
