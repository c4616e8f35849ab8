package dev.stowage.cli.serve;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.service.api.Role;
import dev.stowage.service.api.Token;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage token}: a new bearer token. */
@Command(
        name = "token",
        description =
                "Make a bearer token for a service: the token on standard output, once; on standard error the line for the"
                        + " configuration's 'tokens', which has only its hash.",
        sortOptions = false,
        abbreviateSynopsis = true,
        footer = {"", "Example:", "  stowage token acme-ci --role submitter --tenants acme > acme-ci.token"})
public final class TokenCommand implements Runnable {
    private static final int BYTES = 32;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "Whose token, for the audit trail.")
    private String name;

    @Option(names = "--role", paramLabel = "ROLE", description = "reader, submitter or operator (default: submitter).")
    private String role = "submitter";

    @Option(
            names = "--tenants",
            paramLabel = "NAME,...",
            split = ",",
            hideParamSyntax = true,
            description = "For whom (default: all).")
    private List<String> tenants = List.of();

    @Override
    public void run() {
        if (!name.matches("[A-Za-z0-9._:/@+-]{1,64}")) {
            throw new BadInputException("'" + name + "' must be 1 to 64 letters, digits and . _ : / @ + -");
        }
        if (List.of(Role.values()).stream()
                .noneMatch(known -> known.name().toLowerCase(Locale.ROOT).equals(role))) {
            throw new BadInputException("--role '" + role + "' must be reader, submitter or operator");
        }
        if (role.equals("operator") && !tenants.isEmpty()) {
            throw new BadInputException("--tenants: an operator is not bound to tenants");
        }
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        String token = "stw_" + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        Console console = Console.of(spec);
        console.out().println(token);
        console.out().flush();
        console.note("  - {name: " + name + ", role: " + role + (tenants.isEmpty() ? "" : ", tenants: " + tenants)
                + ", sha256: " + Token.hash(token) + "}");
    }
}
