/** A step of a transaction: the service builds it, the wallet signs, it is sent, the network confirms it. */
export type TransactionStep = 'build' | 'sign' | 'send' | 'wait'

/** A way to log in, by the wallet's function that signs. */
export type LoginMethod = 'signIn' | 'signOffchainMessage' | 'signMessage'
