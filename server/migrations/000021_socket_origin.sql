-- The socket of a conversation must come from the page's site that started it. Null where the browser did not say which.
ALTER TABLE visits ADD COLUMN origin text;
COMMENT ON COLUMN visits.origin IS 'not personal: the page''s site, without its path';
