package dev.stowage.service.api;

import io.grpc.Status;
import io.netty.util.AttributeKey;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The maker of a call, and its rights. */
final class Caller {
    static final AttributeKey<Caller> KEY = AttributeKey.valueOf(Caller.class, "CALLER");
    static final Caller ANYBODY = new Caller("api", Role.OPERATOR, Token.ALL, null, null);
    static final Caller WITHOUT_TOKEN = stranger("this service needs a token: send 'authorization: Bearer TOKEN'");
    static final Caller WRONG_TOKEN = stranger("this service does not know the token");

    private final String name;
    private final Role role;
    private final Set<String> tenants;
    private final @Nullable Token token;
    private final @Nullable String stranger;

    Caller(Token token) {
        this(token.name(), token.role(), token.tenants(), token, null);
    }

    private Caller(String name, Role role, Set<String> tenants, @Nullable Token token, @Nullable String stranger) {
        this.name = name;
        this.role = role;
        this.tenants = tenants;
        this.token = token;
        this.stranger = stranger;
    }

    private static Caller stranger(String why) {
        return new Caller("nobody", Role.READER, Set.of(), null, why);
    }

    static Caller expired(Token token) {
        return stranger(
                "token '" + token.name() + "' expired at " + token.expires() + "; ask an operator for a new one");
    }

    /** The token; null if there are no tokens, and for unknown callers. */
    @Nullable
    Token token() {
        return token;
    }

    Role role() {
        return role;
    }

    /** Whether it is one of many callers that cannot be distinguished. */
    boolean isAnybody() {
        return token == null;
    }

    /** For logs and the audit trail. */
    String name() {
        return name;
    }

    /** Refuses callers that the service does not know. */
    void mustBeKnown() {
        if (stranger != null) {
            throw Failure.of(Status.Code.UNAUTHENTICATED, "NOT_KNOWN", stranger);
        }
    }

    /**
     * Refuses callers that may not make a call of that name at all; the call itself checks the tenant.
     */
    void mustCall(String method) {
        mustBeKnown();
        switch (Right.of(method)) {
            case READ -> {}
            case SUBMIT -> mustChange();
            case CONFIRM -> {
                if (role != Role.AGENT) {
                    mustChange();
                }
            }
            case SERVE -> mustServe();
            case OPERATE -> mustOperate();
        }
    }

    /** The right that a call needs. */
    enum Right {
        READ,
        SUBMIT,
        CONFIRM,
        SERVE,
        OPERATE;

        static Right of(String method) {
            return switch (method) {
                case "Submit", "SubmitBatch", "SubmitGang", "Release", "ReleaseBatch", "DryRun" -> SUBMIT;
                case "ConfirmMigration", "ConfirmResize", "Started", "StartFailed", "Stopped" -> CONFIRM;
                case "Adopt", "Heartbeat", "Report" -> SERVE;
                case "AddServer",
                        "ChangeServer",
                        "ResizeServer",
                        "LabelServer",
                        "Evict",
                        "DryRunMoves",
                        "DryRunPolicy",
                        "AddSite",
                        "ChangeSite",
                        "SetPolicy",
                        "SetQuota",
                        "TakeSnapshot",
                        "TransferLeadership",
                        "RemoveMember" -> OPERATE;
                default -> READ;
            };
        }
    }

    /** Whether it may know about all tenants. */
    boolean seesAll() {
        return tenants.equals(Token.ALL);
    }

    /** The tenants whose requests it may see, unless it may see all. */
    Set<String> tenants() {
        return tenants;
    }

    /** Refuses callers that may not see the tenant's requests; null: those of all tenants. */
    void mustRead(@Nullable String tenant) {
        mustBeKnown();
        if (seesAll() || (tenant != null && tenants.contains(tenant))) {
            return;
        }
        throw Failure.of(
                Status.Code.PERMISSION_DENIED,
                "FOREIGN_TENANT",
                "token '" + name + "' is for " + (tenants.size() == 1 ? "tenant " : "the tenants ")
                        + String.join(", ", new TreeSet<>(tenants))
                        + (tenant == null
                                ? ", and this call needs one for all tenants (--tenants all), as an operator's is"
                                : tenant.isEmpty()
                                        ? ", and this call names none: add 'tenant' (--tenant on the command line)"
                                        : ", not for '" + tenant + "': use one for that tenant, or an operator's"));
    }

    /** Refuses callers that may not submit and release for the tenant. */
    void mustSubmit(String tenant) {
        mustChange();
        mustRead(tenant);
    }

    private void mustChange() {
        mustBeKnown();
        if (role == Role.READER || role == Role.AGENT) {
            throw Failure.of(
                    Status.Code.PERMISSION_DENIED,
                    "READ_ONLY",
                    "token '" + name + "' may read, but not submit or release");
        }
    }

    /** Refuses callers that may not report on the tenant's requests on their servers. */
    void mustConfirm(String tenant) {
        if (role != Role.AGENT) {
            mustSubmit(tenant);
        }
        mustRead(tenant);
    }

    /** Refuses callers other than agents of servers and operators. */
    void mustServe() {
        mustBeKnown();
        if (role != Role.AGENT && role != Role.OPERATOR) {
            throw Failure.of(
                    Status.Code.PERMISSION_DENIED,
                    "AGENTS_ONLY",
                    "token '" + name + "' is neither an agent's nor an operator's");
        }
    }

    /** Refuses callers other than operators. */
    void mustOperate() {
        mustBeKnown();
        if (role != Role.OPERATOR) {
            throw Failure.of(
                    Status.Code.PERMISSION_DENIED, "OPERATORS_ONLY", "token '" + name + "' is not an operator's");
        }
    }
}
