package dev.stowage.cli.live;

import dev.stowage.cli.text.Console;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.v1.ConfirmRequest;
import dev.stowage.service.v1.Request;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage confirm}: a migration or a resize was carried out. */
@Command(
        name = "confirm",
        description = "Tell a service that a migration or a resize of its policy's was carried out. \"stowage get\" and"
                + " \"stowage watch\" show what is to be confirmed, and its position; the same again does no harm.",
        sortOptions = false,
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage confirm vm-1 --migration 1207",
            "  stowage confirm vm-1 --resize 1311 --tenant acme"
        })
public final class ConfirmCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "ID", description = "Id of the request.")
    private String id = "";

    @ArgGroup(multiplicity = "1")
    private Change change = new Change();

    @Mixin
    private ClientOptions client;

    @Mixin
    private AnswerOptions answers;

    /** One of these. */
    static final class Change {
        @Option(
                names = "--migration",
                paramLabel = "POSITION",
                description = "It runs on its new server, as the change at this position says.")
        @Nullable
        Long migration;

        @Option(
                names = "--resize",
                paramLabel = "POSITION",
                description = "It holds what the change at this position gives it.")
        @Nullable
        Long resize;
    }

    @Override
    public void run() {
        Long migration = change.migration;
        Long resize = change.resize;
        ConfirmRequest.Builder request =
                ConfirmRequest.newBuilder().setTenant(client.tenant).setRequestId(id);
        Console console = Console.of(spec);
        try (StowageClient service = client.client()) {
            OwnService.tell(client, service, console);
            Request confirmed = ClientOptions.answer(
                    migration != null
                            ? service.confirmMigration(
                                    request.setPosition(migration).build())
                            : service.confirmResize(request.setPosition(resize == null ? -1 : resize)
                                    .build()));
            answers.show(console, confirmed);
        }
    }
}
