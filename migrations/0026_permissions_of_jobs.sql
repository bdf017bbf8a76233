-- expand
ALTER TABLE "grants" DROP CONSTRAINT "grants_permissions";--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_permissions" CHECK ("grants"."permissions" <@ array['agents:hire', 'agents:charge', 'jobs:use', 'jobs:decide', 'vault:transact']);
