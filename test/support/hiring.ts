import { createWallet } from '../../lib/cli/wallet.ts'
import { register } from './agents.ts'
import type { Body, Call, Service } from './service.ts'

const DAY = 86_400_000

/** An owner and its agent, which somebody has hired, over the API. */
export async function hiring(service: Service, agent: Body = {}, terms: Body = {}) {
  const owner = createWallet()
  const hirer = createWallet()
  const sessions = async () => {
    const [asOwner, asHirer] = await Promise.all([service.signIn(owner), service.signIn(hirer)])
    return { asOwner: asOwner.call, asHirer: asHirer.call }
  }
  let { asOwner, asHirer } = await sessions()
  const { id: agentId } = await register(asOwner, { feeModel: 'flat', feeAmount: 100, ...agent })
  const hired = await asHirer('POST', '/agents/hire', { body: { agentId, ...terms } })
  if (hired.status !== 201) throw new Error(`not hired: ${hired.text}`)
  const hireId = String(hired.body.id)
  let made = 0
  return {
    owner,
    hirer,
    agentId,
    hireId,
    hired: hired.body,
    asOwner: ((method, path, rest) => asOwner(method, path, rest)) as Call,
    asHirer: ((method, path, rest) => asHirer(method, path, rest)) as Call,
    /** Charges as the owner, by default 100 lamports under a new reference. */
    charge: (body: Body = {}) =>
      asOwner('POST', '/payments/charges', { body: { hireId, reference: `job-${++made}`, ...body } }),
    void: (id: unknown) => asOwner('POST', `/payments/charges/${id}/void`),
    /** The hire as its hirer sees it now. */
    read: async () => ((await asHirer('GET', '/agents/hire')).body.hires as [Body])[0],
    /** Moves the clock, which outlives sessions. */
    travel: async (days: number) => {
      await service.clock.travelTo(service.clock.now() + days * DAY)
      ;({ asOwner, asHirer } = await sessions())
    },
  }
}
