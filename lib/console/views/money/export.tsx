import { useEffect, useRef, useState } from 'preact/hooks'
import { useAction } from '../../kit/action.ts'
import { Button } from '../../kit/button.tsx'
import { Failure } from '../../kit/loaded.tsx'
import { formatNumber } from '../../locale.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { csvOf } from './csv.ts'
import { readAllEntries } from './entries-query.ts'
import type { Filter, Side } from './filter.ts'

/** Saves all entries of a filter as a CSV file. */
export function Export({ side, filter }: { side: Side; filter: Filter }) {
  const { client } = useConnection()
  const [progress, setProgress] = useState('')
  const leaving = useRef(new AbortController())
  useEffect(() => () => leaving.current.abort(), [])
  const { isBusy, error, run } = useAction(async () => {
    const { signal } = leaving.current
    const onRead = (count: number) => setProgress(`${formatNumber(count)} lines…`)
    const entries = await readAllEntries(client, side, filter, { signal, onRead })
    const { mint } = await client.call('GET /payments/deployment')
    save(csvOf(entries, mint), `agentcred-${side}-${filter.kind}s-${filter.month}.csv`)
    setProgress(`${formatNumber(entries.length)} ${entries.length === 1 ? 'line' : 'lines'} saved.`)
  })
  return (
    <div class="export">
      <Button isBusy={isBusy} onClick={run}>
        Export as CSV
      </Button>
      <p class="small" role="status">
        {progress}
      </p>
      <p class="small">
        The file has every line of this list. Amounts are in CRED, times in UTC. A text that a spreadsheet
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
