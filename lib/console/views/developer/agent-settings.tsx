import { useState } from 'preact/hooks'
import { SelectField } from '../../kit/inputs.tsx'
import { Id } from '../../kit/text.tsx'
import { AGENT_LANGUAGES, type AgentLanguage, agentProgramOf } from './agent-text.ts'
import { Copied } from './copied.tsx'

/** A program to copy that logs in with the agent's key. */
export function AgentSettings({ url, clientId }: { url: string; clientId: string }) {
  const [language, choose] = useState<AgentLanguage>('javaScript')
  const { file, install, start, text } = agentProgramOf(language, {
    url,
    issuer: new URL(url).origin,
    clientId,
  })
  return (
    <>
      <SelectField
        name="language"
        label="Language of the agent"
        choices={AGENT_LANGUAGES}
        value={language}
        change={choose}
      />
      <Copied
        where={
          <>
            Save this as {file}, with the private key next to it in agent-key.json. Install the package:{' '}
            <Id id={install} name="command to install" />
          </>
        }
        text={text}
        label="Copy program"
        next={
          <>
            Start it: <Id id={start} name="command to start" />. It lists your events. The program has no
            secret in it.
          </>
        }
      />
    </>
  )
}
