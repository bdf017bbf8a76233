import * as v from 'valibot'
import { JOB_JUDGES_OF_AGENT, JOB_MINUTES, noJudges } from '../values.ts'
import { isWallet } from '../wallet.ts'
import { OwnText } from './answer-text.ts'
import { body } from './body.ts'
import { AmountFrom, Integer, WireAmount } from './common.ts'

const JUDGE = /^(deployment|none|[1-9A-HJ-NP-Za-km-z]{32,44})$/
const NO_WALLET = 'must be a wallet public key: Base58 of 32 bytes'
const JUDGE_ERROR = 'must be `deployment`, `none` or a wallet’s public key'

/** A judge: `deployment`, `none`, or a wallet. */
export const Judge = v.pipe(
  v.string(),
  v.regex(JUDGE, JUDGE_ERROR),
  v.check((text) => (noJudges as readonly string[]).includes(text) || isWallet(text), NO_WALLET),
)

const jobTermsFields = {
  minPrice: [AmountFrom(1), 'The lowest price that it works for, in lamports.'],
  workMinutes: [
    Integer(JOB_MINUTES.work.min, JOB_MINUTES.work.max),
    'The shortest time that it needs from the funding to the delivery.',
  ],
  judges: [
    v.pipe(
      v.array(Judge),
      v.minLength(1),
      v.maxLength(JOB_JUDGES_OF_AGENT),
      v.transform((judges) => [...new Set(judges)]),
    ),
    'The judges that hirers may choose: `deployment`, `none`, or wallets; never the owner.',
  ],
} as const

/** Body of PUT /agents/{id}/job-terms. */
export const JobTermsRequest = body(
  'JobTermsRequest',
  'The terms under which the agent is sent jobs.',
  jobTermsFields,
  { minPrice: 5_000_000_000, workMinutes: 1_440, judges: ['deployment', 'none'] },
)

export const JobTerms = body(
  'JobTerms',
  'The terms under which an agent is sent jobs.',
  {
    minPrice: [WireAmount, 'The lowest price that it works for, in lamports.'],
    workMinutes: [Integer(0), 'The shortest time that it needs from the funding to the delivery.'],
    judges: [v.array(OwnText), 'The judges that hirers may choose: `deployment`, `none`, or wallets.'],
  },
  { minPrice: 5_000_000_000, workMinutes: 1_440, judges: ['deployment', 'none'] },
)
