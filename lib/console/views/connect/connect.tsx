import { useEffect, useState } from 'preact/hooks'
import type { AuthorizationRequest, ConnectionDestination } from '../../../client/generated/types.ts'
import { Failure, Skeleton } from '../../kit/loaded.tsx'
import { Page } from '../../kit/pages.tsx'
import { useLoaded } from '../../kit/query.ts'
import { adviceOn } from '../../kit/words.ts'
import type { ViewProps } from '../../view-props.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { Consent } from './consent.tsx'
import { destinationName, headlineOf, otherHostOf, problemHeadlineOf, wayBackOf } from './texts.ts'

type Query = Record<'client_id' | 'redirect_uri', string>

/**
 * Asks whether a program may use the service for a wallet: OAuth's authorization endpoint. It leaves for the
 * program only when the visitor says so: another page may have led here.
 */
export default function ConnectView({ query }: ViewProps) {
  const { client } = useConnection()
  const { loaded, reload } = useLoaded(`${query}`, (signal) =>
    // The service says what is missing.
    client.call('GET /oauth/request', { query: Object.fromEntries(query) as Query, signal }),
  )
  const [redirectTo, setRedirectTo] = useState<string>()
  if ('data' in loaded && loaded.data) {
    const request = loaded.data
    if (redirectTo !== undefined) return <Allowed destination={request.destination} redirectTo={redirectTo} />
    return request.request === undefined ? (
      <Faulty request={request} />
    ) : (
      <Page title={headlineOf(request.destination)} lead={<Origin request={request} />}>
        {request.destination.kind === 'computer' && <Started />}
        <Consent {...request} request={request.request} onAllowed={setRedirectTo} />
      </Page>
    )
  }
  return (
    <Page title={loaded.state === 'failed' ? 'This request can’t be granted' : 'A program wants to connect'}>
      {loaded.state !== 'failed' ? (
        <Skeleton />
      ) : loaded.error.status === 400 ? (
        <Failure
          error={loaded.error}
          // The program's developer reads it: with the parameters' own names.
          fields={[]}
          advice={adviceOn(
            loaded.error.code === 'invalid_client' ? 'invalid_client' : 'invalid_redirect_uri',
          )}
        />
      ) : (
        <Failure error={loaded.error} retry={reload} />
      )}
    </Page>
  )
}

/** Says what the program calls itself, and whose description it presents. */
function Origin({ request }: { request: AuthorizationRequest }) {
  const other = otherHostOf(request)
  return (
    <>
      It calls itself “<bdi>{request.clientName}</bdi>”.
      {other !== undefined && (
        <> It presents the description that {other} publishes, which any program can do.</>
      )}
    </>
  )
}

/** Any program on the computer can ask, under any name. */
const Started = () => (
  <div class="notice consent">
    <p>
      <strong>Did you start this?</strong>
    </p>
    <p>
      Continue only if you just asked a program on this computer to connect, for example in a terminal or an
      editor. Its name proves nothing.
    </p>
  </div>
)

/** Shows what is wrong with a request, and offers to report it to the program. */
const Faulty = ({
  request: { destination, problem, refuseUrl, ...request },
}: {
  request: AuthorizationRequest
}) => (
  <Page
    title={problemHeadlineOf(destination)}
    lead={<Origin request={{ ...request, destination, refuseUrl }} />}
  >
    <div class="notice failure" role="alert">
      <p>
        <strong>{problem?.description}</strong>
      </p>
      <p>Nothing was allowed. {adviceOn('invalid_target')}</p>
      <p class="small">
        <code>{problem?.error}</code>
      </p>
      <a class="button" href={refuseUrl}>
        Report the error and {wayBackOf(destination)}
      </a>
    </div>
  </Page>
)

/** Leaves for the program with the answer. A link of an app may open nothing by itself. */
function Allowed({ destination, redirectTo }: { destination: ConnectionDestination; redirectTo: string }) {
  useEffect(() => location.assign(redirectTo), [redirectTo])
  const name = destinationName(destination)
  return (
    <Page title="Allowed">
      <div role="status">
        {destination.kind === 'app' ? (
          <>
            <p>
              <a class="button primary" href={redirectTo}>
                Open {name}
              </a>
            </p>
            <p>You can close this page.</p>
          </>
        ) : (
          <p>You are going back to {name}.</p>
        )}
      </div>
    </Page>
  )
}
