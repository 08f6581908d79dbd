-- The log as rows, each line's bytes as they would stand in the file; and beside it what can be made again from the log
-- (snapshots, runs, withdrawn) and what may be lost (claims, tried).

CREATE TABLE ace.books (
    scenario text PRIMARY KEY,
    -- What is decided by: JSON of the settings that count for all, and the rules whose lines make a duplicate.
    settings text NOT NULL,
    base_rules bytea NOT NULL,
    revision bigint NOT NULL DEFAULT 1,
    made_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE ace.lines (
    scenario text NOT NULL,
    seq bigint NOT NULL CHECK (seq > 0),
    line bytea NOT NULL,
    -- The digest of the block after a committed step; the empty text of any other.
    block text NOT NULL,
    restores boolean NOT NULL,
    PRIMARY KEY (scenario, seq)
);
CREATE INDEX lines_by_block ON ace.lines (scenario, block);
CREATE INDEX lines_that_restore ON ace.lines (scenario, seq) WHERE restores;

CREATE TABLE ace.snapshots (
    scenario text PRIMARY KEY,
    seq bigint NOT NULL,
    playbook bytea NOT NULL,
    -- What the rules show of it while something waits for a review.
    accepted bytea
);

CREATE TABLE ace.runs (
    scenario text NOT NULL,
    name text NOT NULL,
    task text NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (scenario, name, task, seq)
);

CREATE TABLE ace.withdrawn (
    scenario text NOT NULL,
    digest bytea NOT NULL,
    key bytea NOT NULL,
    PRIMARY KEY (scenario, digest)
);

CREATE TABLE ace.claims (
    scenario text NOT NULL,
    name text NOT NULL,
    task text NOT NULL,
    worker text NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (scenario, name, task)
);
CREATE INDEX claims_by_worker ON ace.claims (scenario, worker);

CREATE TABLE ace.tried (
    scenario text NOT NULL,
    name text NOT NULL,
    task text NOT NULL,
    first text NOT NULL,
    time text NOT NULL,
    reason text NOT NULL,
    too_long boolean NOT NULL,
    shown bigint NOT NULL,
    model text NOT NULL,
    PRIMARY KEY (scenario, name, task)
);
