package dev.stowage.cli.live;

import dev.stowage.cli.answer.ReportOption;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.v1.GetRequest;
import dev.stowage.service.v1.ListReply;
import dev.stowage.service.v1.ListRequest;
import dev.stowage.service.v1.Request;
import dev.stowage.service.v1.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage get}: shows requests. */
@Command(
        name = "get",
        description = "Show the named requests of a service, or a list: first those in the system in order of arrival,"
                + " then those that have left it, the newest first.",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage get vm-1",
            "  stowage get --state waiting",
            "  stowage get --all-tenants --server 17",
            "",
            "Exit code 3: a named request was rejected or has expired. 1: a named one is not known."
        })
public final class GetCommand extends ConsoleCommand implements Runnable {
    private static final int MOST_PAGE = 1000;

    @Parameters(arity = "0..*", paramLabel = "ID", description = "Ids of the requests (default: a list).")
    private List<String> ids = List.of();

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "Only waiting, running, released, rejected, expired.")
    private @Nullable String state;

    @Option(names = "--all-tenants", description = "A list of all tenants' requests, for those who may see them.")
    private boolean allTenants;

    @Option(names = "--site", paramLabel = "NAME", description = "Only those that run, or ran last, in this site.")
    private @Nullable String site;

    @Option(
            names = "--server",
            paramLabel = "SERVER",
            description = "Only those that run, or ran last, on this server, by name or number.")
    private @Nullable String server;

    @Option(names = "--limit", paramLabel = "N", description = "Maximum length of a list (default: 100).")
    private int limit = 100;

    @Mixin
    private ClientOptions.OfTenant client;

    @Mixin
    private AnswerOptions answers;

    @Override
    public void run() {
        try (StowageClient service = client.client()) {
            if (ids.isEmpty()) {
                answers.tenants = allTenants;
                List<ListReply> pages = pages(service);
                List<Request> found = AnswerOptions.first(requests(pages), limit, "requests", console());
                answers.show(console(), found.toArray(Request[]::new));
                tell(found.isEmpty(), pages.get(0).getOtherTenants());
            } else {
                List<Request> found = answers.showAll(console(), named(service));
                tellWhy(found);
                AnswerOptions.refuseUnplaced(found);
            }
        }
    }

    /** Says how to learn more of the first that waits. */
    private void tellWhy(List<Request> found) {
        found.stream()
                .filter(request -> request.getState() == State.WAITING && !answers.json())
                .findFirst()
                .ifPresent(request -> {
                    List<String> explain = new ArrayList<>(List.of("explain", request.getRequestId()));
                    if (!client.tenant.isEmpty()) {
                        explain.addAll(List.of("--tenant", client.tenant));
                    }
                    client.at.forEach(address -> explain.addAll(List.of("--at", address)));
                    console()
                            .legend("What " + request.getRequestId() + " waits for, and when it will probably start: "
                                    + ReportOption.again(explain));
                });
    }

    /** Says what the list is of where that may surprise: it is empty, or there are requests of other tenants. */
    private void tell(boolean empty, boolean others) {
        boolean nameless = client.tenant.isEmpty() && !allTenants;
        boolean every = state == null && site == null && server == null;
        String hint = "--tenant NAME shows another's, --all-tenants everybody's";
        if (empty) {
            console()
                    .note("stowage: "
                            + (every
                                    ? "no such request"
                                    : "nothing matches" + (allTenants ? "" : " among the requests"))
                            + (allTenants
                                    ? ""
                                    : nameless
                                            ? " of the tenant without a name; " + hint
                                            : " of tenant " + client.tenant));
        } else if (nameless && others) {
            console().note("stowage: only requests without a tenant are shown; " + hint);
        }
    }

    private List<CompletableFuture<Request>> named(StowageClient service) {
        return ids.stream()
                .map(id -> service.get(GetRequest.newBuilder()
                        .setTenant(client.tenant)
                        .setRequestId(id)
                        .build()))
                .toList();
    }

    private List<ListReply> pages(StowageClient service) {
        ListRequest.Builder page =
                ListRequest.newBuilder().setAllTenants(allTenants).setState(wanted());
        if (!allTenants) {
            page.setTenant(client.tenant);
        }
        if (site != null) {
            page.setSite(site);
        }
        if (server != null) {
            page.setServerName(server);
        }
        return pages(page, limit, one -> ClientOptions.answer(service.list(one)));
    }

    /** The list, up to one more than the limit: what is not shown is not read. */
    static List<ListReply> pages(ListRequest.Builder page, int limit, Function<ListRequest, ListReply> service) {
        List<ListReply> pages = new ArrayList<>();
        int found = 0;
        do {
            page.setPageSize(Math.min(MOST_PAGE - 1, limit - found) + 1);
            ListReply reply = service.apply(page.build());
            pages.add(reply);
            found += reply.getRequestsCount();
            page.setPageToken(reply.getNextPageToken());
        } while (!page.getPageToken().isEmpty() && found <= limit);
        return pages;
    }

    static List<Request> requests(List<ListReply> pages) {
        return pages.stream().flatMap(page -> page.getRequestsList().stream()).toList();
    }

    private State wanted() {
        if (limit < 1) {
            throw new BadInputException("--limit " + limit + " must be at least 1");
        }
        if (state == null) {
            return State.STATE_UNSPECIFIED;
        }
        for (State known : State.values()) {
            if (known != State.UNRECOGNIZED
                    && known != State.STATE_UNSPECIFIED
                    && known.name().equals(state.toUpperCase(Locale.ROOT))) {
                return known;
            }
        }
        throw new BadInputException("--state '" + state + "' must be waiting, running, released, rejected or expired");
    }
}
