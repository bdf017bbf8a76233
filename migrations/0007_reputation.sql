CREATE TABLE "agent_hirers" (
	"agent_id" uuid NOT NULL,
	"wallet" text NOT NULL,
	CONSTRAINT "agent_hirers_agent_id_wallet_pk" PRIMARY KEY("agent_id","wallet")
);
--> statement-breakpoint
CREATE TABLE "dealings" (
	"wallet" text NOT NULL,
	"kind" text NOT NULL,
	"other" text NOT NULL,
	CONSTRAINT "dealings_wallet_kind_other_pk" PRIMARY KEY("wallet","kind","other"),
	CONSTRAINT "dealings_not_oneself" CHECK ("dealings"."wallet" <> "dealings"."other")
);
--> statement-breakpoint
CREATE TABLE "standings" (
	"wallet" text PRIMARY KEY NOT NULL,
	"hirers" integer DEFAULT 0 NOT NULL,
	"counterparties" integer DEFAULT 0 NOT NULL,
	"open_expedited" smallint DEFAULT 0 NOT NULL,
	CONSTRAINT "standings_totals" CHECK ("standings"."hirers" >= 0 and "standings"."counterparties" >= 0),
	CONSTRAINT "standings_open_expedited" CHECK ("standings"."open_expedited" >= 0)
);
--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "hirers" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "attestations" ADD COLUMN "proof_account" text;--> statement-breakpoint
ALTER TABLE "attestations" ADD COLUMN "proof_seen_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "attestations" ADD COLUMN "proof_slot" bigint;--> statement-breakpoint
ALTER TABLE "agent_hirers" ADD CONSTRAINT "agent_hirers_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "attestations_proven" ON "attestations" USING btree ("proof_seen_at","id") WHERE "attestations"."verification_level" = 'on_chain_proven';--> statement-breakpoint
ALTER TABLE "attestations" ADD CONSTRAINT "attestations_one_for_each_proof" UNIQUE("proof_account");--> statement-breakpoint
ALTER TABLE "agents" ADD CONSTRAINT "agents_hirers" CHECK ("agents"."hirers" >= 0);--> statement-breakpoint
ALTER TABLE "agents" DROP CONSTRAINT "agents_hires_completed";--> statement-breakpoint
ALTER TABLE "agents" DROP COLUMN "hires_completed";--> statement-breakpoint
ALTER TABLE "agents" DROP COLUMN "hires_counted";
--> statement-breakpoint
-- From here on written by hand: what is there already, counted by the new rules. Hires by other wallets that ran their
-- first term; a hire that is due and not recorded yet is counted when it is.
INSERT INTO "agent_hirers" ("agent_id", "wallet")
SELECT DISTINCT "hires"."agent_id", "hires"."wallet" FROM "hires" JOIN "agents" ON "agents"."id" = "hires"."agent_id"
WHERE "hires"."wallet" <> "agents"."pubkey"
	AND ("hires"."outcome" = 'completed' OR ("hires"."outcome" IS NULL AND "hires"."status" = 'expired'));
--> statement-breakpoint
UPDATE "agents" SET
	"hirers" = "counted"."n",
	"reputation_score" = round(100::double precision
		* (0.2::double precision * ("counted"."n"::double precision / ("counted"."n"::double precision + 4::double precision)))
		* 100) / 100
FROM (
	SELECT "agents"."id", count("agent_hirers"."wallet")::integer AS "n"
	FROM "agents" LEFT JOIN "agent_hirers" ON "agent_hirers"."agent_id" = "agents"."id" GROUP BY "agents"."id"
) AS "counted"
WHERE "counted"."id" = "agents"."id";
--> statement-breakpoint
INSERT INTO "dealings" ("wallet", "kind", "other")
SELECT "agents"."pubkey", 'hirer', "agent_hirers"."wallet"
FROM "agent_hirers" JOIN "agents" ON "agents"."id" = "agent_hirers"."agent_id"
UNION SELECT "agents"."pubkey", 'counterparty', "agent_hirers"."wallet"
FROM "agent_hirers" JOIN "agents" ON "agents"."id" = "agent_hirers"."agent_id"
UNION SELECT "agent_hirers"."wallet", 'counterparty', "agents"."pubkey"
FROM "agent_hirers" JOIN "agents" ON "agents"."id" = "agent_hirers"."agent_id"
UNION SELECT "referrer", 'counterparty', "wallet" FROM "referral_bounties";
--> statement-breakpoint
INSERT INTO "standings" ("wallet", "hirers", "counterparties", "open_expedited")
SELECT "wallet", sum("hirers"), sum("counterparties"), sum("open_expedited") FROM (
	SELECT "wallet", ("kind" = 'hirer')::integer AS "hirers", ("kind" = 'counterparty')::integer AS "counterparties",
		0 AS "open_expedited" FROM "dealings"
	UNION ALL
	SELECT "wallet", 0, 0, 1 FROM "attestations" WHERE "priority" = 'expedited' AND "status" IN ('pending', 'in_review')
) AS "counted" GROUP BY "wallet";
--> statement-breakpoint
-- One account proves one attestation: of those that it was taken to prove, the first verified stays. The others fall
-- back to what they were before, and their wallets' logs say so.
WITH "ranked" AS (
	SELECT "id", row_number() OVER (PARTITION BY "credential_id" ORDER BY "decided_at", "id") AS "place"
	FROM "attestations" WHERE "verification_level" = 'on_chain_proven'
), "kept" AS (
	UPDATE "attestations" SET "proof_account" = "credential_id", "proof_seen_at" = "decided_at", "proof_slot" = 0
	FROM "ranked" WHERE "ranked"."id" = "attestations"."id" AND "ranked"."place" = 1
), "fallen" AS (
	UPDATE "attestations" SET
		"status" = 'rejected',
		"verification_level" = CASE WHEN "document_url" IS NULL THEN 'self_attested' ELSE 'document_submitted' END,
		"expires_at" = CASE WHEN "expiry_date" IS NULL THEN NULL ELSE least(
			("expiry_date" + 1)::timestamp AT TIME ZONE 'UTC', '9999-12-31T23:59:59.999Z'::timestamptz) END,
		"decided_at" = now(),
		"reason" = 'The account has proven another attestation'
	FROM "ranked" WHERE "ranked"."id" = "attestations"."id" AND "ranked"."place" > 1
	RETURNING "attestations".*
)
INSERT INTO "events" ("id", "type", "occurred_at", "recorded_at", "wallet", "data")
SELECT "event_id"("decided_at"), 'attestation.revoked', "decided_at", "decided_at", "wallet", json_build_object(
	'attestationId', "id", 'credentialType', "credential_type", 'credentialId', "credential_id",
	'verificationLevel', "verification_level", 'decidedBy', "decided_by", 'reason', "reason")
FROM "fallen" ORDER BY "id";
