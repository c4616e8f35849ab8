package dev.stowage.cli.serve;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.service.api.Role;
import dev.stowage.service.api.Token;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage token}: a new bearer token. */
@Command(
        name = "token",
        description =
                "Make a bearer token for a service. Prints the token on standard output, once, and the line for the"
                        + " configuration's 'tokens' on standard error; that line has only the token's hash.",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Example:",
            "  stowage token acme-ci --role submitter --tenants acme --expires 2026-12-31 > acme-ci.token"
        })
public final class TokenCommand extends ConsoleCommand implements Runnable {
    private static final int BYTES = 32;

    @Parameters(paramLabel = "NAME", description = "Whose token, for the audit trail.")
    private String name;

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            description = "reader, submitter, agent or operator (default: submitter).")
    private String role = "submitter";

    @Option(
            names = "--tenants",
            paramLabel = "NAME,...",
            split = ",",
            hideParamSyntax = true,
            description = "Tenants that the token is for: names, or all. An operator's token is for all.")
    private List<String> tenants = List.of();

    @Option(
            names = "--expires",
            paramLabel = "DAY",
            description = "Last day on which it is accepted (UTC), as in 2026-12-31, or an instant (default: never"
                    + " expires).")
    @Nullable
    private String expires;

    @Override
    public void run() {
        checkName("", name);
        if (List.of(Role.values()).stream()
                .noneMatch(known -> known.name().toLowerCase(Locale.ROOT).equals(role))) {
            throw new BadInputException("--role '" + role + "' must be reader, submitter, agent or operator");
        }
        boolean all = tenants.equals(List.of(SecurityReader.EVERYBODY));
        if (role.equals("operator") && !tenants.isEmpty() && !all) {
            throw new BadInputException("--tenants: an operator is not bound to tenants");
        }
        if (!role.equals("operator") && tenants.isEmpty()) {
            throw new BadInputException("--tenants is missing: name the tenants that the token is for, or say: all");
        }
        if (!all) {
            tenants.forEach(tenant -> checkName("--tenants: ", tenant));
        }
        checkExpiry();
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        String token = "stw_" + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        Console console = console();
        console.out().println(token);
        String whose = tenants.isEmpty() ? "" : ", tenants: " + (all ? SecurityReader.EVERYBODY : tenants);
        // In the same line, so that what is to be copied is one.
        String remark = all || tenants.isEmpty() ? "" : "  # its calls name a tenant: --tenant " + tenants.get(0);
        console.toCopy("  - {name: " + name + ", role: " + role + whose
                + (expires == null ? "" : ", expires: \"" + expires + "\"") + ", sha256: " + Token.hash(token) + "}"
                + remark);
        // Comments, so that all of standard error may go into the file.
        console.note("  # The line above is for 'tokens' in the configuration of every node; it has only the hash.\n"
                + "  # The token itself, on standard output, is for its caller: --token-file or STOWAGE_TOKEN.");
    }

    private void checkExpiry() {
        if (expires == null) {
            return;
        }
        try {
            if (!SecurityReader.instant(expires).isAfter(Instant.now())) {
                throw new BadInputException("--expires " + expires + " is in the past");
            }
        } catch (IllegalArgumentException e) {
            throw new BadInputException("--expires '" + expires + "' " + e.getMessage(), e);
        }
    }

    private static void checkName(String option, String text) {
        if (!text.matches(SecurityReader.NAME)) {
            throw new BadInputException(
                    option + "'" + text + "' must be 1 to 64 letters a to z or A to Z, digits and . _ : / @ + -");
        }
    }
}
