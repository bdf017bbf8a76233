CREATE TABLE "stats_days" (
	"day" date PRIMARY KEY NOT NULL,
	"taken_at" timestamp (3) with time zone NOT NULL,
	"pioneers" integer NOT NULL,
	"agents" bigint NOT NULL,
	"attestations" bigint NOT NULL,
	"value_locked" numeric(39, 0) NOT NULL
);
