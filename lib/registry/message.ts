import type { InferOutput } from 'valibot'
import type { ServiceManifest } from '../../schema/wire/registry/requests.ts'
import { sha256Hex } from '../keys/bytes.ts'
import { canonicalJson } from '../keys/canonical-json.ts'

const MANIFEST_HEADING = 'Agent Service Manifest v1 (operator-declared):'

/** What a registration's signature covers, besides the fixed words. */
type SignedParts = {
  pubkey: string
  /** Unix milliseconds. */
  timestamp: number
  serviceManifest?: InferOutput<typeof ServiceManifest> | undefined
}

/** Writes the text that an agent's key signs to register it (interface section 4.3). */
export const registrationMessage = ({ pubkey, timestamp, serviceManifest }: SignedParts): string =>
  lines(pubkey, String(timestamp)) +
  (serviceManifest === undefined ? '' : manifestPart(canonicalJson(serviceManifest)))

/** The same with placeholders: without a manifest, and the part added for one. */
export const messageTemplate = lines('{pubkey}', '{timestamp}')
export const manifestTemplate = manifestPart('{serviceManifest}')

function lines(pubkey: string, timestamp: string): string {
  return [
    'AgentCred Agent Registration',
    '',
    `Agent: ${pubkey}`,
    `Timestamp: ${timestamp}`,
    '',
    'By signing this message, I certify that I am the owner of this agent keypair and agree to the AgentCred Terms of Service.',
  ].join('\n')
}

function manifestPart(manifest: string): string {
  return `\n\n${MANIFEST_HEADING}\n${manifest}`
}

/** Computes the SHA-256 of the value's canonical JSON, in hexadecimal. */
export const digestOf = (value: object): Promise<string> => sha256Hex(canonicalJson(value))
