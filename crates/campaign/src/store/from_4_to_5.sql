-- Runs record what can be held against their test, and what was relaxed for it. Of earlier runs that is not
-- known.
ALTER TABLE runs ADD COLUMN doubts      TEXT;
ALTER TABLE runs ADD COLUMN relaxations TEXT;
