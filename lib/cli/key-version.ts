import { UsageError } from './arguments.ts'

/** Reads `--generation`. @throws UsageError unless it is the number of a key version */
export function keyVersionOf({ generation: keyVersion }: { generation?: string }): number {
  if (keyVersion && /^[1-9]\d{0,4}$/.test(keyVersion)) return Number(keyVersion)
  throw new UsageError('--generation must be the number of a key version')
}
