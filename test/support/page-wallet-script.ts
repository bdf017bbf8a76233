type Offer = { name: string; binding: string; address: string; publicKey: number[]; features: string[] }
type Ask = (feature: string, input: string) => Promise<string>
type Transaction = { transaction: Uint8Array }

/**
 * Registers a wallet of the Wallet Standard in the page, which hands everything on to the test. It runs in
 * the page, as text: nothing outside of it is there.
 */
export function offerWallet({ name, binding, address, publicKey, features }: Offer): void {
  const ask = (...args: Parameters<Ask>) => Reflect.get(globalThis, binding)(...args) as ReturnType<Ask>
  const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))
  const bytesOf = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  const signatureOf = (base58: string) => {
    let number = 0n
    for (const character of base58) number = number * 58n + BigInt(ALPHABET.indexOf(character))
    const hex = number.toString(16).padStart(128, '0')
    return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  }

  const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="teal"/></svg>`
  const chain = 'solana:localnet'
  const account = {
    address,
    publicKey: Uint8Array.from(publicKey),
    chains: [chain],
    features: features.map((feature) => `solana:${feature}`),
  }
  const supportedTransactionVersions = ['legacy', 0]
  const all: Record<string, object> = {
    signIn: {
      version: '1.0.0',
      async signIn(input: object) {
        const { message, signature } = JSON.parse(await ask('signIn', JSON.stringify(input)))
        return [{ account, signedMessage: Uint8Array.from(message), signature: signatureOf(signature) }]
      },
    },
    signMessage: {
      version: '1.1.0',
      async signMessage({ message }: { message: Uint8Array }) {
        return [{ signedMessage: message, signature: signatureOf(await ask('signMessage', base64(message))) }]
      },
    },
    signTransaction: {
      version: '1.0.0',
      supportedTransactionVersions,
      async signTransaction({ transaction }: Transaction) {
        return [{ signedTransaction: bytesOf(await ask('signTransaction', base64(transaction))) }]
      },
    },
    signAndSendTransaction: {
      version: '1.0.0',
      supportedTransactionVersions,
      async signAndSendTransaction({ transaction }: Transaction) {
        return [{ signature: signatureOf(await ask('signAndSendTransaction', base64(transaction))) }]
      },
    },
  }
  const wallet = {
    version: '1.0.0',
    name,
    icon: `data:image/svg+xml;base64,${btoa(ICON)}`,
    chains: [chain],
    accounts: [account],
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [account] }) },
      ...Object.fromEntries(features.map((feature) => [`solana:${feature}`, all[feature]])),
    },
  }
  // Whichever of page and wallet is there first finds the other: the two events of the standard.
  const page = globalThis as unknown as EventTarget
  const register = (api: { register(one: object): void }) => api.register(wallet)
  page.addEventListener('wallet-standard:app-ready', (event) => register(Reflect.get(event, 'detail')))
  page.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
}
