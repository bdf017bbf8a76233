import { type Action, createClient, load, median } from './load.ts'
import type { Running } from './process.ts'
import { amount } from './quick.ts'

/** Something measured: a server of its own, and what is asked of it. */
export type Subject = {
  name: string
  origin: string
  process: Pick<Running, 'cpuMs'>
  action: Action
}

/** Medians of all rounds. */
export type Measured = {
  /** CPU of the serving process for one action, in milliseconds. */
  cpuMs: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** Bytes of an answer's body. */
  bytes: number
}

export type Rounds = { rounds: number; count: number; warmUp: number; connections: number }

/** Enough for ten milliseconds to be a hundredth of what is measured. */
export const CPU_ROUNDS: Rounds = {
  rounds: amount(5, 2),
  count: amount(1_500, 100),
  warmUp: amount(1_500, 50),
  connections: 8,
}

/**
 * Warms each subject up, then measures them in turn (A, B, C, A, B, C …), so that other load on the machine
 * affects all of them alike.
 */
export async function alternate(subjects: Subject[], rounds: Rounds): Promise<Map<string, Measured>> {
  const { connections, warmUp, count } = rounds
  const runs = subjects.map((subject) => ({
    ...subject,
    client: createClient(subject.origin, connections),
    results: [] as Measured[],
  }))
  try {
    for (const { client, action } of runs) await load(client, action, { count: warmUp, connections })
    for (let round = 0; round < rounds.rounds; round++) {
      for (const { client, action, process: server, results } of runs) {
        const before = server.cpuMs()
        const done = await load(client, action, { count, connections })
        results.push({ ...done, cpuMs: (server.cpuMs() - before) / count })
      }
    }
  } finally {
    for (const { client } of runs) client.close()
  }
  return new Map(runs.map(({ name, results }) => [name, medians(results)]))
}

function medians(results: Measured[]): Measured {
  const of = (key: keyof Measured) => median(results.map((result) => result[key]))
  return {
    cpuMs: of('cpuMs'),
    perSecond: of('perSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    bytes: of('bytes'),
  }
}
