package dev.stowage.service.api;

import io.grpc.Status;
import io.netty.util.AttributeKey;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who makes a call, and what he may. */
final class Caller {
    static final AttributeKey<Caller> KEY = AttributeKey.valueOf(Caller.class, "CALLER");
    static final Caller ANYBODY = new Caller("api", Role.OPERATOR, Set.of(), null);
    static final Caller WITHOUT_TOKEN = new Caller(
            "nobody", Role.READER, Set.of(), "this service needs a token: send 'authorization: Bearer TOKEN'");
    static final Caller WRONG_TOKEN =
            new Caller("nobody", Role.READER, Set.of(), "the token is not one that this service knows");

    private final String name;
    private final Role role;
    private final Set<String> tenants;
    private final @Nullable String stranger;

    Caller(Token token) {
        this(token.name(), token.role(), token.tenants(), null);
    }

    private Caller(String name, Role role, Set<String> tenants, @Nullable String stranger) {
        this.name = name;
        this.role = role;
        this.tenants = tenants;
        this.stranger = stranger;
    }

    /** For logs and the audit trail. */
    String name() {
        return name;
    }

    /** Lets only those through that the service knows. */
    void mustBeKnown() {
        if (stranger != null) {
            throw Failure.of(Status.Code.UNAUTHENTICATED, "NOT_KNOWN", stranger);
        }
    }

    /** Lets only those through that may see the tenant's requests; null: those of all tenants. */
    void mustRead(@Nullable String tenant) {
        mustBeKnown();
        if (role == Role.OPERATOR || tenants.isEmpty() || (tenant != null && tenants.contains(tenant))) {
            return;
        }
        throw Failure.of(
                Status.Code.PERMISSION_DENIED,
                "FOREIGN_TENANT",
                "token '" + name + "' is for " + tenants + ", not for "
                        + (tenant == null ? "all tenants" : "'" + tenant + "'"));
    }

    /** Lets only those through that may submit and release for the tenant. */
    void mustSubmit(String tenant) {
        mustRead(tenant);
        if (role == Role.READER) {
            throw Failure.of(
                    Status.Code.PERMISSION_DENIED, "READ_ONLY", "token '" + name + "' may look, not submit or release");
        }
    }

    /** Lets only operators through. */
    void mustOperate() {
        mustBeKnown();
        if (role != Role.OPERATOR) {
            throw Failure.of(
                    Status.Code.PERMISSION_DENIED, "OPERATORS_ONLY", "token '" + name + "' is not that of an operator");
        }
    }
}
