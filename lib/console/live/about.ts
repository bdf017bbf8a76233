import type { Event } from '../../client/index.ts'
import type { IsAbout } from './listeners.ts'

/** First words of event types, such as `charge` for `charge.recorded`. */
type Kind = Event['type'] extends `${infer Kind}.${string}` ? Kind : never

const isOf = (event: Event, kinds: readonly Kind[]): boolean =>
  (kinds as readonly string[]).includes(event.type.split('.')[0] ?? '')

/** Any event of these kinds. */
export const ofKinds =
  (...kinds: Kind[]): IsAbout =>
  (event) =>
    isOf(event, kinds)

/** Events of these kinds about an agent. */
export const ofAgent =
  (agentId: string, ...kinds: Kind[]): IsAbout =>
  (event) =>
    isOf(event, kinds) && 'agentId' in event.data && event.data.agentId === agentId

/** Events about a job. */
export const ofJob =
  (jobId: string): IsAbout =>
  ({ data }) =>
    'jobId' in data && data.jobId === jobId

/** Events of these kinds about a hire. */
export const ofHire =
  (hireId: string, ...kinds: Kind[]): IsAbout =>
  (event) =>
    isOf(event, kinds) && 'hireId' in event.data && event.data.hireId === hireId
