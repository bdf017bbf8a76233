import type { TargetedKeyboardEvent } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { waits } from '../kit/due.ts'
import { Failure } from '../kit/loaded.tsx'
import { useLoaded } from '../kit/query.ts'
import { Link } from '../kit/text.tsx'
import { LEFT_OUT } from '../left-out.ts'
import { show, useView } from '../router.ts'
import { useConnection } from '../wallet/connection.tsx'
import { directly, type Entry, matching, SECTIONS } from './entries.ts'

/** The most agents and hires, and jobs of each side, that are looked through. */
const MAX_OWN = 100

/**
 * Finds views, the wallet's agents, hires and jobs, and leads to the market's search. Enter opens the first result;
 * the arrow keys go through them.
 * @param pages the views. Importing them here would split the files of the first load.
 */
export default function Palette({ pages, close }: { pages: readonly Entry[]; close: () => void }) {
  const [text, setText] = useState('')
  const dialog = useRef<HTMLDialogElement>(null)
  const { own, loaded, reload } = useOwn()
  const found = useMemo(
    () => [...matching([...pages, ...SECTIONS, ...own], text), ...directly(text)],
    [own, text],
  )
  const shown = useView()
  const first = useRef(shown)
  // Before the next key arrives, which is typed into it.
  useLayoutEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    if (shown !== first.current) dialog.current?.close()
  }, [shown])
  return (
    <dialog ref={dialog} class="palette" aria-label="Search" closedby="any" onClose={close} onKeyDown={step}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault()
          if (found[0]) show(found[0].view)
        }}
      >
        <input
          type="search"
          aria-label="Search pages, your agents, hires and jobs"
          placeholder="Search pages, your agents, hires and jobs"
          autoComplete="off"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </form>
      <ul aria-label="Results">
        {found.map(({ label, kind, view }) => (
          <li key={`${view} ${label}`}>
            <Link to={view}>
              {label} <span class="small">{kind}</span>
            </Link>
          </li>
        ))}
      </ul>
      {loaded.state === 'failed' && <Failure error={loaded.error} retry={reload} />}
      <p class="visually-hidden" role="status">
        {text !== '' && `${found.length} ${found.length === 1 ? 'result' : 'results'}`}
      </p>
    </dialog>
  )
}

/**
 * Moves the focus by an arrow key: from the field to the first result, and between results. Escape closes the
 * dialog at once; in a search field the browser would only clear the text.
 */
function step(event: TargetedKeyboardEvent<HTMLDialogElement>): void {
  if (event.key === 'Escape') {
    event.preventDefault()
    event.currentTarget.close()
    return
  }
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (by === undefined) return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, a')]
  const at = stops.indexOf(document.activeElement as HTMLElement)
  stops[(at + by + stops.length) % stops.length]?.focus()
  event.preventDefault()
}

/** Loads the wallet's agents, and with a session its hires and jobs. */
function useOwn() {
  const { client, address, session } = useConnection()
  const { loaded, reload } = useLoaded(`${address} ${session !== undefined}`, async (signal) => {
    if (address === undefined) return []
    const listJobs = async (role: 'hirer' | 'agent') => {
      if (!session || LEFT_OUT.includes('jobs')) return []
      return (await client.call('GET /jobs', { query: { role, limit: MAX_OWN }, signal })).jobs
    }
    const [{ agents }, { hires }, ...jobs] = await Promise.all([
      client.call('GET /agents', { query: { owner: address, status: 'all', limit: MAX_OWN }, signal }),
      session ? client.call('GET /agents/hire', { query: { limit: MAX_OWN }, signal }) : { hires: [] },
      listJobs('hirer'),
      listJobs('agent'),
    ])
    return [
      ...agents.map(({ id, name }) => ({ label: name, kind: 'Your agent', view: `agents/${id}` })),
      ...hires.map(({ id, agent }) => ({ label: agent.name, kind: 'Your hire', view: `hires/${id}` })),
      ...jobs.flat().map((job) => ({
        label: job.title || 'Deleted by an operator',
        kind: waits(job) ? 'Your job, waits for you' : 'Your job',
        view: `jobs/${job.id}`,
      })),
    ]
  })
  return { own: 'data' in loaded && loaded.data ? loaded.data : NONE, loaded, reload }
}

const NONE: readonly Entry[] = []
