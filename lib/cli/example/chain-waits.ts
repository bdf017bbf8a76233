/**
 * Moves the clock of the local chain for several flows at once. A flow is a function that waits until its
 * transaction is final. Once all running flows wait, the clock moves ahead for all. So no transaction of a
 * flow expires because another flow has moved the clock.
 */
export class ChainWaits {
  #running = 0
  #waiting: { resolve: () => void; reject: (cause: unknown) => void }[] = []
  readonly #pass: () => Promise<void>

  /** @param pass moves the clock by the time that the chain needs */
  constructor(pass: () => Promise<void>) {
    this.#pass = pass
  }

  /** Runs a flow. It must wait by {@link sleep} only, or the others wait for it. */
  async run<T>(flow: () => Promise<T>): Promise<T> {
    this.#running += 1
    try {
      return await flow()
    } finally {
      this.#running -= 1
      this.#check()
    }
  }

  /** Waits until the clock has moved. */
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
