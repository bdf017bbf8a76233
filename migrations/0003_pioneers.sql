CREATE TABLE "invite_codes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"code_hash" text NOT NULL,
	"tier" text NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "invite_codes_code_hash_unique" UNIQUE("code_hash")
);
--> statement-breakpoint
CREATE TABLE "pioneer_spots" (
	"id" smallint PRIMARY KEY NOT NULL,
	"taken" integer NOT NULL,
	CONSTRAINT "pioneer_spots_one_row" CHECK ("pioneer_spots"."id" = 1 and "pioneer_spots"."taken" >= 0)
);
--> statement-breakpoint
CREATE TABLE "pioneers" (
	"wallet" text PRIMARY KEY NOT NULL,
	"invite_id" uuid NOT NULL,
	"invite_code" text NOT NULL,
	"tier" text NOT NULL,
	"joined_at" timestamp (3) with time zone NOT NULL,
	"referred_by" text,
	CONSTRAINT "pioneers_one_per_code" UNIQUE("invite_id")
);
--> statement-breakpoint
CREATE TABLE "referral_bounties" (
	"wallet" text PRIMARY KEY NOT NULL,
	"referrer" text NOT NULL,
	"earned_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "referral_bounties_not_oneself" CHECK ("referral_bounties"."wallet" <> "referral_bounties"."referrer")
);
--> statement-breakpoint
CREATE TABLE "totals" (
	"shard" smallint PRIMARY KEY NOT NULL,
	"agents" bigint DEFAULT 0 NOT NULL,
	"attestations" bigint DEFAULT 0 NOT NULL,
	"value_locked" numeric(39, 0) DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "pioneers" ADD CONSTRAINT "pioneers_invite_id_invite_codes_id_fk" FOREIGN KEY ("invite_id") REFERENCES "public"."invite_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referral_bounties" ADD CONSTRAINT "referral_bounties_wallet_pioneers_wallet_fk" FOREIGN KEY ("wallet") REFERENCES "public"."pioneers"("wallet") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referral_bounties" ADD CONSTRAINT "referral_bounties_referrer_pioneers_wallet_fk" FOREIGN KEY ("referrer") REFERENCES "public"."pioneers"("wallet") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "referral_bounties_by_referrer" ON "referral_bounties" USING btree ("referrer");