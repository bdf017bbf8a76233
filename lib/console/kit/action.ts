import { useState } from 'preact/hooks'
import type { AgentCredError } from '../../client/index.ts'
import { errorOf } from './query.ts'

/** Runs an action once at a time, and keeps its error. */
export function useAction(action: () => Promise<void>) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<AgentCredError>()
  async function run() {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      await action()
    } catch (cause) {
      setError(errorOf(cause))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, error, run, clear: () => setError(undefined) }
}
