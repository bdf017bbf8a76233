import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder that is gone when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'agentcred-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A key in a file of its own, as `solana-keygen` writes it; gone when the test ends. */
export function keyFile({ secretKey }: { secretKey: Uint8Array }): string {
  const file = join(temporaryFolder(), 'key.json')
  writeFileSync(file, JSON.stringify([...secretKey]), { mode: 0o600 })
  return file
}
