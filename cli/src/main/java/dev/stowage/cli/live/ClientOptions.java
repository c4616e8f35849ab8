package dev.stowage.cli.live;

import dev.stowage.cli.log.ServiceLog;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.CallFailedException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Failures;
import dev.stowage.cli.text.ProgramOptions.Rare;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.service.api.ApiSettings;
import dev.stowage.service.client.ClientSettings;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.v1.Status;
import dev.stowage.sim.experiment.Units;
import dev.stowage.sim.trace.MissingFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** Which service a command calls, and as whom. */
public class ClientOptions {
    private static final int LAST_PORT = 65_535;
    private static final String SECURE = "https://";
    private static final String PLAIN = "http://";

    private static final String USUAL_PATIENCE = "30 s";
    /** For one node that is asked for itself: a second try, as the first can take long on a busy machine. */
    private static final String SHORT_PATIENCE = "5 s";

    private static final List<String> NAMES =
            List.of("--at", "--token-file", "--authority", "--certificate", "--key", "--patience");

    @Option(
            names = "--at",
            paramLabel = "ADDRESS,...",
            split = ",",
            hideParamSyntax = true,
            defaultValue = "${env:STOWAGE_AT:-127.0.0.1:" + ApiSettings.PORT + "}",
            description =
                    "Nodes of the service, host:port or https://host:port (default: the environment's STOWAGE_AT, else"
                            + " 127.0.0.1:" + ApiSettings.PORT
                            + "). One is enough: the leader is found from any.")
    List<String> at = List.of();

    @Rare
    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with a bearer token; else the environment's STOWAGE_TOKEN, if there is one.")
    @Nullable
    Path tokenFile;

    @Rare
    @Option(
            names = "--authority",
            paramLabel = "FILE",
            description =
                    "Certificates of the authority (CA) that signed those of the nodes, PEM (default: the environment's"
                            + " STOWAGE_AUTHORITY, else those that Java trusts).")
    @Nullable
    Path authority;

    @Rare
    @Option(
            names = "--certificate",
            paramLabel = "FILE",
            description = "Own certificate for mutual TLS, PEM (default: the environment's STOWAGE_CERTIFICATE).")
    @Nullable
    Path certificate;

    @Rare
    @Option(
            names = "--key",
            paramLabel = "FILE",
            description = "Its private key, PEM (default: the environment's STOWAGE_KEY).")
    @Nullable
    Path key;

    @Rare
    @Option(
            names = "--patience",
            paramLabel = "TIME",
            description = "How long to retry a call while no node answers (default: 30 s, but not at all if nothing"
                    + " listens at any address of --at, or its certificate is not trusted; status: 5 s for each node).")
    @Nullable
    String patience;

    /** The command with these options; null for those of one node. */
    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    private boolean told;
    private String usualPatience = USUAL_PATIENCE;

    /** The value of a variable of the environment, or null. */
    UnaryOperator<@Nullable String> environment = System::getenv;

    /** Nodes of the service, as they were given. */
    public List<String> at() {
        return at;
    }

    /**
     * Refuses options of this class that were given though they say nothing here.
     *
     * @param why said after the option
     * @param names options, with their dashes
     */
    public static void refuse(CommandSpec spec, String why, List<String> names) {
        ParseResult given = spec.commandLine().getParseResult();
        for (String name : names) {
            if (given != null && given.hasMatchedOption(name)) {
                throw new BadInputException(name + " " + why);
            }
        }
    }

    /** Refuses all of them. */
    public static void refuseAll(CommandSpec spec, String why) {
        refuse(spec, why, NAMES);
    }

    /** The same for one of the nodes, over TLS as the first, asked for a short time unless options say more. */
    public ClientOptions at(String address) {
        ClientOptions one = new ClientOptions();
        one.at = List.of(
                !at.isEmpty() && at.get(0).startsWith(SECURE) && !address.contains("//") ? SECURE + address : address);
        one.tokenFile = tokenFile;
        one.authority = authority;
        one.certificate = certificate;
        one.key = key;
        one.environment = environment;
        one.patience = patience;
        one.usualPatience = SHORT_PATIENCE;
        return one;
    }

    /** The same for another node of the group, which is asked once. */
    ClientOptions once(String address) {
        ClientOptions one = at(address);
        one.patience = "0 s";
        return one;
    }

    /** A client that fails at once if nothing listens at any address, unless the user gives a patience. */
    public StowageClient client() {
        ClientSettings settings = settings();
        StowageClient client = BadInputException.saying(
                "", () -> patience == null ? StowageClient.ofRunning(settings) : StowageClient.of(settings));
        StowageClient told =
                telling(client, "trying for " + (patience == null ? usualPatience : patience) + " in all (--patience)");
        CommandSpec of = spec;
        if (of != null) {
            try {
                tell(of, () -> OwnService.group(told));
            } catch (CallFailedException | BadInputException e) {
                told.close();
                throw e;
            }
        }
        return told;
    }

    /** Says once which service is called, if its address was not typed and it is not the one of this directory. */
    void tell(CommandSpec of, Supplier<String> group) {
        if (!told && !of.commandLine().getParseResult().hasMatchedOption("--at")) {
            told = true;
            OwnService.tell(at, group, Console.of(of));
        }
    }

