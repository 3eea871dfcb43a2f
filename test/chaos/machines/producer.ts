/** What became of the writes of one producer. */
export class Producer {
  readonly acknowledged: string[] = [];
  /** Told that nothing was kept: must not be there. */
  readonly refused: string[] = [];
  /** Nobody knows: the gateway died, or said so. */
  readonly inDoubt: string[] = [];
  /** Card writes that were acknowledged, by the revision they were given. */
  readonly revisions: number[] = [];
  conflicts = 0;
  /** Answers other than those a fault explains. */
  readonly faults: string[] = [];
  readonly #address: string;
  readonly #name: string;
  readonly #pauseMs: number;
  #stopped = false;
  #count = 0;
  #done: Promise<void> | undefined;

  constructor(url: string, session: string, name: string, pauseMs: number) {
    this.#address = `${url}/v1/sessions/${session}`;
    this.#name = name;
    this.#pauseMs = pauseMs;
  }

  /** Writes until it is stopped; may be begun again. */
  begin(): void {
    this.#stopped = false;
    this.#done = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#done;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const n = this.#count++;
      await this.#operation(`${this.#name}-${n}`);
      if (n % 5 === 0) await this.#card(n);
      await new Promise((resolve) => setTimeout(resolve, this.#pauseMs));
    }
  }

  async #operation(id: string): Promise<void> {
    const answer = await this.#send('POST', '/events', { type: 'operation', id, state: 'completed', title: `${id} is done` });
    if (answer === undefined || answer.code === 'in_doubt') this.inDoubt.push(id);
    else if (answer.status === 200) this.acknowledged.push(id);
    else if (answer.status === 503) this.refused.push(id);
    else this.faults.push(`${id}: ${answer.status} ${answer.code}`);
  }

  /** Adds one to the card by comparing and setting, as often as it takes. */
  async #card(n: number): Promise<void> {
    let revision = 0;
    for (let tries = 0; tries < 200 && !this.#stopped; tries += 1) {
      const answer = await this.#send('PUT', '/card', { markdown: `${this.#name} ${n}`, expectedRevision: revision });
      if (answer?.status === 200) {
        this.revisions.push(answer.revision);
        return;
      }
      if (answer?.status !== 409) return;
      this.conflicts += 1;
      revision = answer.revision;
    }
  }

  async #send(method: string, path: string, body: unknown): Promise<{ status: number; code: string; revision: number } | undefined> {
    try {
      const response = await fetch(this.#address + path, {
        method,
        headers: { 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(30_000),
      });
      const answer = (await response.json()) as { error?: { code: string }; revision?: number };
      return { status: response.status, code: answer.error?.code ?? '', revision: answer.revision ?? 0 };
    } catch {
      return undefined;
    }
  }
}
