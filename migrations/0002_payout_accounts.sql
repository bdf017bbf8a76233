-- expand concurrently
CREATE INDEX CONCURRENTLY "payment_intents_collectors" ON "payment_intents" USING btree ("wallet") WHERE "payment_intents"."kind" = 'open_collector' and "payment_intents"."status" = 'landed';
