import { describe, expect, it } from 'vitest'
import { catalog } from '../../../lib/registry/catalog.ts'
import { isTimely, layersOf, skewMs } from '../../../lib/registry/rules.ts'

const now = new Date('2026-11-20T09:00:00.000Z')

describe('a timestamp', () => {
  it.each([
    [0, true],
    [-299_000, true],
    [299_000, true],
    [-300_000, true],
    [300_000, true],
    [-300_001, false],
    [300_001, false],
    [-301_000, false],
    [301_000, false],
  ])('%i ms from the server’s time is timely: %s', (skew, timely) => {
    const timestamp = now.getTime() + skew
    expect(isTimely(timestamp, now)).toBe(timely)
    expect(skewMs(timestamp, now)).toBe(skew)
  })

  it.each([0, Number.MAX_SAFE_INTEGER])('of %i is not', (timestamp) => {
    expect(isTimely(timestamp, now)).toBe(false)
  })
})

describe('the layers of capabilities', () => {
  it('are their union, ascending', () => {
    expect(layersOf(['portfolio', 'mcp_gateway', 'liquidity', 'tax_optimization', 'gaming'])).toEqual([
      1, 4, 10, 15, 17, 19, 23,
    ])
  })

  it('are those of the contract’s catalog', () => {
    // Copied from the registration contract.
    const table = `shopping | 1; referral | 2; attention | 3; data_licensing | 4; insurance | 5; compute | 6;
      network | 7; energy | 8; depin | 9; inference | 10; storage | 11; skill_verification | 12; curation | 13;
      social | 14; knowledge_api | 15; model_licensing | 16; liquidity | 17; governance | 18; inventory | 19;
      sub_agent | 20; collateral | 21; swarm | 22; gaming | 23; tax_optimization | 1, 4; portfolio | 17, 19;
      mcp_gateway | 10, 15`
    const rows = table.split(';').map((row) => {
      const [id = '', layers = ''] = row.split('|').map((cell) => cell.trim())
      return { id, layers: layers.split(', ').map(Number) }
    })
    expect(rows).toHaveLength(26)
    expect(catalog.capabilities).toEqual(rows)
  })
})
