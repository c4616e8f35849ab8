package dev.stowage.cli.serve;

import dev.stowage.service.api.Access;
import dev.stowage.service.api.Role;
import dev.stowage.service.api.Token;
import dev.stowage.service.raft.Tls;
import dev.stowage.sim.experiment.Fields;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The parts {@code tls} and {@code tokens} of a service's configuration. */
final class SecurityReader {
    private static final String TLS = "{certificate: node.pem, key: node.key, authority: ca.pem, clients: false}";
    private static final String TOKEN = "{name: ops, role: operator, sha256: ...}, as 'stowage token' prints it";

    private final Path base;

    SecurityReader(Path base) {
        this.base = base;
    }

    /** The certificates, or null if there are none. */
    @Nullable
    Tls tls(Fields at) {
        if (!at.present() || !at.isObject(TLS)) {
            return null;
        }
        Tls tls = new Tls(
                file(at.at("certificate")),
                file(at.at("key")),
                file(at.at("authority")),
                at.at("clients").flag(false));
        at.rejectUnknown();
        return tls;
    }

    private Path file(Fields at) {
        return base.resolve(at.requiredText("a PEM file; e.g. " + TLS));
    }

    /** Who may call. */
    static Access access(Fields at) {
        List<Token> tokens = new ArrayList<>();
        Set<String> names = new TreeSet<>();
        for (Fields token : at.elements()) {
            if (token.isObject(TOKEN)) {
                String name = token.at("name").requiredText("every token needs a name, for the audit trail");
                if (!names.add(name)) {
                    token.at("name").problem("'" + name + "' is the name of another token too");
                }
                String hash = token.at("sha256").requiredText("the hash that 'stowage token' prints");
                Role role = role(token.at("role"));
                Set<String> tenants = new TreeSet<>();
                token.at("tenants").elements().forEach(tenant -> tenants.add(tenant.text("")));
                if (role == Role.OPERATOR && !tenants.isEmpty()) {
                    token.at("tenants").problem("an operator is not bound to tenants; leave them out");
                }
                token.rejectUnknown();
                try {
                    tokens.add(new Token(name, hash.toLowerCase(Locale.ROOT), role, tenants));
                } catch (IllegalArgumentException e) {
                    token.at("sha256").problem(String.valueOf(e.getMessage()));
                }
            }
        }
        return new Access(tokens);
    }

    static Role role(Fields at) {
        String name = at.requiredText("reader, submitter or operator");
        for (Role role : Role.values()) {
            if (role.name().toLowerCase(Locale.ROOT).equals(name)) {
                return role;
            }
        }
        if (!name.isEmpty()) {
            at.problem("'" + name + "' must be reader, submitter or operator");
        }
        return Role.READER;
    }
}
