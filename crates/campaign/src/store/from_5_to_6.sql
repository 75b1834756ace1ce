-- Frames record how near tests came and which arm reproduced them. Of earlier runs that is not known.
ALTER TABLE frames ADD COLUMN distance    REAL;
ALTER TABLE frames ADD COLUMN curve       TEXT;
ALTER TABLE frames ADD COLUMN found_by    TEXT;
ALTER TABLE frames ADD COLUMN found_after REAL;
