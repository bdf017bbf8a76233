import { expect, it } from 'vitest'
import { openDeployment } from '../../../lib/cli/deploy/deployment.ts'
import { readVars } from '../../../lib/cli/deploy/vars.ts'
import { temporaryFolder } from '../../support/key-files.ts'

const DATABASE_URL = 'postgres://db.test/agentcred'

function deploymentWith(vars: Record<string, string>): string {
  const DEPLOYMENT_DIR = temporaryFolder()
  openDeployment({ DEPLOYMENT_DIR }).writeJson('deployment.json', {
    name: 'acme',
    accountId: 'a'.repeat(32),
    topology: 'gateway',
    host: 'api.acme.test',
    zone: 'acme.test',
    publisher: 'acme.test',
    solana: 'solana:devnet',
    // As a release made it that had no catalog.
    kv: { NONCES: 'b'.repeat(32) },
    rateLimits: 20_000,
    clockLocation: 'weur',
    vars,
  })
  return DEPLOYMENT_DIR
}

it('reads the environment, then the deployment’s settings, then wrangler.toml', async () => {
  const DEPLOYMENT_DIR = deploymentWith({ FEE_STEP: '5000', VAULT_MINT: 'mint' })
  const of = await readVars({ DATABASE_URL, DEPLOYMENT_DIR, VAULT_MINT: 'other' })
  expect([of('VAULT_MINT'), of('FEE_STEP'), of('API_HOST')]).toEqual(['other', '5000', 'api.acme.test'])
  expect(of('PROTOCOL_FEE_BPS')).toMatch(/^\d+$/)
  expect(of('NOTHING')).toBe('')
})

it('knows no deployment on the local platform, or when there is none', async () => {
  const DEPLOYMENT_DIR = deploymentWith({ FEE_STEP: '5000' })
  const local = await readVars({ DEPLOYMENT_DIR })
  const none = await readVars({ DATABASE_URL, DEPLOYMENT_DIR: temporaryFolder() })
  for (const of of [local, none]) {
    expect(of('FEE_STEP')).toMatch(/^\d+$/)
    expect(of('FEE_STEP')).not.toBe('5000')
  }
})

it('names the field of a deployment that can’t be read', async () => {
  const DEPLOYMENT_DIR = deploymentWith({})
  const folder = openDeployment({ DEPLOYMENT_DIR })
  folder.writeJson('deployment.json', { ...(folder.read('deployment.json') as object), topology: 'star' })
  await expect(readVars({ DATABASE_URL, DEPLOYMENT_DIR })).rejects.toThrow(/deployment\.json: topology/)
})
