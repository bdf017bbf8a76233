import { useEffect, useRef } from 'preact/hooks'
import { development } from '../development.ts'
import { useAction } from '../kit/form.tsx'
import { Failure } from '../kit/loaded.tsx'
import { fetchText, useLoaded } from '../kit/query.ts'

/** How things stand with the local platform's example market (lib/cli/example/offer.ts). */
type Offer =
  | { state: 'offered' | 'taken' | 'made' | 'failed' }
  | { state: 'filling'; day: number; days: number }

/** How often a market that is being filled is asked about. */
const LOOK_EVERY_MS = 500

/**
 * Offers to fill a local platform's empty market with examples, and shows how far that is. A deployment's
 * build has nothing of it.
 */
export function ExampleMarket() {
  const { loaded, reload } = useLoaded('example market', async (signal) => {
    const { exampleUrl } = await development(signal)
    const text = exampleUrl && (await fetchText(exampleUrl, signal))
    return text ? { url: exampleUrl, offer: JSON.parse(text) as Offer } : undefined
  })
  const { isBusy, error, run } = useAction(async () => {
    if (!found) return
    await fetch(found.url, { method: 'POST' })
    reload()
  })
  const found = 'data' in loaded ? loaded.data : undefined
  const offer = found?.offer
  const wasFilling = useRef(false)
  useEffect(() => {
    if (offer?.state === 'filling') {
      wasFilling.current = true
      const timer = setTimeout(reload, LOOK_EVERY_MS)
      return () => clearTimeout(timer)
    }
    // The platform is another one than this page was loaded from.
    if (offer?.state === 'made' && wasFilling.current) location.reload()
  }, [offer, reload])
  if (offer?.state === 'filling')
    return (
      <p role="status">
        The platform begins anew, and fills its market: day {offer.day} of {offer.days}.
      </p>
    )
  if (offer?.state === 'failed')
    return <p role="alert">The market was not filled; the platform’s output says why.</p>
  if (offer?.state !== 'offered') return null
  return (
    <>
      <button type="button" disabled={isBusy} aria-busy={isBusy} onClick={run}>
        Fill with an example market
      </button>
      {error && <Failure error={error} />}
    </>
  )
}
