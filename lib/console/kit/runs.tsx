import { type ComponentChildren, createContext } from 'preact'
import { useContext, useMemo, useState } from 'preact/hooks'
import type { AgentCredError, Progress } from '../../client/index.ts'
import type { Left } from './left.ts'

/** A transaction with its progress, and the part of the view that began it. */
export type Run = RunState & { place?: string | undefined }

type RunState =
  | { state: 'idle' }
  | { state: 'running'; progress: Progress; cancel?: (() => void) | undefined }
  | { state: 'landed'; progress: Progress; signature?: string | undefined }
  | { state: 'cancelled'; progress: Progress }
  | { state: 'failed'; progress: Progress; error: AgentCredError; left: Left }

/** Whether no other may begin: it is in progress, or may still be confirmed. */
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

/** Has the transactions of all views, so that they continue when the reader leaves a view. */
export function Running({ children }: { children: ComponentChildren }) {
  // One map for good: a component that asks it knows of a begun run before anything is rendered again.
  const [runs] = useState(() => new Map<string, Run>())
  const [version, setVersion] = useState(0)
  const value = useMemo(
    (): Runs => ({
      get: (key) => runs.get(key) ?? IDLE,
      set(key, run) {
        if (run.state === 'idle') runs.delete(key)
        else runs.set(key, run)
        setVersion((count) => count + 1)
      },
    }),
    [version],
  )
  return <Context.Provider value={value}>{children}</Context.Provider>
}
