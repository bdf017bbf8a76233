import * as v from 'valibot'
import { WALLET } from '../../examples.ts'
import { body, parameters } from '../body.ts'
import { CalendarDate, Url, WalletAddress } from '../common.ts'
import { Name } from '../text.ts'

/** Body of POST /reputation/attest/skill. */
export const AttestationRequest = body(
  'AttestationRequest',
  'A credential. Unknown fields are rejected.',
  {
    credentialType: [Name(1, 64), 'What kind of credential, up to 64 characters.'],
    credentialId: [Name(1, 128), 'The issuer’s id of it, or the address of an on-chain attestation.'],
    issuingAuthority: [v.optional(Name(1, 128)), 'Who issued it.'],
    issuedDate: [v.optional(CalendarDate), 'Calendar date.'],
    expiryDate: [v.optional(CalendarDate), 'Calendar date; it is valid until the end of that day, UTC.'],
    documentUrl: [v.optional(Url('https')), 'https link to a supporting document, shown to oracles only.'],
  },
  {
    credentialType: 'certification',
    credentialId: 'AWS-SAA-12345',
    issuingAuthority: 'Amazon Web Services',
    issuedDate: '2025-01-01',
    expiryDate: '2027-12-31',
    documentUrl: 'https://certs.example.com/AWS-SAA-12345.pdf',
  },
)

export const ReputationQuery = parameters({ user_id: [WalletAddress, 'The wallet.'] }, { user_id: WALLET })
