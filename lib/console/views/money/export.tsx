import { useEffect, useRef, useState } from 'preact/hooks'
import { useAction } from '../../kit/action.ts'
import { Button } from '../../kit/button.tsx'
import { Failure } from '../../kit/loaded.tsx'
import { formatNumber } from '../../locale.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { csvOf, type Entry } from './csv.ts'
import { readAllEntries } from './entries-query.ts'
import { type Filter, KINDS, type Kind, type Side } from './filter.ts'

/** Saves all entries of a filter as a CSV file, or those of every kind for its agent and its time. */
export function Export({ side, filter }: { side: Side; filter: Filter }) {
  const { client } = useConnection()
  const [progress, setProgress] = useState('')
  const leaving = useRef(new AbortController())
  useEffect(() => () => leaving.current.abort(), [])
  const { isBusy, error, run } = useAction(async (kinds: readonly Kind[], status: Filter['status']) => {
    const { signal } = leaving.current
    const entries: Entry[] = []
    for (const kind of kinds) {
      const onRead = (count: number) => setProgress(`${formatNumber(entries.length + count)} lines…`)
      entries.push(...(await readAllEntries(client, side, { ...filter, kind, status }, { signal, onRead })))
    }
    entries.sort((a, b) => b.entry.createdAt.localeCompare(a.entry.createdAt))
    const { mint } = await client.call('GET /payments/deployment')
    const what = kinds.length === 1 ? `${kinds[0]}s` : 'all'
    save(csvOf(entries, mint), `agentcred-${side}-${what}-${filter.month}.csv`)
    setProgress(`${formatNumber(entries.length)} ${entries.length === 1 ? 'line' : 'lines'} saved.`)
  })
  return (
    <div class="export">
      <div class="row">
        <Button isBusy={isBusy} onClick={() => run([filter.kind], filter.status)}>
          Export as CSV
        </Button>
        <Button isBusy={isBusy} onClick={() => run(Object.keys(KINDS) as Kind[], 'all')}>
          Export all kinds
        </Button>
      </div>
      <p class="small" role="status">
        {progress}
      </p>
      <p class="small">
        The first file has every line of this list. The other one has charges, requests and jobs of every
        status, for the same agent and month. Amounts are in CRED, times in UTC. A text that a spreadsheet
        could run as a formula begins with an apostrophe.
      </p>
      {error && <Failure error={error} />}
    </div>
  )
}

function save(text: string, name: string): void {
  // Spreadsheets read UTF-8 only after this mark.
  const url = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
