/* Texts about the data that a restored database lacks, and the steps before Workers use it again. */

const STEPS = (again: string) => `Now, before the Workers use the database again:
1. Replace the session key without overlap, so that no revoked session is valid again: npm run rotate -- session --at-once.
2. Rotate the passwords of the database's roles, and deploy.
${again}Readers of GET /events whose cursor is lost get 409 cursor_lost, which says where to continue.`

export const LOST = `The chain does not have this, so it is lost:
- hires, charges, registrations, ratings, webhooks, logins and revocations since then; hires with a funded budget account are listed above as "lost hire";
- the use of quotas, of the day's yield limits and of agents' credit since then: these counts continue from the restored state;
- orders, acceptances, deliveries, objections and verdicts of jobs since then. Jobs that were "made anew" are disputed without a judge: unless both sides agree within three days, each gets half. A "lost job" is made anew once its agent's owner has registered an agent, and this has run again;
- payments for requests since then: they were paid, but do not count. Payments listed as "unanswered" may have been answered, and no longer get a success;
- facilitator keys that owners made since then: the previous key is valid again, until the owner makes another;
- which charges a collection paid. Hires listed as "held" cannot be collected until you mark these charges: npm run payments -- held.
${STEPS('3. Three minutes after the last Worker stopped, run this again: it must find nothing new.\n')}`

export const LOST_WITHOUT_SOLANA = `Without Solana there is nothing to record. This is lost since the last time that the database covers:
- hires, registrations, ratings, webhooks, logins and revocations;
- the use of quotas since then: these counts continue from the restored state.
${STEPS('')}`
