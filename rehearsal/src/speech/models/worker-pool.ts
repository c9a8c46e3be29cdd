import { Worker } from "node:worker_threads";

interface Waiting<Job, Result> {
  job: Job;
  resolve(result: Result): void;
  reject(error: Error): void;
}

/** A few threads that do one kind of work, urgent jobs first. They begin with the first job, and keep no process alive. */
export class WorkerPool<Job, Result> {
  readonly #file: string;
  readonly #size: number;
  readonly #urgent: Waiting<Job, Result>[] = [];
  readonly #patient: Waiting<Job, Result>[] = [];
  #idle: Worker[] = [];
  #started = 0;

  constructor(file: string, size: number) {
    this.#file = file;
    this.#size = size;
  }

  run(job: Job, isUrgent = true): Promise<Result> {
    return new Promise((resolve, reject) => {
      (isUrgent ? this.#urgent : this.#patient).push({ job, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#urgent.length === 0 && this.#patient.length === 0) return;
    const worker = this.#idle.pop() ?? this.#start();
    if (worker === undefined) return;
    const { job, resolve, reject } = this.#urgent.shift() ?? this.#patient.shift()!;
    const settle = (): void => {
      worker.off("message", onResult);
      worker.off("error", onError);
    };
    const onResult = (result: Result): void => {
      settle();
      worker.unref();
      this.#idle.push(worker);
      resolve(result);
      this.#next();
    };
    // The thread is gone; another one takes its place.
    const onError = (error: Error): void => {
      settle();
      this.#started -= 1;
      reject(error);
      this.#next();
    };
    worker.ref();
    worker.on("message", onResult);
    worker.on("error", onError);
    worker.postMessage(job, []);
  }

  #start(): Worker | undefined {
    if (this.#started >= this.#size) return undefined;
    this.#started += 1;
    // Each thread would say that WASI is new.
    return new Worker(this.#file, { execArgv: ["--disable-warning=ExperimentalWarning"] });
  }
}
