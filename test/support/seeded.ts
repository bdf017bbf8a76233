import { join, relative } from 'node:path'
import fc from 'fast-check'
import { expect } from 'vitest'
import { SEED, seedCrypto, seedRandom } from './random.ts'

/* Seeds everything that a test file draws. Vitest runs this before each file. */

const root = join(import.meta.dirname, '../..')

fc.configureGlobal({ seed: SEED })
seedCrypto()
seedRandom(relative(root, expect.getState().testPath ?? '').replaceAll('\\', '/'))
