import { useEffect } from 'preact/hooks'

/** Asks again every few seconds as long as something is on its way, while the page is looked at. */
export function useRepeated(isOnItsWay: boolean, reload: () => void, everyMs = 2_000): void {
  useEffect(() => {
    if (!isOnItsWay) return
    const timer = setInterval(() => {
      if (!document.hidden) reload()
    }, everyMs)
    return () => clearInterval(timer)
  }, [isOnItsWay, reload, everyMs])
}
