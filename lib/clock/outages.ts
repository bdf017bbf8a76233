import { DAY_MS } from '../time.ts'

/** A time span in Unix milliseconds. */
export type Outage = { from: number; until: number }

/**
 * What the Clock knows of outages, stored after every change. While a job has a deadline, the Worker `work`
 * reports every ten minutes that it answers.
 */
export type Outages = {
  /** The last report; undefined while no deadline runs. */
  answeredAt?: number
  /** When the database first failed to wake; undefined while it wakes. */
  failedAt?: number
  /** Outages that are over. */
  ended: readonly Outage[]
}

/** How long outages are kept: a job that nobody moves has no longer deadline. */
const KEPT_MS = 60 * DAY_MS

/** The time between two reports above which it counts as an outage. */
const SILENCE_MS = 15 * 60_000

/** Returns the outage between two reports in a row (Unix milliseconds); undefined if they are close. */
export const outageBetween = (from: number | undefined, until: number): Outage | undefined =>
  from !== undefined && until - from > SILENCE_MS ? { from, until } : undefined

/** Whether the Worker `work` has not reported for so long that this is an outage. */
export const isSilent = ({ answeredAt }: Outages, now: number): boolean =>
  outageBetween(answeredAt, now) !== undefined

/** Records a report of `work`. The first one since a deadline runs ends no outage. */
export const withReport = (outages: Outages, now: number): Outages => ({
  ...withEnded(outages, outageBetween(outages.answeredAt, now), now),
  answeredAt: now,
})

/** Forgets the last report, because no deadline runs. */
export function withoutReport(outages: Outages): Outages {
  const { answeredAt, ...others } = outages
  return answeredAt === undefined ? outages : others
}

/** Records that the database did not wake at a time. */
export const withFailedWake = (outages: Outages, now: number): Outages => ({
  ...outages,
  failedAt: outages.failedAt ?? now,
})

/** Records that the database has woken, which ends its outage. */
export function withWake(outages: Outages, now: number): Outages {
  const { failedAt, ...others } = outages
  return failedAt === undefined ? outages : withEnded(others, { from: failedAt, until: now }, now)
}

function withEnded(outages: Outages, outage: Outage | undefined, now: number): Outages {
  if (outage === undefined) return outages
  return { ...outages, ended: [...outages.ended, outage].filter(({ until }) => until > now - KEPT_MS) }
}

/** Returns the outages up to a time, in order. Overlapping outages are one. */
export function outagesUntil({ ended, answeredAt, failedAt }: Outages, until: number): Outage[] {
  const lasting = [
    outageBetween(answeredAt, until),
    failedAt === undefined ? undefined : { from: failedAt, until },
  ]
  const all = [...ended, ...lasting.flatMap((outage) => outage ?? [])]
  const merged: Outage[] = []
  for (const outage of all.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last && outage.from <= last.until) last.until = Math.max(last.until, outage.until)
    else if (outage.until > outage.from) merged.push({ ...outage })
  }
  return merged
}

/** Moves what has not ended by so many milliseconds, as the local platform's clock is moved. */
export const movedBy = (outages: Outages, ms: number): Outages => ({
  ...outages,
  ...(outages.answeredAt === undefined ? {} : { answeredAt: outages.answeredAt + ms }),
  ...(outages.failedAt === undefined ? {} : { failedAt: outages.failedAt + ms }),
})
