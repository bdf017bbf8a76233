import { useState } from 'preact/hooks'
import type { AgentCredError } from '../../client/index.ts'
import { errorOf } from './query.ts'

/** Runs an action once at a time, and keeps its error. `run` takes what the action takes. */
export function useAction<Args extends unknown[] = []>(action: (...args: Args) => Promise<void>) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<AgentCredError>()
  async function run(...args: Args) {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      await action(...args)
    } catch (cause) {
      setError(errorOf(cause))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, error, run, clear: () => setError(undefined) }
}
