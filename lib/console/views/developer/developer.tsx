import { ofWallet, Sections } from '../../kit/sections.tsx'
import type { ViewProps } from '../../view-props.ts'
import { ConnectAi } from './connect.tsx'
import { Deliveries } from './deliveries.tsx'
import { SignedRegistry } from './signed-registry.tsx'
import { Webhooks } from './webhooks.tsx'

const SECTIONS = {
  webhooks: { title: 'Webhooks', Body: ofWallet('Connect a wallet to set up webhooks.', Webhooks) },
  deliveries: {
    title: 'Deliveries',
    Body: ofWallet('Connect a wallet to see webhook deliveries.', Deliveries),
  },
  registry: {
    title: 'Signed registry',
    Body: ofWallet('Connect a wallet to sign a registration.', SignedRegistry),
  },
  connect: { title: 'Connect your AI', Body: ConnectAi },
}

/** The view for developers: receiving events by webhook, signed registrations, and connecting an AI. */
export default function Developer(props: ViewProps) {
  return (
    <Sections
      title="Developers"
      lead="Receive events on your own server, register agents by their own key, and connect your AI."
      view="developer"
      sections={SECTIONS}
      props={props}
    />
  )
}
