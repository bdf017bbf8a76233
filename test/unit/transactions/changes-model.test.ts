import fc from 'fast-check'
import { describe, it } from 'vitest'
import { position, treasury } from '../../support/cosigning.ts'
import { mutationsWith } from '../../support/message-changes.ts'
import { rawOf, signedRaw, writeRaw } from '../../support/raw-message.ts'
import { expectCounts, runs } from '../../support/runs.ts'
import {
  authorityKey,
  claim,
  errorOf,
  messageOf,
  owner,
  stack,
  vaultOpening,
} from '../../support/tampering.ts'
import { createWallet, PHANTOM, type WalletHabits } from '../../support/wallets.ts'

const habits: WalletHabits[] = [{}, PHANTOM, { version: 0 }, { ...PHANTOM, version: 0 }]
/** Recorded transactions, as each wallet signs them. */
const scenes = [stack, claim, vaultOpening].flatMap((recorded) =>
  habits.map((habit) => ({ recorded, raw: rawOf(messageOf(createWallet(owner, habit).sign(recorded))) })),
)

/** The check's word, which is the oracle's as well. */
const verdictOn = async (recorded: string, submitted: string): Promise<boolean> =>
  (await errorOf(recorded, submitted)) === undefined

const mutations = mutationsWith([authorityKey, position, treasury])

const changes = fc.array(
  fc.tuple(fc.constantFrom(...Object.keys(mutations)), fc.nat(1 << 24), fc.nat(1 << 24), fc.nat(1 << 24)),
  { minLength: 1, maxLength: 3 },
)

describe('a message that its owner has changed and signed', () => {
  it('is cosigned only if the rule, said a second time on kit’s reading, allows it', async () => {
    const numRuns = runs(100, 5_000)
    const seen = { cosigned: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...scenes), changes, async (scene, list) => {
        const { recorded, raw } = structuredClone(scene)
        for (const [name, a, b, c] of list) mutations[name]?.(raw, a, b, c)
        const isCosigned = await verdictOn(recorded, signedRaw(owner, writeRaw(raw), raw.header[0]))
        seen[isCosigned ? 'cosigned' : 'refused'] += 1
      }),
      { numRuns },
    )
    // Neither answer is a matter of course.
    expectCounts(seen, { few: { cosigned: 13, refused: 87 }, many: { cosigned: 639, refused: 4_361 } })
  })

  it.each(Object.keys(mutations))('by %s alone, likewise', async (name) => {
    const numbers = fc.nat(1 << 24)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...scenes),
        fc.tuple(numbers, numbers, numbers),
        async (scene, [a, b, c]) => {
          const { recorded, raw } = structuredClone(scene)
          mutations[name]?.(raw, a, b, c)
          await verdictOn(recorded, signedRaw(owner, writeRaw(raw), raw.header[0]))
        },
      ),
      { numRuns: runs(5, 300) },
    )
  })
})
