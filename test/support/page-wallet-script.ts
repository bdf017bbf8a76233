type OfferedAccount = {
  label: string | undefined
  address: string
  publicKey: number[]
  chains: string[]
  features: string[]
}
type Offer = { name: string; binding: string; accounts: OfferedAccount[] }
type Ask = (feature: string, input: string, address: string) => Promise<string>
type Account = { address: string }
type Transaction = { account: Account; transaction: Uint8Array }
type Listener = (changed: { accounts: Account[] }) => void

/**
 * Registers a wallet of the Wallet Standard in the page, which hands everything on to the test. It runs in
 * the page, as text: nothing outside of it is there.
 */
export function offerWallet({ name, binding, accounts }: Offer): void {
  /** Only the words of an error come from the test, with the code of a refusal in brackets. */
  const ask = async (...args: Parameters<Ask>): ReturnType<Ask> => {
    try {
      return await Reflect.get(globalThis, binding)(...args)
    } catch (error) {
      const [, words, code] = /^(.*?)(?: \[(\d+)\])?$/s.exec((error as Error).message) ?? []
      throw Object.assign(new Error(words), code === undefined ? {} : { code: Number(code) })
    }
  }
  const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))
  const bytesOf = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  const signatureOf = (base58: string) => {
    let number = 0n
    for (const character of base58) number = number * 58n + BigInt(ALPHABET.indexOf(character))
    const hex = number.toString(16).padStart(128, '0')
    return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  }
  /** What the test signed: the message, or an off-chain message around it. */
  const signed = async (...args: Parameters<Ask>) => {
    const { message, signature } = JSON.parse(await ask(...args))
    return { signedMessage: Uint8Array.from(message), signature: signatureOf(signature) }
  }

  const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="teal"/></svg>`
  const all = accounts.map(({ publicKey, features, ...account }) => ({
    ...account,
    publicKey: Uint8Array.from(publicKey),
    features: features.map((feature) => `solana:${feature}`),
  }))
  let shown = all
  const listeners = new Set<Listener>()
  const supportedTransactionVersions = ['legacy', 0]
  const able: Record<string, object> = {
    signIn: {
      version: '1.1.0',
      async signIn(input: { address?: string }) {
        const account = shown.find(({ address }) => address === input.address) ?? shown[0]
        if (!account) throw new Error('no account is shown')
        return [{ account, ...(await signed('signIn', JSON.stringify(input), account.address)) }]
      },
    },
    signOffchainMessage: {
      version: '1.0.0',
      supportedMessageVersions: [1],
      async signOffchainMessage({ account, message }: { account: Account; message: string }) {
        const { signedMessage, signature } = await signed('signOffchainMessage', message, account.address)
        return [{ signedOffchainMessage: signedMessage, signature }]
      },
    },
    signMessage: {
      version: '1.1.0',
      signMessage: async ({ account, message }: { account: Account; message: Uint8Array }) => [
        await signed('signMessage', base64(message), account.address),
      ],
    },
    signTransaction: {
      version: '1.0.0',
      supportedTransactionVersions,
      async signTransaction({ account, transaction }: Transaction) {
        return [
          { signedTransaction: bytesOf(await ask('signTransaction', base64(transaction), account.address)) },
        ]
      },
    },
    signAndSendTransaction: {
      version: '1.0.0',
      supportedTransactionVersions,
      async signAndSendTransaction({ account, transaction }: Transaction) {
        return [
          {
            signature: signatureOf(await ask('signAndSendTransaction', base64(transaction), account.address)),
          },
        ]
      },
    },
  }
  const wallet = {
    version: '1.0.0',
    name,
    icon: `data:image/svg+xml;base64,${btoa(ICON)}`,
    chains: [...new Set(all.flatMap(({ chains }) => chains))],
    get accounts() {
      return shown
    },
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: shown }) },
      'standard:events': {
        version: '1.0.0',
        on(_event: 'change', listener: Listener) {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
      },
      ...Object.fromEntries(
        accounts.flatMap(({ features }) => features).map((feature) => [`solana:${feature}`, able[feature]]),
      ),
    },
  }
  Reflect.set(globalThis, `show ${name}`, (addresses: string[]) => {
    shown = all.filter(({ address }) => addresses.includes(address))
    for (const listener of listeners) listener({ accounts: shown })
  })
  // Page and wallet find each other in any order, by the two events of the standard.
  const page = globalThis as unknown as EventTarget
  const register = (api: { register(one: object): void }) => api.register(wallet)
  page.addEventListener('wallet-standard:app-ready', (event) => register(Reflect.get(event, 'detail')))
  page.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
}
