import { SelectField, TextField } from '../../kit/inputs.tsx'
import type { Bound } from '../../kit/values.ts'
import { PROTOCOLS, type Protocol } from './fields.ts'

/** The fields for where an agent is reached, and what it speaks there. */
export const ReachedAt = ({ url, protocol }: { url: Bound<string>; protocol: Bound<Protocol> }) => (
  <div class="row">
    <TextField {...url} inputMode="url" label="Endpoint URL (optional)" hint="http or https" />
    <SelectField {...protocol} label="Endpoint protocol" choices={PROTOCOLS} />
  </div>
)
