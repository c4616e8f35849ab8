package dev.stowage.cli.serve;

import dev.stowage.service.api.Role;
import dev.stowage.service.api.Token;
import dev.stowage.service.raft.Tls;
import dev.stowage.sim.experiment.YamlFields;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The parts {@code tls} and {@code tokens} of a service's configuration. */
record SecurityReader(Path base) {
    private static final String TLS = "{certificate: node.pem, key: node.key, authority: ca.pem, clients: false}";
    private static final String TOKEN =
            "{name: ci, role: submitter, tenants: [acme], sha256: ...}, as 'stowage token' prints it";

    /** The word for all tenants. */
    static final String EVERYBODY = "all";

    static final String NAME = "[A-Za-z0-9._:/@+-]{1,64}";
    private static final int DATE_LENGTH = "2026-12-31".length();

    /** The certificates, or null if there are none. */
    @Nullable
    Tls tls(YamlFields at) {
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

    private Path file(YamlFields at) {
        return base.resolve(at.requiredText("a PEM file; e.g. " + TLS));
    }

    /** Who may call. */
    static List<Token> tokens(YamlFields at) {
        List<Token> tokens = new ArrayList<>();
        Set<String> names = new TreeSet<>();
        for (YamlFields token : at.elements()) {
            if (token.isObject(TOKEN)) {
                String name = token.at("name").requiredText("every token needs a name, for the audit trail");
                if (!names.add(name)) {
                    token.at("name").problem("'" + name + "' is already the name of another token");
                }
                String hash = token.at("sha256").requiredText("the hash that 'stowage token' prints");
                Role role = role(token.at("role"));
                Set<String> tenants = tenants(token.at("tenants"), role);
                Instant expires =
                        token.has("expires") ? token.at("expires").parsed(Instant.MAX, SecurityReader::instant) : null;
                token.rejectUnknown();
                try {
                    tokens.add(new Token(
                            name,
                            hash.toLowerCase(Locale.ROOT),
                            role,
                            tenants.isEmpty() ? Token.ALL : tenants,
                            expires));
                } catch (IllegalArgumentException e) {
                    token.at("sha256").problem(String.valueOf(e.getMessage()));
                }
            }
        }
        return tokens;
    }

    /** The named tenants; empty if there is a problem with them. */
    private static Set<String> tenants(YamlFields at, Role role) {
        boolean all = at.node().isTextual() && at.node().asText().equals(EVERYBODY);
        if (role == Role.OPERATOR) {
            if (at.present() && !all) {
                at.problem("an operator is not bound to tenants; leave them out");
            }
            return Token.ALL;
        }
        if (all) {
            return Token.ALL;
        }
        Set<String> tenants = new TreeSet<>();
        if (!at.present() || at.node().isTextual() || at.node().isEmpty()) {
            at.problem("must name the tenants that the token is for, as in [acme]; or say: all");
            return tenants;
        }
        for (YamlFields tenant : at.elements()) {
            String name = tenant.text("");
            if (!name.isEmpty() && !name.matches(NAME)) {
                tenant.problem("'" + name + "' must be at most 64 letters a to z or A to Z, digits and . _ : / @ + -");
            }
            tenants.add(name);
        }
        return tenants;
    }

    /** The end of a day, or an instant. */
    static Instant instant(String text) {
        try {
            return text.length() == DATE_LENGTH
                    ? LocalDate.parse(text)
                            .plusDays(1)
                            .atStartOfDay(ZoneOffset.UTC)
                            .toInstant()
                    : Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "must be the last day on which the token is accepted (UTC), as in 2026-12-31, or an instant, as in"
                            + " 2026-12-31T12:00:00Z",
                    e);
        }
    }

    static Role role(YamlFields at) {
        String name = at.requiredText("reader, submitter, agent or operator");
        for (Role role : Role.values()) {
            if (role.name().toLowerCase(Locale.ROOT).equals(name)) {
                return role;
            }
        }
        if (!name.isEmpty()) {
            at.problem("'" + name + "' must be reader, submitter, agent or operator");
        }
        return Role.READER;
    }
}
