import { useEffect, useState } from 'react'

/** Work of a component; only the latest run counts. */
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
