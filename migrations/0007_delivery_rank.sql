-- expand
ALTER TABLE "deliveries" ADD COLUMN "rank" smallint DEFAULT 1 NOT NULL;