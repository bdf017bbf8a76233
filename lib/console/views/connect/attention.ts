import { useEffect, useState } from 'preact/hooks'

/** How long the page must be in front before a press counts. */
export const ATTENTION_MS = 1_000

type Timers = { set: (run: () => void, ms: number) => unknown; clear: (timer: unknown) => void }

/**
 * Reports whether the page was in front for a whole second without a break. Otherwise another page could
 * lead a double click here by closing its own window between the two.
 * @param isInFront whether the page is visible and has the focus
 * @returns `restart`, to call whenever that may have changed, and `stop`
 */
export function createAttention(isInFront: () => boolean, report: (is: boolean) => void, timers: Timers) {
  let timer: unknown
  const stop = () => timers.clear(timer)
  return {
    restart(): void {
      stop()
      report(false)
      if (isInFront()) timer = timers.set(() => report(isInFront()), ATTENTION_MS)
    },
    stop,
  }
}

const isPageInFront = (): boolean => !document.hidden && document.hasFocus()

const pageTimers: Timers = {
  set: (run, ms) => setTimeout(run, ms),
  clear: (timer) => clearTimeout(timer as number | undefined),
}

/** Events after which the page may be in front, or not any more. */
const CHANGES = ['focus', 'blur', 'visibilitychange', 'pageshow']

/** Returns whether the page was in front for a whole second, since this part of it was first shown. */
export function useAttention(): boolean {
  const [isAttended, setAttended] = useState(false)
  useEffect(() => {
    const { restart, stop } = createAttention(isPageInFront, setAttended, pageTimers)
    restart()
    for (const change of CHANGES) addEventListener(change, restart)
    return () => {
      stop()
      for (const change of CHANGES) removeEventListener(change, restart)
    }
  }, [])
  return isAttended
}
