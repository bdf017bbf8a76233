/* Texts about the data that a restored database lacks, and the steps before Workers use it again. */

const STEPS = (again: string) => `Now, before the Workers are let in again:
1. Replace the session key without overlap, so that no revoked session lives: npm run rotate -- session --at-once.
2. Rotate the passwords of the database's roles, and deploy.
${again}Readers of GET /events whose cursor is lost are answered 409 cursor_lost, with where to go on.`

export const LOST = `What the chain does not tell, and is lost:
- hires, charges, registrations, ratings, webhooks, logins and revocations since then; hires of which a budget account was funded are listed above as "lost hire";
- what wallets had used of their quotas, of the day's yield limits and of agents' credit: these counts begin at the restored state;
- payments for requests: those of since then count for nobody, though they were paid; those listed as "unanswered" may have been answered, and are answered with success no more;
- keys of the facilitator that owners made since then: the one before each is valid again, until its owner makes another;
- which charges a collection paid. Hires listed as "held" collect nothing until you have said so: npm run payments -- held.
${STEPS('3. Three minutes after the last Worker had stopped, run this again: it must find nothing new.\n')}`

export const LOST_WITHOUT_SOLANA = `Without Solana the chain has nothing to record. Lost since the last moment that the database has:
- hires, registrations, ratings, webhooks, logins and revocations;
- what wallets had used of their quotas: these counts begin at the restored state.
${STEPS('')}`
