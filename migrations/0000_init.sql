CREATE TABLE "agent_endpoints" (
	"url_hash" text NOT NULL,
	"protocol" text NOT NULL,
	"url" text NOT NULL,
	"number" bigint GENERATED ALWAYS AS IDENTITY (sequence name "agent_endpoints_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"wallets" integer NOT NULL,
	"host" text,
	"status" text DEFAULT 'unknown' NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"latency_ms" integer,
	"is_auth_required" boolean DEFAULT false NOT NULL,
	"card_status" text DEFAULT 'none' NOT NULL,
	"card" text,
	"etag" text,
	"identifier" text,
	"identifies" text,
	"manifest_etag" text,
	"failing_since" timestamp (3) with time zone,
	"failures" smallint DEFAULT 0 NOT NULL,
	"counted_day" integer DEFAULT 0 NOT NULL,
	"day_checks" smallint[] DEFAULT '{}' NOT NULL,
	"day_successes" smallint[] DEFAULT '{}' NOT NULL,
	"uptime_30d" double precision,
	"robots_read_at" timestamp (3) with time zone,
	"is_opted_out" boolean DEFAULT false NOT NULL,
	"next_probe_at" timestamp (3) with time zone,
	"lease" uuid,
	CONSTRAINT "agent_endpoints_url_hash_protocol_pk" PRIMARY KEY("url_hash","protocol"),
	CONSTRAINT "agent_endpoints_wallets" CHECK ("agent_endpoints"."wallets" >= 0)
);
--> statement-breakpoint
CREATE TABLE "named_endpoints" (
	"wallet" text NOT NULL,
	"url_hash" text NOT NULL,
	"protocol" text NOT NULL,
	"url" text NOT NULL,
	"agents" integer NOT NULL,
	"is_watched" boolean NOT NULL,
	CONSTRAINT "named_endpoints_wallet_url_hash_protocol_pk" PRIMARY KEY("wallet","url_hash","protocol")
);
--> statement-breakpoint
CREATE TABLE "probed_hosts" (
	"host" text PRIMARY KEY NOT NULL,
	"queue" text DEFAULT 'first' NOT NULL,
	"slow_until" timestamp (3) with time zone,
	"free_at" timestamp (3) with time zone NOT NULL,
	"next_turn_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "agent_listings" (
	"layer" smallint NOT NULL,
	"status" text NOT NULL,
	"agent_type" text NOT NULL,
	"fee_model" text NOT NULL,
	"reputation_score" double precision NOT NULL,
	"agent_id" uuid NOT NULL,
	"name" text NOT NULL,
	"word_bloom" bit(256) NOT NULL,
	CONSTRAINT "agent_listings_by_kind" PRIMARY KEY("layer","status","agent_type","fee_model","reputation_score","agent_id")
);
--> statement-breakpoint
CREATE TABLE "agents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"pubkey" text NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"agent_type" text NOT NULL,
	"supported_layers" smallint[] NOT NULL,
	"fee_model" text NOT NULL,
	"fee_amount" bigint NOT NULL,
	"api_endpoint" text,
	"api_protocol" text,
	"webhook_url" text,
	"webhook_set_at" timestamp (3) with time zone,
	"webhook_disabled_at" timestamp (3) with time zone,
	"webhook_disabled_reason" text,
	"logo_url" text,
	"reputation_score" double precision DEFAULT 0 NOT NULL,
	"hirers" integer DEFAULT 0 NOT NULL,
	"payers_weight" bigint DEFAULT 0 NOT NULL,
	"satisfied_weight" bigint DEFAULT 0 NOT NULL,
	"ratings" integer DEFAULT 0 NOT NULL,
	"rated_weight" bigint DEFAULT 0 NOT NULL,
	"rating_sum" bigint DEFAULT 0 NOT NULL,
	"total_hires" integer DEFAULT 0 NOT NULL,
	"status" text NOT NULL,
	"status_reason" text,
	"pauses" "tstzmultirange" DEFAULT '{}' NOT NULL,
	"status_day" date,
	"status_changes" smallint DEFAULT 0 NOT NULL,
	"registered_at" timestamp (3) with time zone NOT NULL,
	"is_listed" boolean DEFAULT true NOT NULL,
	"listed_until" timestamp (3) with time zone,
	CONSTRAINT "agents_fee_amount" CHECK ("agents"."fee_amount" >= 0),
	CONSTRAINT "agents_reputation_score" CHECK ("agents"."reputation_score" between 0 and 100),
	CONSTRAINT "agents_hirers" CHECK ("agents"."hirers" >= 0),
	CONSTRAINT "agents_payers" CHECK ("agents"."satisfied_weight" between 0 and "agents"."payers_weight"),
	CONSTRAINT "agents_ratings" CHECK ("agents"."ratings" >= 0 and "agents"."rating_sum" between "agents"."rated_weight" and 5 * "agents"."rated_weight"),
	CONSTRAINT "agents_supported_layers" CHECK (cardinality("agents"."supported_layers") > 0)
);
--> statement-breakpoint
CREATE TABLE "attestations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"wallet" text NOT NULL,
	"credential_type" text NOT NULL,
	"credential_id" text NOT NULL,
	"issuing_authority" text,
	"issued_date" date,
	"expiry_date" date,
	"document_url" text,
	"verification_level" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"status" text,
	"priority" text,
	"requested_at" timestamp (3) with time zone,
	"paid_weight" bigint DEFAULT 0 NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"decided_by" text,
	"reason" text,
	"proof_account" text,
	"proof_seen_at" timestamp (3) with time zone,
	"proof_slot" bigint,
	CONSTRAINT "attestations_one_for_each_proof" UNIQUE("proof_account"),
	CONSTRAINT "attestations_once" UNIQUE("wallet","credential_type","credential_id")
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
	"payers_weight" bigint DEFAULT 0 NOT NULL,
	"satisfied_weight" bigint DEFAULT 0 NOT NULL,
	"paid_weight" bigint DEFAULT 0 NOT NULL,
	"open_expedited" smallint DEFAULT 0 NOT NULL,
	CONSTRAINT "standings_totals" CHECK ("standings"."hirers" >= 0 and "standings"."counterparties" >= 0),
	CONSTRAINT "standings_weights" CHECK ("standings"."satisfied_weight" between 0 and "standings"."payers_weight" and "standings"."paid_weight" >= 0),
	CONSTRAINT "standings_open_expedited" CHECK ("standings"."open_expedited" >= 0)
);
--> statement-breakpoint
CREATE TABLE "document_words" (
	"kind" text NOT NULL,
	"word" text NOT NULL,
	"key" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "documents" (
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"words" "tsvector" NOT NULL,
	"stems" "tsvector" NOT NULL,
	CONSTRAINT "documents_kind_key_pk" PRIMARY KEY("kind","key")
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"endpoint_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"wallet" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"lease" uuid,
	"last_attempt_at" timestamp (3) with time zone,
	"last_response_code" integer,
	"last_failure" text,
	CONSTRAINT "deliveries_endpoint_id_event_id_pk" PRIMARY KEY("endpoint_id","event_id"),
	CONSTRAINT "deliveries_next_attempt" CHECK (("deliveries"."status" = 'pending') = ("deliveries"."next_attempt_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "delivery_attempts" (
	"endpoint_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"attempted_at" timestamp (3) with time zone NOT NULL,
	"response_code" integer,
	"failure" text,
	"duration_ms" integer NOT NULL,
	CONSTRAINT "delivery_attempts_endpoint_id_attempted_at_event_id_pk" PRIMARY KEY("endpoint_id","attempted_at","event_id")
);
--> statement-breakpoint
CREATE TABLE "delivery_walk" (
	"is_only" boolean PRIMARY KEY NOT NULL,
	"after" uuid NOT NULL,
	"looked_until" timestamp (3) with time zone DEFAULT '1970-01-01' NOT NULL,
	CONSTRAINT "delivery_walk_is_only" CHECK ("delivery_walk"."is_only")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"xid" bigint DEFAULT (pg_current_xact_id()::text)::bigint NOT NULL,
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "events_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"recorded_at" timestamp (3) with time zone NOT NULL,
	"wallet" text NOT NULL,
	"counterparty" text,
	"agent_id" uuid,
	"data" json NOT NULL
);
--> statement-breakpoint
CREATE TABLE "agent_hirers" (
	"agent_id" uuid NOT NULL,
	"wallet" text NOT NULL,
	CONSTRAINT "agent_hirers_agent_id_wallet_pk" PRIMARY KEY("agent_id","wallet")
);
--> statement-breakpoint
CREATE TABLE "hire_periods" (
	"hire_id" uuid NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"spent" bigint NOT NULL,
	"low_by_id" uuid,
	"exhausted_by_id" uuid,
	CONSTRAINT "hire_periods_hire_id_starts_at_pk" PRIMARY KEY("hire_id","starts_at"),
	CONSTRAINT "hire_periods_spent" CHECK ("hire_periods"."spent" between 0 and 9007199254740991)
);
--> statement-breakpoint
CREATE TABLE "hires" (
	"id" uuid PRIMARY KEY NOT NULL,
	"wallet" text NOT NULL,
	"agent_id" uuid NOT NULL,
	"layers_enabled" smallint[] NOT NULL,
	"fee_model" text NOT NULL,
	"fee_amount" bigint NOT NULL,
	"budget_limit" bigint,
	"auto_renew" boolean NOT NULL,
	"term_days" smallint NOT NULL,
	"status" text NOT NULL,
	"hired_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"unused_renewals" smallint DEFAULT 3 NOT NULL,
	"paid_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"outcome" text,
	"budget_number" integer DEFAULT 0 NOT NULL,
	"seek_at" timestamp (3) with time zone,
	"closed" boolean DEFAULT false NOT NULL,
	CONSTRAINT "hires_fee_amount" CHECK ("hires"."fee_amount" >= 0),
	CONSTRAINT "hires_budget_limit" CHECK ("hires"."budget_limit" >= 0),
	CONSTRAINT "hires_unused_renewals" CHECK ("hires"."unused_renewals" between 0 and 3),
	CONSTRAINT "hires_term_days" CHECK ("hires"."term_days" between 1 and 365)
);
--> statement-breakpoint
CREATE TABLE "hire_payments" (
	"hire_id" uuid PRIMARY KEY NOT NULL,
	"collected" numeric(38, 0) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "owner_layers" (
	"owner" text NOT NULL,
	"layer" smallint NOT NULL,
	"fee" numeric(38, 0) NOT NULL,
	CONSTRAINT "owner_layers_owner_layer_pk" PRIMARY KEY("owner","layer")
);
--> statement-breakpoint
CREATE TABLE "payers" (
	"kind" text NOT NULL,
	"payee" text NOT NULL,
	"payer" text NOT NULL,
	"fee" numeric(38, 0) NOT NULL,
	"fee_step" bigint NOT NULL,
	"rating" smallint,
	CONSTRAINT "payers_kind_payee_payer_pk" PRIMARY KEY("kind","payee","payer"),
	CONSTRAINT "payers_not_oneself" CHECK ("payers"."payee" <> "payers"."payer"),
	CONSTRAINT "payers_fee" CHECK ("payers"."fee" >= 0 and "payers"."fee_step" > 0),
	CONSTRAINT "payers_rating" CHECK ("payers"."rating" between 1 and 5)
);
--> statement-breakpoint
CREATE TABLE "budget_accounts" (
	"hire_id" uuid PRIMARY KEY NOT NULL,
	"hirer" text NOT NULL,
	"owner" text NOT NULL,
	"agent_id" uuid NOT NULL,
	"address" text NOT NULL,
	"seed" text NOT NULL,
	"generation" smallint,
	"looked_at" timestamp (3) with time zone NOT NULL,
	"failed_at" timestamp (3) with time zone,
	"held_at" timestamp (3) with time zone,
	CONSTRAINT "budget_accounts_address_unique" UNIQUE("address")
);
--> statement-breakpoint
CREATE TABLE "payment_generations" (
	"generation" smallint PRIMARY KEY NOT NULL,
	"authority" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_intent_legs" (
	"intent_id" uuid NOT NULL,
	"hire_id" uuid NOT NULL,
	"address" text NOT NULL,
	"seed" text,
	"amount" bigint NOT NULL,
	"payable_before" bigint,
	"fee" bigint NOT NULL,
	CONSTRAINT "payment_intent_legs_intent_id_hire_id_pk" PRIMARY KEY("intent_id","hire_id"),
	CONSTRAINT "payment_intent_legs_amounts" CHECK ("payment_intent_legs"."amount" >= 0 and "payment_intent_legs"."fee" between 0 and "payment_intent_legs"."amount")
);
--> statement-breakpoint
CREATE TABLE "payment_intents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"wallet" text NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"generation" smallint NOT NULL,
	"hire_id" uuid,
	"fee_bps" smallint,
	"transaction" text NOT NULL,
	"message" text NOT NULL,
	"last_valid_block_height" bigint NOT NULL,
	"built_slot" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"cosigned_message" text,
	"network_signature" text,
	"cosigned_at" timestamp (3) with time zone,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone,
	"searched_to" text,
	"resolved_at" timestamp (3) with time zone,
	"reason" text,
	CONSTRAINT "payment_intents_cosigned" CHECK (num_nulls("payment_intents"."cosigned_message", "payment_intents"."network_signature", "payment_intents"."cosigned_at") in (0, 3)),
	CONSTRAINT "payment_intents_fee" CHECK (("payment_intents"."kind" = 'collect') = ("payment_intents"."fee_bps" is not null))
);
--> statement-breakpoint
CREATE TABLE "charges" (
	"id" uuid PRIMARY KEY NOT NULL,
	"hire_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"owner" text NOT NULL,
	"hirer" text NOT NULL,
	"reference" text NOT NULL,
	"amount" bigint NOT NULL,
	"units" bigint,
	"captured_value" bigint,
	"share" bigint,
	"layer" smallint,
	"description" text,
	"period_start" timestamp (3) with time zone NOT NULL,
	"status" text NOT NULL,
	"collection_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"voided_at" timestamp (3) with time zone,
	"collected_at" timestamp (3) with time zone,
	"fee" bigint,
	CONSTRAINT "charges_one_for_each_reference" UNIQUE("agent_id","reference"),
	CONSTRAINT "charges_amount" CHECK ("charges"."amount" between 1 and 9007199254740991),
	CONSTRAINT "charges_voided" CHECK (("charges"."status" = 'voided') = ("charges"."voided_at" is not null)),
	CONSTRAINT "charges_collected" CHECK (num_nulls("charges"."collected_at", "charges"."fee") = case when "charges"."status" = 'collected' then 0 else 2 end),
	CONSTRAINT "charges_voided_uncollected" CHECK ("charges"."status" <> 'voided' or "charges"."collection_id" is null)
);
--> statement-breakpoint
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
CREATE TABLE "address_quotas" (
	"address_hash" text PRIMARY KEY NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"used" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallet_quotas" (
	"wallet" text PRIMARY KEY NOT NULL,
	"agents" integer DEFAULT 0 NOT NULL,
	"active_agents" integer DEFAULT 0 NOT NULL,
	"attestation_day" date,
	"attestations" integer DEFAULT 0 NOT NULL,
	"charge_day" date,
	"charges" integer DEFAULT 0 NOT NULL,
	"unpaid_charges" integer DEFAULT 0 NOT NULL,
	"hire_day" date,
	"hires" integer DEFAULT 0 NOT NULL,
	"active_hires" integer DEFAULT 0 NOT NULL,
	"endpoints" integer DEFAULT 0 NOT NULL,
	"tested_at" timestamp (3) with time zone,
	CONSTRAINT "wallet_quotas_agents" CHECK ("wallet_quotas"."active_agents" >= 0 and "wallet_quotas"."agents" >= 0),
	CONSTRAINT "wallet_quotas_endpoints" CHECK ("wallet_quotas"."endpoints" >= 0),
	CONSTRAINT "wallet_quotas_agents_limit" CHECK ("wallet_quotas"."agents" <= 1000),
	CONSTRAINT "wallet_quotas_active_agents_limit" CHECK ("wallet_quotas"."active_agents" <= 200),
	CONSTRAINT "wallet_quotas_attestations" CHECK ("wallet_quotas"."attestations" <= 100),
	CONSTRAINT "wallet_quotas_charges" CHECK ("wallet_quotas"."charges" <= 10000),
	CONSTRAINT "wallet_quotas_hires" CHECK ("wallet_quotas"."hires" <= 1000),
	CONSTRAINT "wallet_quotas_active_hires" CHECK ("wallet_quotas"."active_hires" between 0 and 1000),
	CONSTRAINT "wallet_quotas_unpaid_charges" CHECK ("wallet_quotas"."unpaid_charges" <= 1000)
);
--> statement-breakpoint
CREATE TABLE "ratings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"hire_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"owner" text NOT NULL,
	"wallet" text NOT NULL,
	"rating" smallint NOT NULL,
	"comment" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"revised_at" timestamp (3) with time zone,
	"answer" text,
	"answered_at" timestamp (3) with time zone,
	CONSTRAINT "ratings_one_for_each_hire" UNIQUE("hire_id"),
	CONSTRAINT "ratings_not_of_oneself" CHECK ("ratings"."wallet" <> "ratings"."owner"),
	CONSTRAINT "ratings_rating" CHECK ("ratings"."rating" between 1 and 5)
);
--> statement-breakpoint
CREATE TABLE "registry_agents" (
	"pubkey" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"agent_type" text NOT NULL,
	"capabilities" text[] NOT NULL,
	"layers" smallint[] NOT NULL,
	"fee_model" text NOT NULL,
	"fee_amount" numeric,
	"description" text,
	"website" text,
	"logo_url" text,
	"api_endpoint" text,
	"api_protocol" text,
	"developer_pubkey" text,
	"contact_email" text,
	"service_manifest" jsonb,
	"timestamp" bigint NOT NULL,
	"signature" text NOT NULL,
	"body_hash" text NOT NULL,
	"revision" integer NOT NULL,
	"registered_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"status_reason" text,
	CONSTRAINT "registry_agents_fee_amount" CHECK ("registry_agents"."fee_amount" >= 0),
	CONSTRAINT "registry_agents_capabilities" CHECK (cardinality("registry_agents"."capabilities") > 0),
	CONSTRAINT "registry_agents_layers" CHECK (cardinality("registry_agents"."layers") > 0)
);
--> statement-breakpoint
CREATE TABLE "registry_listings" (
	"layer" smallint NOT NULL,
	"capability" text NOT NULL,
	"agent_type" text NOT NULL,
	"registered_at" timestamp (3) with time zone NOT NULL,
	"pubkey" text NOT NULL,
	CONSTRAINT "registry_listings_by_type" PRIMARY KEY("layer","capability","agent_type","registered_at","pubkey")
);
--> statement-breakpoint
CREATE TABLE "stats_days" (
	"day" date PRIMARY KEY NOT NULL,
	"taken_at" timestamp (3) with time zone NOT NULL,
	"pioneers" integer NOT NULL,
	"agents" bigint NOT NULL,
	"attestations" bigint NOT NULL,
	"value_locked" numeric(39, 0) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "totals" (
	"shard" smallint PRIMARY KEY NOT NULL,
	"agents" bigint DEFAULT 0 NOT NULL,
	"attestations" bigint DEFAULT 0 NOT NULL,
	"value_locked" numeric(39, 0) DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "positions" (
	"owner" text NOT NULL,
	"id" integer NOT NULL,
	"address" text NOT NULL,
	"generation" smallint NOT NULL,
	"principal" bigint NOT NULL,
	"lock_days" smallint NOT NULL,
	"apy_bps" smallint NOT NULL,
	"staked_at" timestamp (3) with time zone NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"escrowed" bigint NOT NULL,
	"seen_slot" bigint NOT NULL,
	"claimed" bigint DEFAULT 0 NOT NULL,
	"open_claim" uuid,
	"withdrawn_at" timestamp (3) with time zone,
	"seen_at" timestamp (3) with time zone DEFAULT 'epoch' NOT NULL,
	"early" text,
	"suspected_slot" bigint,
	"leave_open" boolean DEFAULT false NOT NULL,
	CONSTRAINT "positions_owner_id_pk" PRIMARY KEY("owner","id"),
	CONSTRAINT "positions_address_unique" UNIQUE("address"),
	CONSTRAINT "positions_amounts" CHECK ("positions"."principal" > 0 and "positions"."escrowed" >= 0 and "positions"."claimed" >= 0)
);
--> statement-breakpoint
CREATE TABLE "vault_generations" (
	"generation" smallint PRIMARY KEY NOT NULL,
	"authority" text,
	"recovery" text,
	"paused_at" timestamp (3) with time zone,
	"pause_reason" text,
	"published_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "vault_intent_legs" (
	"intent_id" uuid NOT NULL,
	"address" text NOT NULL,
	"amount" bigint NOT NULL,
	"balance_before" bigint NOT NULL,
	CONSTRAINT "vault_intent_legs_intent_id_address_pk" PRIMARY KEY("intent_id","address")
);
--> statement-breakpoint
CREATE TABLE "vault_intents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"kind" text NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"generation" smallint NOT NULL,
	"signing" text DEFAULT 'service_first' NOT NULL,
	"transaction" text NOT NULL,
	"message" text NOT NULL,
	"last_valid_block_height" bigint NOT NULL,
	"cosigned_message" text,
	"network_signature" text,
	"cosigned_at" timestamp (3) with time zone,
	"built_slot" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"lock_days" smallint,
	"apy_bps" smallint,
	"staked_at" timestamp (3) with time zone,
	"yield" bigint,
	"yield_day" date,
	"reason" text,
	"searched_to" text,
	"search_after" timestamp (3) with time zone,
	"looked_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone,
	CONSTRAINT "vault_intents_cosigned" CHECK (num_nulls("vault_intents"."cosigned_message", "vault_intents"."network_signature", "vault_intents"."cosigned_at") in (0, 3))
);
--> statement-breakpoint
CREATE TABLE "vault_yield_days" (
	"day" date PRIMARY KEY NOT NULL,
	"landed" bigint DEFAULT 0 NOT NULL,
	"reserved" bigint DEFAULT 0 NOT NULL,
	"settled_at" timestamp (3) with time zone DEFAULT 'epoch' NOT NULL,
	"stacked_at" timestamp (3) with time zone DEFAULT 'epoch' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vaults" (
	"owner" text PRIMARY KEY NOT NULL,
	"next_position_id" integer DEFAULT 0 NOT NULL,
	"open_stacks" smallint DEFAULT 0 NOT NULL,
	"open_positions" integer DEFAULT 0 NOT NULL,
	"settled_at" timestamp (3) with time zone NOT NULL,
	"yield_day" date,
	"yield_landed" bigint DEFAULT 0 NOT NULL,
	"yield_reserved" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "vaults_open_stacks" CHECK ("vaults"."open_stacks" >= 0),
	CONSTRAINT "vaults_open_positions" CHECK ("vaults"."open_positions" >= 0)
);
--> statement-breakpoint
CREATE TABLE "spent_nonces" (
	"nonce" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallets" (
	"address" text PRIMARY KEY NOT NULL,
	"first_login_at" timestamp (3) with time zone NOT NULL,
	"last_login_at" timestamp (3) with time zone NOT NULL,
	"session_generation" integer DEFAULT 0 NOT NULL,
	"listens_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "endpoints" (
	"id" uuid PRIMARY KEY NOT NULL,
	"wallet" text NOT NULL,
	"url" text NOT NULL,
	"description" text,
	"event_types" text[] NOT NULL,
	"agent_ids" uuid[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"set_at" timestamp (3) with time zone NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"disabled_reason" text,
	"secret" text NOT NULL,
	"previous_secret" text,
	"previous_secret_ends_at" timestamp (3) with time zone,
	CONSTRAINT "endpoints_disabled" CHECK (("endpoints"."disabled_at" is null) = ("endpoints"."disabled_reason" is null))
);
--> statement-breakpoint
CREATE TABLE "webhook_hosts" (
	"host" text PRIMARY KEY NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"attempts" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_targets" (
	"wallet" text NOT NULL,
	"url_hash" text NOT NULL,
	"host" text NOT NULL,
	"challenge" text,
	"answered_at" timestamp (3) with time zone,
	"proven_at" timestamp (3) with time zone,
	"is_healthy" boolean DEFAULT false NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"held_until" timestamp (3) with time zone,
	"is_awaited" boolean DEFAULT false NOT NULL,
	"line" text,
	"waiting_since" timestamp (3) with time zone,
	"day" timestamp (3) with time zone,
	"day_attempts" integer DEFAULT 0 NOT NULL,
	"last_attempt_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "webhook_targets_wallet_url_hash_pk" PRIMARY KEY("wallet","url_hash")
);
--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_hirers" ADD CONSTRAINT "agent_hirers_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hire_periods" ADD CONSTRAINT "hire_periods_hire_id_hires_id_fk" FOREIGN KEY ("hire_id") REFERENCES "public"."hires"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hires" ADD CONSTRAINT "hires_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hire_payments" ADD CONSTRAINT "hire_payments_hire_id_hires_id_fk" FOREIGN KEY ("hire_id") REFERENCES "public"."hires"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_accounts" ADD CONSTRAINT "budget_accounts_hire_id_hires_id_fk" FOREIGN KEY ("hire_id") REFERENCES "public"."hires"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_intent_legs" ADD CONSTRAINT "payment_intent_legs_intent_id_payment_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."payment_intents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_intents" ADD CONSTRAINT "payment_intents_hire_id_hires_id_fk" FOREIGN KEY ("hire_id") REFERENCES "public"."hires"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "charges" ADD CONSTRAINT "charges_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "charges" ADD CONSTRAINT "charges_period" FOREIGN KEY ("hire_id","period_start") REFERENCES "public"."hire_periods"("hire_id","starts_at") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pioneers" ADD CONSTRAINT "pioneers_invite_id_invite_codes_id_fk" FOREIGN KEY ("invite_id") REFERENCES "public"."invite_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referral_bounties" ADD CONSTRAINT "referral_bounties_wallet_pioneers_wallet_fk" FOREIGN KEY ("wallet") REFERENCES "public"."pioneers"("wallet") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referral_bounties" ADD CONSTRAINT "referral_bounties_referrer_pioneers_wallet_fk" FOREIGN KEY ("referrer") REFERENCES "public"."pioneers"("wallet") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_hire_id_hires_id_fk" FOREIGN KEY ("hire_id") REFERENCES "public"."hires"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "positions" ADD CONSTRAINT "positions_owner_vaults_owner_fk" FOREIGN KEY ("owner") REFERENCES "public"."vaults"("owner") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vault_intent_legs" ADD CONSTRAINT "vault_intent_legs_intent_id_vault_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."vault_intents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_endpoints_new" ON "agent_endpoints" USING btree ("number") WHERE "agent_endpoints"."host" is null;--> statement-breakpoint
CREATE INDEX "agent_endpoints_due" ON "agent_endpoints" USING btree ("host","next_probe_at") WHERE "agent_endpoints"."next_probe_at" is not null;--> statement-breakpoint
CREATE INDEX "agent_endpoints_live" ON "agent_endpoints" USING btree ("host","next_probe_at") WHERE "agent_endpoints"."status" = 'live' and "agent_endpoints"."next_probe_at" is not null;--> statement-breakpoint
CREATE INDEX "agent_endpoints_by_identifier" ON "agent_endpoints" USING btree ("identifier") WHERE "agent_endpoints"."identifier" is not null;--> statement-breakpoint
CREATE INDEX "agent_endpoints_named_by_host" ON "agent_endpoints" USING btree ("number") WHERE "agent_endpoints"."status" = 'live' and split_part("agent_endpoints"."identifies", ':', 1) = 'registered';--> statement-breakpoint
CREATE INDEX "probed_hosts_due" ON "probed_hosts" USING btree ("queue","next_turn_at");--> statement-breakpoint
CREATE INDEX "agent_listings_by_score" ON "agent_listings" USING btree ("layer","status","reputation_score","agent_id","name","word_bloom");--> statement-breakpoint
CREATE INDEX "agent_listings_by_age" ON "agent_listings" USING btree ("layer","status","agent_id");--> statement-breakpoint
CREATE INDEX "agent_listings_by_name" ON "agent_listings" USING btree ("layer","status","name" text_pattern_ops,"agent_id");--> statement-breakpoint
CREATE INDEX "agents_by_owner" ON "agents" USING btree ("pubkey","status");--> statement-breakpoint
CREATE INDEX "agents_to_unlist" ON "agents" USING btree ("listed_until") WHERE "agents"."is_listed";--> statement-breakpoint
CREATE INDEX "agents_by_endpoint" ON "agents" USING btree (md5("api_endpoint"),"api_protocol","listed_until") WHERE "agents"."status" = 'active' and "agents"."api_protocol" is not null;--> statement-breakpoint
CREATE INDEX "agents_unlisted" ON "agents" USING btree ("pubkey","status") WHERE not "agents"."is_listed";--> statement-breakpoint
CREATE INDEX "attestations_by_wallet" ON "attestations" USING btree ("wallet",("verification_level" in ('third_party_verified', 'on_chain_proven')),"id");--> statement-breakpoint
CREATE INDEX "attestations_waiting" ON "attestations" USING btree ("status",(-"paid_weight"),"priority","requested_at","id");--> statement-breakpoint
CREATE INDEX "attestations_proven" ON "attestations" USING btree ("proof_seen_at","id") WHERE "attestations"."verification_level" = 'on_chain_proven';--> statement-breakpoint
CREATE UNIQUE INDEX "document_words_by_word" ON "document_words" USING btree ("kind","word" text_pattern_ops,"key");--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("endpoint_id","next_attempt_at") WHERE "deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "deliveries_failed" ON "deliveries" USING btree ("endpoint_id","created_at") WHERE "deliveries"."status" = 'failed';--> statement-breakpoint
CREATE INDEX "deliveries_by_status" ON "deliveries" USING btree ("wallet","status","event_id","endpoint_id");--> statement-breakpoint
CREATE INDEX "deliveries_of_endpoint" ON "deliveries" USING btree ("endpoint_id","status","event_id");--> statement-breakpoint
CREATE INDEX "deliveries_by_wallet" ON "deliveries" USING btree ("wallet","event_id","endpoint_id");--> statement-breakpoint
CREATE INDEX "deliveries_by_age" ON "deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "deliveries_by_event" ON "deliveries" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "delivery_attempts_by_age" ON "delivery_attempts" USING btree ("attempted_at");--> statement-breakpoint
CREATE INDEX "events_by_wallet" ON "events" USING btree ("wallet","xid","seq");--> statement-breakpoint
CREATE INDEX "events_by_counterparty" ON "events" USING btree ("counterparty","xid","seq") WHERE "events"."counterparty" is not null;--> statement-breakpoint
CREATE INDEX "events_by_age" ON "events" USING btree ("recorded_at") WHERE "events"."type" not in ('charge.recorded', 'charge.voided', 'charge.collected', 'budget.low', 'budget.exhausted', 'budget.funded', 'budget.withdrawn', 'vault.position_opened', 'vault.position_closed', 'vault.yield_claimed');--> statement-breakpoint
CREATE UNIQUE INDEX "hires_one_active" ON "hires" USING btree ("wallet","agent_id") WHERE "hires"."status" = 'active';--> statement-breakpoint
CREATE INDEX "hires_by_wallet" ON "hires" USING btree ("wallet","id");--> statement-breakpoint
CREATE INDEX "hires_by_agent" ON "hires" USING btree ("agent_id","expires_at") WHERE "hires"."status" = 'active';--> statement-breakpoint
CREATE INDEX "hires_paid_by_expiry" ON "hires" USING btree ("expires_at") WHERE "hires"."status" = 'active' and "hires"."paid_at" is not null;--> statement-breakpoint
CREATE INDEX "hires_unpaid_by_expiry" ON "hires" USING btree ("expires_at") WHERE "hires"."status" = 'active' and "hires"."paid_at" is null;--> statement-breakpoint
CREATE INDEX "hires_to_close" ON "hires" USING btree ("ended_at") WHERE "hires"."ended_at" is not null and not "hires"."closed";--> statement-breakpoint
CREATE INDEX "hires_to_seek" ON "hires" USING btree ("seek_at") WHERE "hires"."seek_at" is not null;--> statement-breakpoint
CREATE INDEX "hires_of_agent" ON "hires" USING btree ("agent_id","status","id");--> statement-breakpoint
CREATE INDEX "budget_accounts_by_hirer" ON "budget_accounts" USING btree ("hirer","hire_id");--> statement-breakpoint
CREATE INDEX "budget_accounts_by_owner" ON "budget_accounts" USING btree ("owner","hire_id");--> statement-breakpoint
CREATE INDEX "budget_accounts_held" ON "budget_accounts" USING btree ("held_at") WHERE "budget_accounts"."held_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_intents_one_unsigned_collector" ON "payment_intents" USING btree ("wallet","generation") WHERE "payment_intents"."status" = 'open' and "payment_intents"."cosigned_at" is null and "payment_intents"."kind" = 'open_collector';--> statement-breakpoint
CREATE UNIQUE INDEX "payment_intents_one_unsigned_collection" ON "payment_intents" USING btree ("wallet") WHERE "payment_intents"."status" = 'open' and "payment_intents"."cosigned_at" is null and "payment_intents"."kind" = 'collect';--> statement-breakpoint
CREATE UNIQUE INDEX "payment_intents_one_unsigned_of_hire" ON "payment_intents" USING btree ("hire_id") WHERE "payment_intents"."status" = 'open' and "payment_intents"."cosigned_at" is null and "payment_intents"."hire_id" is not null;--> statement-breakpoint
CREATE INDEX "payment_intents_due" ON "payment_intents" USING btree ("due_at") WHERE "payment_intents"."status" = 'open' and "payment_intents"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "payment_intents_fundings" ON "payment_intents" USING btree ("hire_id","last_valid_block_height") WHERE "payment_intents"."kind" = 'fund_budget' and "payment_intents"."cosigned_at" is not null;--> statement-breakpoint
CREATE INDEX "payment_intents_by_time" ON "payment_intents" USING btree ("created_at") WHERE "payment_intents"."status" <> 'landed';--> statement-breakpoint
CREATE INDEX "charges_by_owner" ON "charges" USING btree ("owner","status","id");--> statement-breakpoint
CREATE INDEX "charges_by_hirer" ON "charges" USING btree ("hirer","status","id");--> statement-breakpoint
CREATE INDEX "charges_by_agent" ON "charges" USING btree ("agent_id","status","id");--> statement-breakpoint
CREATE INDEX "charges_by_hire" ON "charges" USING btree ("hire_id","status","id");--> statement-breakpoint
CREATE INDEX "charges_by_collection" ON "charges" USING btree ("collection_id") WHERE "charges"."collection_id" is not null;--> statement-breakpoint
CREATE INDEX "referral_bounties_by_referrer" ON "referral_bounties" USING btree ("referrer");--> statement-breakpoint
CREATE INDEX "address_quotas_by_end" ON "address_quotas" USING btree ("ends_at");--> statement-breakpoint
CREATE INDEX "ratings_by_agent" ON "ratings" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "positions_unseen" ON "positions" USING btree ("seen_at") WHERE "positions"."status" = 'open';--> statement-breakpoint
CREATE INDEX "positions_new" ON "positions" USING btree ("staked_at") WHERE "positions"."status" = 'open';--> statement-breakpoint
CREATE INDEX "positions_early" ON "positions" USING btree ("suspected_slot") WHERE "positions"."early" = 'seen';--> statement-breakpoint
CREATE UNIQUE INDEX "vault_intent_legs_by_address" ON "vault_intent_legs" USING btree ("address","intent_id");--> statement-breakpoint
CREATE INDEX "vault_intents_open" ON "vault_intents" USING btree ("owner") WHERE "vault_intents"."status" = 'open';--> statement-breakpoint
CREATE INDEX "vault_intents_by_time" ON "vault_intents" USING btree ("created_at") WHERE "vault_intents"."status" <> 'landed';--> statement-breakpoint
CREATE INDEX "vault_intents_unsigned" ON "vault_intents" USING btree ("created_at") WHERE "vault_intents"."signing" = 'wallet_first' and "vault_intents"."cosigned_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "vault_intents_one_unsigned_stack" ON "vault_intents" USING btree ("owner") WHERE "vault_intents"."status" = 'open' and "vault_intents"."signing" = 'wallet_first' and "vault_intents"."cosigned_at" is null and "vault_intents"."kind" in ('stack', 'open_vault');--> statement-breakpoint
CREATE INDEX "vault_intents_reservations" ON "vault_intents" USING btree ("yield" DESC NULLS LAST) WHERE "vault_intents"."status" = 'open' and "vault_intents"."kind" = 'stack' and "vault_intents"."yield" > 0 and ("vault_intents"."signing" = 'service_first' or "vault_intents"."cosigned_at" is not null);--> statement-breakpoint
CREATE INDEX "vault_intents_due" ON "vault_intents" USING btree ("due_at") WHERE "vault_intents"."status" = 'open' and "vault_intents"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "vault_intents_due_again" ON "vault_intents" USING btree ("due_at") WHERE "vault_intents"."status" = 'expired' and "vault_intents"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "vault_intents_second_looks" ON "vault_intents" USING btree (("looked_at" is not null),"yield" DESC NULLS LAST) WHERE "vault_intents"."status" = 'expired' and "vault_intents"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "spent_nonces_expires_at" ON "spent_nonces" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "endpoints_by_wallet" ON "endpoints" USING btree ("wallet","id");--> statement-breakpoint
CREATE INDEX "endpoints_by_key" ON "endpoints" USING btree (split_part("secret", ':', 1),"id");--> statement-breakpoint
CREATE INDEX "endpoints_by_previous_key" ON "endpoints" USING btree (split_part("previous_secret", ':', 1),"id") WHERE "endpoints"."previous_secret" is not null;--> statement-breakpoint
CREATE INDEX "endpoints_rotated" ON "endpoints" USING btree ("previous_secret_ends_at") WHERE "endpoints"."previous_secret_ends_at" is not null;--> statement-breakpoint
CREATE INDEX "webhook_hosts_by_time" ON "webhook_hosts" USING btree ("since");--> statement-breakpoint
CREATE INDEX "webhook_targets_by_attempt" ON "webhook_targets" USING btree ("last_attempt_at");--> statement-breakpoint
CREATE INDEX "webhook_targets_in_line" ON "webhook_targets" USING btree ("line","held_until") WHERE "webhook_targets"."line" is not null;--> statement-breakpoint
-- From here on written by hand: what drizzle-kit does not know, functions, triggers, storage settings and the rows of
-- tables that always have one.

-- Nobody may execute a function who is not allowed to by name, those of schema/functions among them. Functions of
-- triggers run as the owner: whoever writes a row needs no right to what follows from it (schema/rights.ts). Deferred
-- ones would run as whoever commits.
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
--> statement-breakpoint

-- Event ids: a UUIDv7 (RFC 9562) of a given time, for statements that record any number of events. PostgreSQL has its
-- own from version 18 on only, and of its own clock's time.
CREATE FUNCTION "event_id"("at" timestamptz) RETURNS uuid LANGUAGE sql VOLATILE AS $$
	-- Six bytes of milliseconds over a random UUID, whose version 4 becomes 7 by two more bits.
	SELECT encode(
		set_bit(set_bit(
			overlay(uuid_send(gen_random_uuid())
				PLACING substring(int8send(floor(extract(epoch FROM "at") * 1000)::bigint) FROM 3) FROM 1 FOR 6),
			52, 1), 53, 1),
		'hex')::uuid
$$;
--> statement-breakpoint

-- Totals (schema/tables/totals.ts says what they are for and why they are sharded). Their triggers are deferred: they
-- run when the transaction commits, so the lock on a totals row is the last that any transaction takes and the first
-- that it gives back. Taken in the middle of a batch it could deadlock with another batch, over the locks on vaults,
-- intents and agents that both take.
CREATE FUNCTION "add_to_totals"("more_agents" bigint, "more_attestations" bigint, "more_value" numeric)
RETURNS void LANGUAGE sql AS $$
	INSERT INTO "totals" ("shard", "agents", "attestations", "value_locked")
	VALUES (pg_backend_pid() % 16, "more_agents", "more_attestations", "more_value")
	ON CONFLICT ("shard") DO UPDATE SET
		"agents" = "totals"."agents" + excluded."agents",
		"attestations" = "totals"."attestations" + excluded."attestations",
		"value_locked" = "totals"."value_locked" + excluded."value_locked"
$$;
--> statement-breakpoint
CREATE FUNCTION "total_agents"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
	PERFORM "add_to_totals"(CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END, 0, 0);
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "total_attestations"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
	PERFORM "add_to_totals"(0, CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END, 0);
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "total_value_locked"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
	"change" numeric := 0;
BEGIN
	IF TG_OP <> 'INSERT' AND OLD."status" = 'open' THEN "change" := "change" - OLD."principal"; END IF;
	IF TG_OP <> 'DELETE' AND NEW."status" = 'open' THEN "change" := "change" + NEW."principal"; END IF;
	IF "change" <> 0 THEN PERFORM "add_to_totals"(0, 0, "change"); END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "agents_totals" AFTER INSERT OR DELETE ON "agents"
	DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "total_agents"();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "attestations_totals" AFTER INSERT OR DELETE ON "attestations"
	DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "total_attestations"();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "positions_totals" AFTER INSERT OR DELETE OR UPDATE OF "status", "principal" ON "positions"
	DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "total_value_locked"();
--> statement-breakpoint
-- Room on the page, so that a row that is always updated is updated in place.
ALTER TABLE "totals" SET (fillfactor = 20);
--> statement-breakpoint
INSERT INTO "totals" ("shard") VALUES (0);
--> statement-breakpoint

-- Pioneer spots and the walk over deliveries: one row each.
INSERT INTO "pioneer_spots" ("id", "taken") VALUES (1, 0);
--> statement-breakpoint
INSERT INTO "delivery_walk" ("is_only", "after") VALUES (true, '00000000-0000-0000-0000-000000000000');
--> statement-breakpoint

-- Open positions: counted in the owner's vault, whichever statement changes positions.
CREATE FUNCTION "count_open_positions"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
	"change" integer := 0;
BEGIN
	IF TG_OP <> 'INSERT' AND OLD."status" = 'open' THEN "change" := "change" - 1; END IF;
	IF TG_OP <> 'DELETE' AND NEW."status" = 'open' THEN "change" := "change" + 1; END IF;
	IF "change" <> 0 THEN
		UPDATE "vaults" SET "open_positions" = "open_positions" + "change"
		WHERE "owner" = CASE TG_OP WHEN 'DELETE' THEN OLD."owner" ELSE NEW."owner" END;
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "positions_open" AFTER INSERT OR DELETE OR UPDATE OF "status" ON "positions"
	FOR EACH ROW EXECUTE FUNCTION "count_open_positions"();
--> statement-breakpoint

-- Hires: counted in the wallet's quotas where they begin and where they end, whichever statement changes them. The
-- wallets of hires that end together are locked in order, so that no two statements can wait for each other.
CREATE FUNCTION "count_hire"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
	INSERT INTO "wallet_quotas" AS "quota" ("wallet", "hire_day", "hires", "active_hires")
	VALUES (NEW."wallet", (NEW."hired_at" AT TIME ZONE 'UTC')::date, 1, 1)
	ON CONFLICT ("wallet") DO UPDATE SET
		"hires" = 1 + CASE WHEN "quota"."hire_day" >= excluded."hire_day" THEN "quota"."hires" ELSE 0 END,
		"hire_day" = greatest("quota"."hire_day", excluded."hire_day"),
		"active_hires" = "quota"."active_hires" + 1;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "count_ended_hires"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
	PERFORM FROM "wallet_quotas" WHERE "wallet" IN (
		SELECT "before"."wallet" FROM "before" JOIN "after" USING ("id") WHERE "before"."status" = 'active' AND "after"."status" <> 'active')
	ORDER BY "wallet" FOR NO KEY UPDATE;
	UPDATE "wallet_quotas" AS "quota" SET "active_hires" = greatest(0, "quota"."active_hires" - "ended"."hires")
	FROM (
		SELECT "before"."wallet", count(*)::integer AS "hires" FROM "before" JOIN "after" USING ("id")
		WHERE "before"."status" = 'active' AND "after"."status" <> 'active' GROUP BY "before"."wallet") AS "ended"
	WHERE "quota"."wallet" = "ended"."wallet";
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "hires_count_new" AFTER INSERT ON "hires" FOR EACH ROW
	WHEN (NEW."status" = 'active') EXECUTE FUNCTION "count_hire"();
--> statement-breakpoint
CREATE TRIGGER "hires_count_ended" AFTER UPDATE ON "hires" REFERENCING OLD TABLE AS "before" NEW TABLE AS "after"
	FOR EACH STATEMENT EXECUTE FUNCTION "count_ended_hires"();
--> statement-breakpoint

-- A Bloom filter of words (schema/tables/agent-listings.ts): a bit for the first character, the first two and the first
-- four of each word. A text can have words that begin with a search's words only if its filter has every bit of theirs.
-- The bits are stored, so their hash must be the same in every version of Postgres: SHA-256, not hashtext.
CREATE FUNCTION "word_bloom"("words" text[]) RETURNS bit LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	"bloom" bit(256) := repeat('0', 256);
	"word" text;
	"characters" integer;
BEGIN
	FOREACH "word" IN ARRAY "words" LOOP
		FOREACH "characters" IN ARRAY ARRAY[1, 2, 4] LOOP
			IF length("word") >= "characters" THEN
				"bloom" := set_bit("bloom", get_byte(sha256(convert_to(left("word", "characters"), 'UTF8')), 0), 1);
			END IF;
		END LOOP;
	END LOOP;
	RETURN "bloom";
END $$;
--> statement-breakpoint

-- Listings (schema/tables/agent-listings.ts, registry-listings.ts). A listing is found by all that it was made of, so
-- it needs no index by agent; and whoever writes it has locked its agent before. New rows are listed by the statement,
-- changed ones by the row, and only where they change a listing: a hire that is merely counted costs nothing. The text
-- (below) is written before the listing: triggers of a row fire in the order of their names, then those of a statement.
-- An agent that is not listed by word and layer has no text, and one listing, without a name: in the list of all.
CREATE FUNCTION "listed_layers"("is_listed" boolean, "layers" smallint[]) RETURNS smallint[] LANGUAGE sql IMMUTABLE AS $$
	SELECT CASE WHEN "is_listed" THEN 0::smallint || "layers" ELSE ARRAY[0]::smallint[] END
$$;
--> statement-breakpoint
CREATE FUNCTION "listed_name"("is_listed" boolean, "name" text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT CASE WHEN "is_listed" THEN lower("name") ELSE '' END
$$;
--> statement-breakpoint
CREATE FUNCTION "list_new_agents"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
	INSERT INTO "agent_listings" ("layer", "status", "agent_type", "fee_model", "reputation_score", "agent_id", "name", "word_bloom")
	SELECT "layer", "status", "agent_type", "fee_model", "reputation_score", "id", listed_name("is_listed", "name"), "bloom"
	FROM "added" LEFT JOIN "documents" ON "kind" = 'agent' AND "key" = "id"::text,
		word_bloom(coalesce(tsvector_to_array("words"), '{}')) AS "bloom",
		unnest(listed_layers("is_listed", "supported_layers")) AS "layer";
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "list_changed_agent"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
	"bloom" bit(256);
BEGIN
	WITH "gone" AS (
		DELETE FROM "agent_listings" WHERE "layer" = ANY (0::smallint || OLD."supported_layers")
			AND "status" = OLD."status" AND "agent_type" = OLD."agent_type" AND "fee_model" = OLD."fee_model"
			AND "reputation_score" = OLD."reputation_score" AND "agent_id" = OLD."id"
		RETURNING "word_bloom")
	SELECT bit_or("word_bloom") INTO "bloom" FROM "gone";
	IF TG_OP = 'DELETE' THEN RETURN NULL; END IF;
	IF NOT NEW."is_listed" THEN
		"bloom" := word_bloom('{}');
	ELSIF (OLD."name", OLD."supported_layers", OLD."agent_type", OLD."description", OLD."is_listed")
		IS DISTINCT FROM (NEW."name", NEW."supported_layers", NEW."agent_type", NEW."description", NEW."is_listed") THEN
		SELECT word_bloom(tsvector_to_array("words")) INTO "bloom" FROM "documents" WHERE "kind" = 'agent' AND "key" = NEW."id"::text;
	END IF;
	INSERT INTO "agent_listings" ("layer", "status", "agent_type", "fee_model", "reputation_score", "agent_id", "name", "word_bloom")
	SELECT "layer", NEW."status", NEW."agent_type", NEW."fee_model", NEW."reputation_score", NEW."id",
		listed_name(NEW."is_listed", NEW."name"), "bloom"
	FROM unnest(listed_layers(NEW."is_listed", NEW."supported_layers")) AS "layer";
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "list_new_registry_agents"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
	INSERT INTO "registry_listings" ("layer", "capability", "agent_type", "registered_at", "pubkey")
	SELECT "layer", "capability", "agent_type", "registered_at", "pubkey"
	FROM "added", unnest(0::smallint || "layers") AS "layer", unnest(''::text || "capabilities") AS "capability"
	WHERE "status" = 'active';
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "list_changed_registry_agent"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
	DELETE FROM "registry_listings" WHERE "layer" = ANY (0::smallint || OLD."layers")
		AND "capability" = ANY (''::text || OLD."capabilities") AND "agent_type" = OLD."agent_type"
		AND "registered_at" = OLD."registered_at" AND "pubkey" = OLD."pubkey";
	IF TG_OP = 'UPDATE' AND NEW."status" = 'active' THEN
		INSERT INTO "registry_listings" ("layer", "capability", "agent_type", "registered_at", "pubkey")
		SELECT "layer", "capability", NEW."agent_type", NEW."registered_at", NEW."pubkey"
		FROM unnest(0::smallint || NEW."layers") AS "layer", unnest(''::text || NEW."capabilities") AS "capability";
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "agents_listed" AFTER INSERT ON "agents" REFERENCING NEW TABLE AS "added"
	FOR EACH STATEMENT EXECUTE FUNCTION "list_new_agents"();
--> statement-breakpoint
CREATE TRIGGER "agents_relisted" AFTER UPDATE ON "agents" FOR EACH ROW
	WHEN ((OLD."id", OLD."supported_layers", OLD."status", OLD."agent_type", OLD."fee_model", OLD."reputation_score", OLD."name",
			OLD."description", OLD."is_listed")
		IS DISTINCT FROM
		(NEW."id", NEW."supported_layers", NEW."status", NEW."agent_type", NEW."fee_model", NEW."reputation_score", NEW."name",
			NEW."description", NEW."is_listed"))
	EXECUTE FUNCTION "list_changed_agent"();
--> statement-breakpoint
CREATE TRIGGER "agents_unlisted" AFTER DELETE ON "agents"
	FOR EACH ROW EXECUTE FUNCTION "list_changed_agent"();
--> statement-breakpoint
CREATE TRIGGER "registry_agents_listed" AFTER INSERT ON "registry_agents" REFERENCING NEW TABLE AS "added"
	FOR EACH STATEMENT EXECUTE FUNCTION "list_new_registry_agents"();
--> statement-breakpoint
CREATE TRIGGER "registry_agents_relisted" AFTER UPDATE ON "registry_agents" FOR EACH ROW
	WHEN ((OLD."pubkey", OLD."layers", OLD."capabilities", OLD."status", OLD."agent_type", OLD."registered_at")
		IS DISTINCT FROM
		(NEW."pubkey", NEW."layers", NEW."capabilities", NEW."status", NEW."agent_type", NEW."registered_at"))
	EXECUTE FUNCTION "list_changed_registry_agent"();
--> statement-breakpoint
CREATE TRIGGER "registry_agents_unlisted" AFTER DELETE ON "registry_agents"
	FOR EACH ROW EXECUTE FUNCTION "list_changed_registry_agent"();
--> statement-breakpoint

-- Texts for search (schema/tables/documents.ts). layer_names gives the capability that stands for each layer alone, as
-- schema/registry.ts has it: layer 1 is shopping.
CREATE FUNCTION "layer_names"("layers" smallint[]) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
	SELECT array_agg((ARRAY['shopping', 'referral', 'attention', 'data_licensing', 'insurance', 'compute', 'network', 'energy',
		'depin', 'inference', 'storage', 'skill_verification', 'curation', 'social', 'knowledge_api', 'model_licensing',
		'liquidity', 'governance', 'inventory', 'sub_agent', 'collateral', 'swarm', 'gaming'])["layer"] ORDER BY "layer")
	FROM unnest("layers") AS "layer"
$$;
--> statement-breakpoint
CREATE FUNCTION "document_vector"("config" regconfig, "name" text, "terms" text[], "description" text)
RETURNS tsvector LANGUAGE sql IMMUTABLE AS $$
	SELECT setweight(to_tsvector("config", "name"), 'A')
		|| setweight(to_tsvector("config", coalesce(array_to_string("terms", ' '), '')), 'B')
		|| setweight(to_tsvector("config", coalesce("description", '')), 'C')
$$;
--> statement-breakpoint
CREATE FUNCTION "listed_words"("words" tsvector, "stems" tsvector) RETURNS SETOF text LANGUAGE sql IMMUTABLE AS $$
	SELECT "lexeme" FROM (
		SELECT "lexeme", "positions"[1] AS "at" FROM unnest("words")
		UNION ALL SELECT "lexeme", "positions"[1] FROM unnest("stems")) AS "both"
	GROUP BY "lexeme" ORDER BY min("at"), "lexeme" LIMIT 100
$$;
--> statement-breakpoint
CREATE FUNCTION "drop_document"("its_kind" text, "its_key" text) RETURNS void LANGUAGE sql AS $$
	DELETE FROM "document_words" USING "documents"
	WHERE "documents"."kind" = "its_kind" AND "documents"."key" = "its_key"
		AND "document_words"."kind" = "its_kind" AND "document_words"."key" = "its_key"
		AND "document_words"."word" = ANY (tsvector_to_array("words") || tsvector_to_array("stems"));
	DELETE FROM "documents" WHERE "kind" = "its_kind" AND "key" = "its_key"
$$;
--> statement-breakpoint
CREATE FUNCTION "put_document"("its_kind" text, "its_key" text, "its_name" text, "its_terms" text[], "its_description" text)
RETURNS void LANGUAGE sql AS $$
	WITH "added" AS (
		INSERT INTO "documents" ("kind", "key", "words", "stems")
		VALUES ("its_kind", "its_key", document_vector('simple', "its_name", "its_terms", "its_description"),
			document_vector('english', "its_name", "its_terms", "its_description"))
		RETURNING "words", "stems")
	INSERT INTO "document_words" ("kind", "word", "key")
	SELECT "its_kind", "word", "its_key" FROM "added", listed_words("words", "stems") AS "word"
$$;
--> statement-breakpoint
CREATE FUNCTION "document_agent"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
	IF TG_OP <> 'INSERT' AND OLD."is_listed" THEN PERFORM drop_document('agent', OLD."id"::text); END IF;
	IF TG_OP <> 'DELETE' AND NEW."is_listed" THEN
		PERFORM put_document('agent', NEW."id"::text, NEW."name", layer_names(NEW."supported_layers") || NEW."agent_type", NEW."description");
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "document_registry_agent"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
	IF TG_OP <> 'INSERT' THEN PERFORM drop_document('registered', OLD."pubkey"); END IF;
	IF TG_OP <> 'DELETE' AND NEW."status" <> 'removed' THEN
		PERFORM put_document('registered', NEW."pubkey", NEW."name", NEW."capabilities" || NEW."agent_type", NEW."description");
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "agents_documented" AFTER INSERT OR DELETE ON "agents"
	FOR EACH ROW EXECUTE FUNCTION "document_agent"();
--> statement-breakpoint
CREATE TRIGGER "agents_redocumented" AFTER UPDATE ON "agents" FOR EACH ROW
	WHEN ((OLD."id", OLD."name", OLD."supported_layers", OLD."agent_type", OLD."description", OLD."is_listed")
		IS DISTINCT FROM (NEW."id", NEW."name", NEW."supported_layers", NEW."agent_type", NEW."description", NEW."is_listed"))
	EXECUTE FUNCTION "document_agent"();
--> statement-breakpoint
CREATE TRIGGER "registry_agents_documented" AFTER INSERT OR DELETE ON "registry_agents"
	FOR EACH ROW EXECUTE FUNCTION "document_registry_agent"();
--> statement-breakpoint
CREATE TRIGGER "registry_agents_redocumented" AFTER UPDATE ON "registry_agents" FOR EACH ROW
	WHEN ((OLD."pubkey", OLD."name", OLD."capabilities", OLD."agent_type", OLD."description", OLD."status" = 'removed')
		IS DISTINCT FROM (NEW."pubkey", NEW."name", NEW."capabilities", NEW."agent_type", NEW."description", NEW."status" = 'removed'))
	EXECUTE FUNCTION "document_registry_agent"();
--> statement-breakpoint

-- Endpoints (schema/tables/agent-endpoints.ts says what both tables are for). The agents' tables have the columns
-- pubkey, status, api_endpoint and api_protocol, so one function serves them. Under the lock of the wallet's quota row
-- it moves what the wallet names and its share; then it changes the endpoints, all in one order, so that two wallets
-- can't wait for each other. An endpoint of nobody's share is deleted; one that is named anew after it was given up is
-- looked at again.
CREATE FUNCTION "count_endpoint_users"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
	"share" constant integer := 50;
	"owner" text := CASE WHEN TG_OP = 'DELETE' THEN OLD."pubkey" ELSE NEW."pubkey" END;
	"left" "named_endpoints"; "named" "named_endpoints"; "promoted" "named_endpoints";
	"change" record;
BEGIN
	PERFORM FROM "wallet_quotas" WHERE "wallet" = "owner" FOR UPDATE;
	IF TG_OP <> 'INSERT' AND OLD."status" = 'active' AND OLD."api_endpoint" IS NOT NULL AND OLD."api_protocol" IS NOT NULL THEN
		UPDATE "named_endpoints" SET "agents" = "agents" - 1
		WHERE "wallet" = "owner" AND "protocol" = OLD."api_protocol"
			AND "url_hash" = encode(sha256(convert_to(OLD."api_endpoint", 'UTF8')), 'hex')
		RETURNING * INTO "left";
		DELETE FROM "named_endpoints" WHERE "wallet" = "owner" AND "url_hash" = "left"."url_hash"
			AND "protocol" = "left"."protocol" AND "agents" = 0;
	END IF;
	IF TG_OP <> 'DELETE' AND NEW."status" = 'active' AND NEW."api_endpoint" IS NOT NULL AND NEW."api_protocol" IS NOT NULL THEN
		INSERT INTO "named_endpoints" AS "known" ("wallet", "url_hash", "protocol", "url", "agents", "is_watched")
		SELECT "owner", encode(sha256(convert_to(NEW."api_endpoint", 'UTF8')), 'hex'), NEW."api_protocol", NEW."api_endpoint", 1,
			count(*) < "share" FROM "named_endpoints" WHERE "wallet" = "owner" AND "is_watched"
		ON CONFLICT ("wallet", "url_hash", "protocol") DO UPDATE SET "agents" = "known"."agents" + 1
		RETURNING * INTO "named";
	END IF;
	IF "left"."agents" = 0 AND "left"."is_watched" THEN
		UPDATE "named_endpoints" SET "is_watched" = true
		WHERE "wallet" = "owner" AND ("url_hash", "protocol") = (
				SELECT "url_hash", "protocol" FROM "named_endpoints" WHERE "wallet" = "owner" AND NOT "is_watched"
				ORDER BY "url_hash", "protocol" LIMIT 1)
			AND (SELECT count(*) FROM "named_endpoints" WHERE "wallet" = "owner" AND "is_watched") < "share"
		RETURNING * INTO "promoted";
	END IF;
	FOR "change" IN
		SELECT * FROM (VALUES
			("left"."url_hash", "left"."protocol", "left"."url", -1, "left"."is_watched" AND "left"."agents" = 0),
			("named"."url_hash", "named"."protocol", "named"."url", ("named"."agents" = 1)::integer, "named"."is_watched"),
			("promoted"."url_hash", "promoted"."protocol", "promoted"."url", 1, "promoted"."is_watched")
		) AS "changes" ("url_hash", "protocol", "url", "step", "counts") WHERE "counts" ORDER BY "url_hash", "protocol"
	LOOP
		IF "change"."step" < 0 THEN
			UPDATE "agent_endpoints" SET "wallets" = "wallets" - 1
			WHERE "url_hash" = "change"."url_hash" AND "protocol" = "change"."protocol";
			DELETE FROM "agent_endpoints"
			WHERE "url_hash" = "change"."url_hash" AND "protocol" = "change"."protocol" AND "wallets" = 0;
		ELSE
			INSERT INTO "agent_endpoints" AS "known" ("url_hash", "protocol", "url", "wallets")
			VALUES ("change"."url_hash", "change"."protocol", "change"."url", "change"."step")
			ON CONFLICT ("url_hash", "protocol") DO UPDATE SET "wallets" = "known"."wallets" + excluded."wallets",
				"host" = CASE WHEN "known"."next_probe_at" IS NOT NULL THEN "known"."host" END;
		END IF;
	END LOOP;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "agents_name_endpoints" AFTER INSERT ON "agents" FOR EACH ROW
	WHEN (NEW."api_protocol" IS NOT NULL) EXECUTE FUNCTION "count_endpoint_users"();
--> statement-breakpoint
CREATE TRIGGER "agents_rename_endpoints" AFTER UPDATE ON "agents" FOR EACH ROW
	WHEN ((OLD."status", OLD."api_endpoint", OLD."api_protocol") IS DISTINCT FROM (NEW."status", NEW."api_endpoint", NEW."api_protocol"))
	EXECUTE FUNCTION "count_endpoint_users"();
--> statement-breakpoint
CREATE TRIGGER "agents_drop_endpoints" AFTER DELETE ON "agents"
	FOR EACH ROW EXECUTE FUNCTION "count_endpoint_users"();
--> statement-breakpoint
CREATE TRIGGER "registry_agents_name_endpoints" AFTER INSERT ON "registry_agents" FOR EACH ROW
	WHEN (NEW."api_protocol" IS NOT NULL) EXECUTE FUNCTION "count_endpoint_users"();
--> statement-breakpoint
CREATE TRIGGER "registry_agents_rename_endpoints" AFTER UPDATE ON "registry_agents" FOR EACH ROW
	WHEN ((OLD."status", OLD."api_endpoint", OLD."api_protocol") IS DISTINCT FROM (NEW."status", NEW."api_endpoint", NEW."api_protocol"))
	EXECUTE FUNCTION "count_endpoint_users"();
--> statement-breakpoint
CREATE TRIGGER "registry_agents_drop_endpoints" AFTER DELETE ON "registry_agents"
	FOR EACH ROW EXECUTE FUNCTION "count_endpoint_users"();
