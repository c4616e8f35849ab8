package dev.stowage.service.api;

/** What a token allows. */
public enum Role {
    /** Reads and watches requests; unless bound to tenants, also servers, audit trail and metrics. */
    READER,
    /** As a reader, and submits and releases. */
    SUBMITTER,
    /** As a reader, for all tenants, and reports what runs on servers: adopts and confirms. */
    AGENT,
    /** Everything, for all tenants. */
    OPERATOR
}