    /** The same client; it says what a call waits for, and what it does, if there is no answer soon. */
    private StowageClient telling(StowageClient client, String meanwhile) {
        CommandSpec of = spec;
        return of == null
                ? client
                : client.whenRetrying(thrown -> Console.of(of)
                        .note("stowage: " + CallFailures.of(thrown).getMessage() + "; " + meanwhile));
    }

    /** A client that also waits for a service to be started. */
    StowageClient waitingClient() {
        ClientSettings settings = settings();
        return telling(BadInputException.saying("", () -> StowageClient.of(settings)), "trying until there is one");
    }

    private ClientSettings settings() {
        ServiceLog.quiet();
        Path trusted = file("--authority", authority);
        Path own = file("--certificate", certificate);
        Path secret = file("--key", key);
        boolean tls = at.get(0).startsWith(SECURE) || trusted != null;
        if ((own == null) != (secret == null)) {
            throw new BadInputException(
                    "--certificate and --key go together, as do STOWAGE_CERTIFICATE and STOWAGE_KEY in the environment");
        }
        return new ClientSettings(
                at.stream().map(ClientOptions::address).toList(),
                tls,
                trusted,
                own,
                secret,
                token(),
                Duration.ofNanos(nanos("--patience", patience == null ? usualPatience : patience)));
    }

    /** The file of an option, else the one that the environment names; a pipe is one, too. */
    private @Nullable Path file(String option, @Nullable Path given) {
        String variable = "STOWAGE_" + option.substring(2).toUpperCase(Locale.ROOT);
        String named = given == null ? environment.apply(variable) : null;
        Path file = named == null || named.isBlank()
                ? given
                : BadInputException.saying(variable + ": ", () -> Path.of(named.strip()));
        if (file != null && (!Files.exists(file) || Files.isDirectory(file))) {
            throw new BadInputException((given == null ? variable : option) + " " + file + ": "
                    + (Files.isDirectory(file) ? "it is a directory" : MissingFile.why(file)));
        }
        return file;
    }

    private static String address(String text) {
        String bare = text.startsWith(SECURE) || text.startsWith(PLAIN) ? text.substring(text.indexOf("//") + 2) : text;
        String stripped = bare.endsWith("/") ? bare.substring(0, bare.length() - 1) : bare;
        if (!stripped.matches("[^:/\\s]+:\\d{1,5}|\\[[0-9a-fA-F:]+]:\\d{1,5}")) {
            throw new BadInputException("--at '" + text + "' must be host:port, as in 127.0.0.1:7411");
        }
        if (Integer.parseInt(stripped.substring(stripped.lastIndexOf(':') + 1)) > LAST_PORT) {
            throw new BadInputException("--at '" + text + "': a port is at most " + LAST_PORT);
        }
        return stripped;
    }

    private @Nullable String token() {
        if (tokenFile == null) {
            String token = environment.apply("STOWAGE_TOKEN");
            return token == null || token.isBlank() ? null : token.strip();
        }
        try {
            return Files.readString(tokenFile).strip();
        } catch (IOException e) {
            throw new BadInputException("--token-file " + tokenFile + ": " + Failures.why(e), e);
        }
    }

    public static long nanos(String option, String text) {
        return BadInputException.saying(option + " '" + text + "' ", () -> Units.durationNanos(text, 0));
    }

    /** Makes one call and waits for its answer. */
    public <R> R call(Function<StowageClient, CompletableFuture<R>> call) {
        try (StowageClient client = client()) {
            return spec == null
                    ? answer(call.apply(client))
                    : StatusLine.during(
                            Console.of(spec),
                            "stowage: asking " + String.join(",", at),
                            () -> answer(call.apply(client)));
        }
    }

    /**
     * Carries out a change; how many requests it rejected at most: those that the service rejected meanwhile, and no
     * more than it can have hit. 0 if the service does not say it, as to callers who may not see all tenants.
     */
    public static CompletableFuture<Long> rejectedBy(
            StowageClient service, Supplier<CompletableFuture<?>> change, ToLongFunction<Status> hit) {
        return service.status()
                .thenCompose(before -> change.get()
                        .thenCompose(done -> service.status()
                                .handle((after, thrown) -> thrown != null
                                        ? 0
                                        : Math.max(
                                                0,
                                                Math.min(
                                                        after.getRejectedRequests() - before.getRejectedRequests(),
                                                        hit.applyAsLong(before))))));
    }

    /** {@code up to 1 request was rejected}. */
    public static String rejected(long requests) {
        return String.format(
                Locale.ROOT,
                "up to %,d request%s rejected (the service rejected so many meanwhile; some may have another cause)",
                requests,
                requests == 1 ? " was" : "s were");
    }

    /** The answer; throws an exception with a message if the call failed. */
    public static <R> R answer(CompletableFuture<R> call) {
        try {
            return call.join();
        } catch (CompletionException e) {
            throw CallFailures.of(e.getCause() == null ? e : e.getCause());
        }
    }

    /** Also of which tenant the requests are. */
    public static final class OfTenant extends ClientOptions {
        @Option(
                names = "--tenant",
                paramLabel = "NAME",
                description = "Tenant of the requests (default: the tenant without a name).")
        public String tenant = "";
    }
}
