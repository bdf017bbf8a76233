import { useEffect, useState } from 'react'

/** Hands out a signal for each run of a component's work. The caller ignores results of an aborted signal. */
type Task = {
  /** Begins a run, and aborts the previous one. */
  begin(): AbortSignal
  abort(): void
}

/** Returns a task that is aborted when the component is unmounted. It is the same at each render. */
export function useTask(): Task {
  const [task] = useState(createTask)
  useEffect(() => task.abort, [task])
  return task
}

function createTask(): Task {
  let running: AbortController | undefined
  const abort = () => running?.abort()
  return {
    abort,
    begin() {
      abort()
      running = new AbortController()
      return running.signal
    },
  }
}
