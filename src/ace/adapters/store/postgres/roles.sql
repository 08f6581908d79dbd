-- Two roles for a whole server, which log in as nobody: GRANT ace_writer TO alice. Given again after each migration.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'ace_reader') THEN
        CREATE ROLE ace_reader NOLOGIN;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'ace_writer') THEN
        CREATE ROLE ace_writer NOLOGIN;
    END IF;
EXCEPTION
    WHEN insufficient_privilege OR duplicate_object OR unique_violation THEN NULL;
END
$$;
DO $$
BEGIN
    IF (SELECT count(*) FROM pg_roles WHERE rolname IN ('ace_reader', 'ace_writer')) = 2 THEN
        GRANT USAGE ON SCHEMA ace TO ace_reader, ace_writer;
        GRANT SELECT ON ALL TABLES IN SCHEMA ace TO ace_reader, ace_writer;
        -- A line is added, and never changed or taken away; settings are the owner's.
        GRANT INSERT ON ace.lines, ace.runs TO ace_writer;
        GRANT INSERT, UPDATE ON ace.snapshots TO ace_writer;
        GRANT INSERT, DELETE ON ace.withdrawn TO ace_writer;
        GRANT INSERT, UPDATE, DELETE ON ace.claims, ace.tried TO ace_writer;
    END IF;
END
$$;
