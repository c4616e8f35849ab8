package dev.stowage.service.api;

/** What a token allows. */
public enum Role {
    /** Looks at requests and watches them; unless bound to tenants, at servers, audit trail and metrics too. */
    READER,
    /** What a reader may, and submits and releases. */
    SUBMITTER,
    /** What a reader may, for all tenants, and reports what runs on servers: adopts and confirms. */
    AGENT,
    /** Everything, for all tenants. */
    OPERATOR
}
