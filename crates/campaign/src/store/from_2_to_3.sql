-- Runs record fitness, algorithm, tuning and the share of time that workers waited. Earlier runs all had
-- the same fitness and algorithm, without tuning.
ALTER TABLE runs ADD COLUMN fitness       TEXT NOT NULL DEFAULT 'call-chain';
ALTER TABLE runs ADD COLUMN algorithm     TEXT NOT NULL DEFAULT 'guided-ga';
ALTER TABLE runs ADD COLUMN tuning        TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN waiting_share REAL;
UPDATE configurations SET conditions = conditions || ', fitness call-chain, algorithm guided-ga';
