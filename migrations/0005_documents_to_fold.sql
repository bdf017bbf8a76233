-- expand concurrently
CREATE INDEX CONCURRENTLY "documents_to_fold" ON "documents" USING btree ("kind","key") WHERE "documents"."folding" = 0;
