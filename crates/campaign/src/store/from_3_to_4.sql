-- Runs record where their time went.
ALTER TABLE runs ADD COLUMN timing TEXT;
