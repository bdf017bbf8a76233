import { setTimeout as sleep } from 'node:timers/promises'
import { createApiClient } from '@neondatabase/api-client'
import { CommandError } from './errors.ts'
import type { Options } from './options.ts'

export type Neon = ReturnType<typeof createApiClient>

/** The longest pause before a call is repeated, and the longest time for all attempts. */
const MAX_PAUSE_MS = 16_000
const PATIENCE_MS = 60_000

/**
 * Opens the official client. A project does one operation at a time and answers 423 meanwhile, which is safe
 * to repeat (https://neon.com/docs/reference/api/operations).
 */
export function openNeon(
  env: NodeJS.ProcessEnv,
  { timeoutMs }: Pick<Options, 'timeoutMs'>,
  pause: (ms: number) => Promise<unknown> = sleep,
): Neon {
  const { NEON_API_KEY: apiKey, NEON_API_BASE_URL: baseURL } = env
  if (!apiKey)
    throw new CommandError('Set NEON_API_KEY: make a key at https://console.neon.tech/app/settings/api-keys.')
  const client = createApiClient({ apiKey, timeout: timeoutMs, ...(baseURL && { baseURL }) })
  const { request } = client
  client.request = async (params) => {
    for (let ms = 1_000, waited = 0; ; waited += ms, ms = Math.min(2 * ms, MAX_PAUSE_MS)) {
      try {
        return await request(params)
      } catch (error) {
        if (statusOf(error) !== 423 || waited >= PATIENCE_MS) throw error
        await pause(ms)
      }
    }
  }
  return client
}

const statusOf = (error: unknown): number | undefined =>
  (error as { response?: { status?: number } }).response?.status
