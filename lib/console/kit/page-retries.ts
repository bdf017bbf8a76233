import { useEffect, useState } from 'preact/hooks'
import { createRetries } from './retries.ts'

/** The retries of this page. */
export const retries = createRetries({
  now: Date.now,
  random: Math.random,
  isAwake: () => !document.hidden && navigator.onLine,
  onWake(act) {
    addEventListener('online', act)
    document.addEventListener('visibilitychange', () => document.hidden || act())
  },
})

/** Returns whether reads of this page have no answer, and when they are retried. */
export function useOutage() {
  const [outage, setOutage] = useState(retries.outage)
  useEffect(() => retries.watch(() => setOutage(retries.outage())), [])
  return outage
}
