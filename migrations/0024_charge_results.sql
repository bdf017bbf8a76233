-- expand
ALTER TABLE "charges" ADD COLUMN "result" text;
