import { type ComponentChildren, createContext } from 'preact'
import { useContext, useMemo, useState } from 'preact/hooks'
import type { AgentCredError, Progress } from '../../client/index.ts'
import type { Left } from './left.ts'

/** A transaction, as far as it has come, and the part of the view that began it, where several can. */
export type Run = RunState & { place?: string | undefined }

type RunState =
  | { state: 'idle' }
  | { state: 'running'; progress: Progress; cancel?: (() => void) | undefined }
  | { state: 'landed'; progress: Progress; signature?: string | undefined }
  | { state: 'cancelled'; progress: Progress }
  | { state: 'failed'; progress: Progress; error: AgentCredError; left: Left }

/** Whether another may not be begun: it is under way, or may still land. */
export const isBusy = (run: Run): boolean =>
  run.state === 'running' || (run.state === 'failed' && run.left.isOpen)

type Runs = { get: (key: string) => Run; set: (key: string, run: Run) => void }

const Context = createContext<Runs | undefined>(undefined)

export function useRuns(): Runs {
  const runs = useContext(Context)
  if (!runs) throw new Error('used outside of <Running>')
  return runs
}

const IDLE: Run = { state: 'idle' }

/** Holds the runs of all views, so that one goes on, and is found again, when its view is left. */
export function Running({ children }: { children: ComponentChildren }) {
  // One map for good: a component that asks it knows of a begun run before anything is rendered again.
  const [runs] = useState(() => new Map<string, Run>())
  const [turn, setTurn] = useState(0)
  const value = useMemo(
    (): Runs => ({
      get: (key) => runs.get(key) ?? IDLE,
      set(key, run) {
        if (run.state === 'idle') runs.delete(key)
        else runs.set(key, run)
        setTurn((count) => count + 1)
      },
    }),
    [turn],
  )
  return <Context.Provider value={value}>{children}</Context.Provider>
}
