/**
 * The variables that a deployment makes itself, with the options of setup that decide them. An operator sets
 * none of them (lib/cli/deploy/config.ts makes them).
 */
export const MADE = {
  API_HOST: '--domain',
  API_ORIGIN: '--domain',
  ARD_PUBLISHER: '--domain',
  CLOCK_LOCATION: '--region',
  DATABASE_LIMIT_BYTES: undefined,
  FORMER_HOSTS: '--domain',
  GATEWAY: '--topology',
  NOT_OFFERED: '--solana and --live',
  X402_NETWORK: '--solana',
} as const satisfies Record<string, string | undefined>

export type MadeVariable = keyof typeof MADE

export const isMade = (name: string): name is MadeVariable => Object.hasOwn(MADE, name)
