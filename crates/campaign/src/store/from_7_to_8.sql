-- Runs record what happened in them. Of earlier runs that is not known.
ALTER TABLE runs ADD COLUMN events TEXT;
