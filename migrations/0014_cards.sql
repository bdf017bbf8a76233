ALTER TABLE "agents" ADD COLUMN "description" text;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "api_protocol" text;--> statement-breakpoint
ALTER TABLE "registry_agents" ADD COLUMN "api_protocol" text;