-- Obstacles have kinds. Those of earlier runs are not known.
ALTER TABLE runs ADD COLUMN obstacle_kind TEXT;
ALTER TABLE frames ADD COLUMN obstacle_kind TEXT;
