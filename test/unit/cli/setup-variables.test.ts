import { describe, expect, it } from 'vitest'
import type { RawConfig } from '../../../lib/cli/deploy/config.ts'
import { openDeployment } from '../../../lib/cli/deploy/deployment.ts'
import { GIVEN } from '../../../lib/cli/setup/keys.ts'
import { readSetup } from '../../../lib/cli/setup/options.ts'
import { requireVariables } from '../../../lib/cli/setup/variables.ts'
import { isMade, MADE } from '../../../lib/tools/made-variables.ts'
import { readRaw } from '../../../lib/tools/wrangler.ts'
import { temporaryFolder } from '../../support/key-files.ts'

const base = readRaw() as RawConfig
const declared = new Set(Object.values(base.env).flatMap(({ vars = {} }) => Object.keys(vars)))
const settable = [...declared].filter((name) => !isMade(name) && !GIVEN.includes(name))

/** Checks the variables of `--var` for a deployment with others. */
function check(vars: string[], before?: Record<string, string>) {
  const folder = openDeployment({ DEPLOYMENT_DIR: temporaryFolder() })
  if (before) folder.writeJson('deployment.json', { name: 'acme', solana: 'solana:devnet', vars: before })
  const options = readSetup({ solana: 'devnet', var: vars }, folder)
  requireVariables(options, base)
  return options.vars
}

describe('the variables of npm run setup', () => {
  it.each(settable)('are refused by name when %s has a senseless value', (name) => {
    expect(() => check([`${name}=?! `])).toThrow(name)
  })

  it.each(Object.entries(MADE))('are refused when --var names %s, which %s decides', (name, option) => {
    const words = option ? `; use ${option} instead of --var.` : ', and --var can’t change it.'
    expect(() => check([`${name}=x`])).toThrow(`${name}: the deployment makes it${words}`)
    expect([...declared]).toContain(name)
    // An older release has taken it: it goes away by the same option.
    expect(() => check([], { [name]: 'x' })).toThrow(`deployment.json sets ${name} in vars`)
    expect(check([`${name}=`], { [name]: 'x' })).toEqual({})
  })

  it.each([
    ['SOLANA_CHAIN', 'the deployment makes it; use --solana instead of --var'],
    ['LIVE', 'the deployment makes it; use --live instead of --var'],
    ['VAULT_MINT', 'set it in the environment'],
    ['PAYMENTS_AUTHORITY_KEYS', 'set it in the environment'],
    ['PAYMENTS_RECOVERY_ADDRESSES', 'set it in the environment'],
    ['SESSION_SIGNING_KEY', 'npm run setup makes this secret'],
    ['DATABASE_URL_AUTH', 'npm run setup makes this secret'],
    ['PIONER_SPOTS', 'wrangler.toml has no such variable. Did you mean PIONEER_SPOTS?'],
    ['NONCES', 'wrangler.toml has no such variable.'],
  ])('are refused when --var names %s: %s', (name, words) => {
    expect(() => check([`${name}=x`])).toThrow(`${name}: ${words}`)
  })

  it('restore the default when the value is empty, and stay when none is given', () => {
    const before = { X402_FEE: '0.5', LATER: 'x', FEE_STEP: '2' }
    expect(check(['X402_FEE=', 'LATER='], before)).toEqual({ FEE_STEP: '2' })
    expect(check(['X402_FEE=0.02'], before)).toEqual({ ...before, X402_FEE: '0.02' })
  })
})
