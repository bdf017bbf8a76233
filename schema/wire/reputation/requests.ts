import * as v from 'valibot'
import { describe, describeParameters } from '../../docs.ts'
import { WALLET } from '../../examples.ts'
import { CalendarDate, Url, WalletAddress } from '../common.ts'
import { Name } from '../text.ts'

/** Body of POST /reputation/attest/skill. */
export const AttestationRequest = v.strictObject({
  credentialType: Name(1, 64),
  credentialId: Name(1, 128),
  issuingAuthority: v.optional(Name(1, 128)),
  issuedDate: v.optional(CalendarDate),
  expiryDate: v.optional(CalendarDate),
  documentUrl: v.optional(Url('https')),
})

describe(AttestationRequest, {
  name: 'AttestationRequest',
  description: 'A credential. Unknown fields are rejected.',
  fields: {
    credentialType: 'What kind of credential, up to 64 characters.',
    credentialId: 'The issuer’s id of it, or the address of an on-chain attestation.',
    issuingAuthority: 'Who issued it.',
    issuedDate: 'Calendar date.',
    expiryDate: 'Calendar date; it is valid until the end of that day, UTC.',
    documentUrl: 'https link to a supporting document, shown to oracles only.',
  },
  example: {
    credentialType: 'certification',
    credentialId: 'AWS-SAA-12345',
    issuingAuthority: 'Amazon Web Services',
    issuedDate: '2025-01-01',
    expiryDate: '2027-12-31',
    documentUrl: 'https://certs.example.com/AWS-SAA-12345.pdf',
  },
})

export const ReputationQuery = v.object({ user_id: WalletAddress })

describeParameters(ReputationQuery, { user_id: 'The wallet.' }, { user_id: WALLET })
