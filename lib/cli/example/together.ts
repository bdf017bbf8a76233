/**
 * Lets flows that wait for the chain wait together: once all that run are waiting, the clock moves ahead for
 * all of them. So nothing that is built expires while another flow waits.
 */
export class Together {
  #running = 0
  #waiting: { resolve: () => void; reject: (cause: unknown) => void }[] = []
  readonly #pass: () => Promise<void>

  /** @param pass moves the clock by as much as the chain needs */
  constructor(pass: () => Promise<void>) {
    this.#pass = pass
  }

  /** Runs a flow whose waits are those of {@link sleep}. */
  async run<T>(flow: () => Promise<T>): Promise<T> {
    this.#running += 1
    try {
      return await flow()
    } finally {
      this.#running -= 1
      this.#check()
    }
  }

  /** Waits until time has passed. */
  readonly sleep = (): Promise<void> =>
    new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.#check()
    })

  #check() {
    if (this.#waiting.length === 0 || this.#waiting.length < this.#running) return
    const woken = this.#waiting
    this.#waiting = []
    this.#pass().then(
      () => {
        for (const { resolve } of woken) resolve()
      },
      (cause) => {
        for (const { reject } of woken) reject(cause)
      },
    )
  }
}
