import { describe, expect, it } from 'vitest'
import { DAYS, MARK, OWNERS } from '../../../../lib/cli/example/agents.ts'
import { COLLECTION_DAYS, hires, RATING_DAY, stakes } from '../../../../lib/cli/example/story.ts'

const agents = OWNERS.flat()

describe('the example market', () => {
  it('has 24 agents of every type and fee, each marked as an example', () => {
    expect(new Set(agents.map(({ name }) => name)).size).toBe(24)
    expect(agents.filter(({ description }) => !description?.endsWith(MARK))).toEqual([])
    expect(new Set(agents.map(({ agentType }) => agentType)).size).toBe(3)
    expect(new Set(agents.map(({ feeModel }) => feeModel)).size).toBe(3)
    expect(agents.flatMap(({ endpoint }) => endpoint ?? []).sort()).toEqual(['down', 'live'])
  })

  it('has everything happen in order, within the month', () => {
    for (const { agent, day, charges } of hires) {
      expect(day).toBeGreaterThan(agent.day)
      for (const charge of charges) {
        expect(charge.day).toBeGreaterThan(day)
        expect(charge.day).toBeLessThanOrEqual(Math.max(...COLLECTION_DAYS))
      }
    }
    expect(Math.max(...COLLECTION_DAYS)).toBeLessThan(RATING_DAY)
    expect(Math.max(RATING_DAY, ...stakes.map(({ day }) => day))).toBeLessThan(DAYS)
  })

  it('charges within budgets, rates paid hires only, hires an agent once per wallet', () => {
    for (const { budget, charges, rated } of hires) {
      expect(charges.reduce((sum, { amount }) => sum + amount, 0)).toBeLessThanOrEqual(budget)
      expect(rated !== undefined).toBe(charges.length > 0)
    }
    const pairs = hires.map(({ hirer, agent }) => `${hirer} ${agent.name}`)
    expect(new Set(pairs).size).toBe(pairs.length)
  })
})
