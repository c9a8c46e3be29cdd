import type { stt } from "@livekit/agents";
import { AccountBreakers, inOrder } from "#models";
import type { Account } from "#models";
import type { Clock, Log } from "#platform";
import type { HearingConfig, SpeechConfig } from "../vendor.ts";
import { createHearing } from "./create-hearing.ts";
import { hearingLimits } from "./recogniser-connection.ts";
import type { HearingLimits } from "./recogniser-connection.ts";
import { ResilientHearing } from "./resilient-hearing.ts";

export type RecognisersOptions = SpeechConfig["hearing"] & {
  clock: Clock;
  log: Log;
  limits?: Partial<HearingLimits>;
};

/** The recognisers of a process, each with a circuit breaker for every account. */
export class Recognisers {
  readonly #places: { name: string; config: HearingConfig; breakers: AccountBreakers }[];
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #limits: HearingLimits;

  constructor({ first, fallback, clock, log, limits }: RecognisersOptions) {
    this.#places = inOrder({ first, fallback }).map((config) => ({
      name: config.provider,
      config,
      breakers: new AccountBreakers(clock),
    }));
    this.#clock = clock;
    this.#log = log;
    this.#limits = { ...hearingLimits, ...limits };
  }

  /** False while all of them are known to be away. */
  get hear(): boolean {
    return this.#places.some(({ breakers }) => !breakers.isOpen());
  }

  /** A recogniser for one session, which must close it. */
  open(language: string, account: Account): stt.STT {
    return new ResilientHearing({
      recognisers: this.#places.map(({ name, config, breakers }) => ({
        name,
        breaker: breakers.forAccount(account),
        stt: createHearing(config, language, this.#clock),
      })),
      clock: this.#clock,
      log: this.#log,
      limits: this.#limits,
    });
  }
}
