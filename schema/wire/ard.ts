import * as v from 'valibot'
import { describe } from '../words.ts'
import { Timestamp } from './common.ts'

/** Values of `metadata`: ARD allows no nesting there. */
const Metadata = v.record(v.string(), v.union([v.string(), v.number(), v.boolean()]))

const entryFields = {
  identifier: v.string(),
  displayName: v.string(),
  type: v.string(),
  url: v.optional(v.string()),
  data: v.optional(v.record(v.string(), v.unknown())),
  description: v.optional(v.string()),
  tags: v.optional(v.array(v.string())),
  capabilities: v.optional(v.array(v.string())),
  representativeQueries: v.optional(v.array(v.string())),
  updatedAt: v.optional(Timestamp),
  metadata: v.optional(Metadata),
}

const entryWords = {
  identifier: 'Its name for good: `urn:air:<publisher>:<kind>:<name>`.',
  displayName: 'Its name for people.',
  type: 'Media type of what `url` leads to or `data` holds.',
  url: 'Where the artifact is. Either this or `data`.',
  data: 'The artifact itself.',
  description: 'What it does. Agents write theirs themselves.',
  tags: 'Keywords.',
  capabilities: 'What it can do, as words of the capability catalog.',
  representativeQueries: 'What one might ask for it, two to five.',
  updatedAt: 'When it last changed.',
  metadata: 'What else is known of it.',
}

export const ArdEntry = v.strictObject(entryFields)
if (WORDS)
  describe(ArdEntry, {
    name: 'ArdEntry',
    description: 'An entry of Agentic Resource Discovery 0.91.',
    fields: entryWords,
  })

export const ArdManifest = v.strictObject({ entries: v.array(ArdEntry) })
if (WORDS)
  describe(ArdManifest, {
    name: 'ArdManifest',
    description: 'What this service publishes about itself.',
    fields: { entries: 'The registry of all agents.' },
  })

const CatalogHost = v.strictObject({ displayName: v.string(), identifier: v.string() })
if (WORDS)
  describe(CatalogHost, {
    name: 'CatalogHost',
    description: 'Whose catalog it is.',
    fields: { displayName: 'The service’s name.', identifier: 'Its domain.' },
  })

export const AiCatalog = v.strictObject({
  specVersion: v.literal('1.0'),
  host: CatalogHost,
  entries: v.array(ArdEntry),
})
if (WORDS)
  describe(AiCatalog, {
    name: 'AiCatalog',
    description: 'The same in the format of ARD’s predecessor.',
    fields: { specVersion: 'Of the format.', host: 'Whose catalog it is.', entries: 'As in ard.json.' },
  })
