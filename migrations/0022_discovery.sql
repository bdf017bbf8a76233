ALTER TABLE "agent_endpoints" ADD COLUMN "identifier" text;--> statement-breakpoint
ALTER TABLE "agent_endpoints" ADD COLUMN "identifies" text;--> statement-breakpoint
ALTER TABLE "agent_endpoints" ADD COLUMN "manifest_etag" text;--> statement-breakpoint
CREATE INDEX "agent_endpoints_by_identifier" ON "agent_endpoints" USING btree ("identifier") WHERE "agent_endpoints"."identifier" is not null;