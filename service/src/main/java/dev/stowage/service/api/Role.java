package dev.stowage.service.api;

/** What a token allows. */
public enum Role {
    /** Looks at requests and watches them; unless bound to tenants, at servers, audit trail and metrics too. */
    READER,
    /** What a reader may, and submits and releases. */
    SUBMITTER,
    /** Everything, for all tenants. */
    OPERATOR
}
