package dev.stowage.cli.live;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.cli.text.ProgramOptions.Rare;
import dev.stowage.core.model.Labels;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.v1.ChangeReply;
import dev.stowage.service.v1.ChangeServerRequest;
import dev.stowage.service.v1.ChangeSiteRequest;
import dev.stowage.service.v1.DryRunMovesRequest;
import dev.stowage.service.v1.ListRequest;
import dev.stowage.service.v1.ListServersReply;
import dev.stowage.service.v1.ListServersRequest;
import dev.stowage.service.v1.Move;
import dev.stowage.service.v1.Moves;
import dev.stowage.service.v1.Server;
import dev.stowage.service.v1.ServerChange;
import dev.stowage.service.v1.Status;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stowage servers}: the servers of a service, and changes of one. */
@Command(
        name = "servers",
        description = "List the servers of a service. Or drain, return or remove a server or all of a site, or report"
                + " them lost; or add, resize or label one.",
        abbreviateSynopsis = true,
        subcommands = {
            ServerChangeCommands.Add.class,
            ServerChangeCommands.Resize.class,
            ServerChangeCommands.Label.class
        },
        footer = {
            "",
            "Examples:",
            "  stowage servers",
            "  stowage servers --drain rack2-5",
            "  stowage servers --drain rack2-5 --move-every \"10 s\"",
            "  stowage servers --lost berlin",
            "  stowage servers add main \"48 cores, 128 GiB\" --name rack2-5 --labels gpu=V100,zone=a"
        })
public final class ServersCommand extends ConsoleCommand implements Runnable {
    private static final int PAGE = 1000;
    /** How long a drain waits to say what it moves, seconds. */
    private static final int DRY_RUN_SECONDS = 10;

    private static final String GONE = "gone";
    private static final String NONE = "-";
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,9}");

    @ArgGroup
    private @Nullable Change change;

    @Option(
            names = "--move-every",
            paramLabel = "TIME",
            description =
                    "With --drain of a server: move what runs there, one request per interval of this length. What"
                            + " finds no place elsewhere stays and is tried again.")
    private @Nullable String moveEvery;

    @Rare
    @Option(names = "--limit", paramLabel = "N", description = "Maximum number of servers in the list (default: 100).")
    private int limit = 100;

    @Mixin
    private ClientOptions client;

    @Mixin
    private AnswerOptions answers;

    /** At most one of these. */
    static final class Change {
        @Option(
                names = "--drain",
                paramLabel = "SERVER|SITE",
                description = "Let it take no new requests; the name of a site means all its servers.")
        @Nullable
        String drain;

        @Option(
                names = "--return",
                paramLabel = "SERVER|SITE",
                description =
                        "Let it take requests again; for a site, its draining servers. One that is gone because its"
                                + " agent is silent comes back with the agent; if that will not: docs/service.md, Agents.")
        @Nullable
        String back;

        @Option(
                names = "--remove",
                paramLabel = "SERVER|SITE",
                description = "Remove it; it, or every server of the site, must be empty.")
        @Nullable
        String remove;

        @Option(
                names = "--lost",
                paramLabel = "SERVER|SITE",
                description = "Report that it died; what ran on it is placed again, waits for room or, where the policy"
                        + " rejects, is rejected.")
        @Nullable
        String lost;
    }

    @Override
    public void run() {
        try (StowageClient service = client.client()) {
            if (moveEvery != null && (change == null || change.drain == null)) {
                throw new BadInputException("--move-every goes with --drain");
            }
            if (change != null) {
                carryOut(service, change);
            } else {
                list(service);
            }
        }
    }

    private void carryOut(StowageClient service, Change asked) {
        if (asked.drain != null) {
            change(
                    service,
                    ServerChange.DRAIN,
                    asked.drain,
                    "draining; nothing new is placed there" + (moveEvery == null ? ", and what runs goes on" : ""));
        } else if (asked.back != null) {
            change(service, ServerChange.RETURN, asked.back, "takes requests again");
        } else if (asked.remove != null) {
            change(service, ServerChange.REMOVE, asked.remove, "removed");
        } else if (asked.lost != null) {
            change(
                    service,
                    ServerChange.LOST,
                    asked.lost,
                    "lost; what ran there is placed again, waits for room or, where the policy rejects, is rejected");
        }
    }

    private void change(StowageClient service, ServerChange kind, String what, String done) {
        String id = UUID.randomUUID().toString();
        boolean number = NUMBER.matcher(what).matches();
        boolean server = number || !isSite(service, what);
        if (moveEvery != null && !server) {
            throw new BadInputException("--move-every: '" + what + "' is a site; drain its servers one by one");
        }
        ChangeServerRequest.Builder one = ChangeServerRequest.newBuilder();
        if (moveEvery != null) {
            one.setMoveGapNanos(ClientOptions.nanos("--move-every", moveEvery));
        }
        String planned = moveEvery == null ? "" : moves(service, what, moveEvery);
        Supplier<CompletableFuture<?>> call = () -> service.<ChangeReply>operations((stub, answer) -> {
            if (server) {
                stub.changeServer(
                        one.setChangeId(id)
                                // An older service, without names, refuses -1.
                                .setServer(number ? Integer.parseInt(what) : -1)
                                .setName(number ? "" : what)
                                .setChange(kind)
                                .build(),
                        answer);
            } else {
                stub.changeSite(
                        ChangeSiteRequest.newBuilder()
                                .setChangeId(id)
                                .setSite(what)
                                .setChange(kind)
                                .build(),
                        answer);
            }
        });
        long rejected = 0;
        if (kind == ServerChange.LOST) {
            rejected = ClientOptions.answer(ClientOptions.rejectedBy(service, call, Status::getLiveRequests));
        } else {
            Object unused = ClientOptions.answer(call.get());
        }
        String told = rejected == 0 ? "" : ". Of what ran there or waited, " + ClientOptions.rejected(rejected);
        Console console = console();
        String name = server ? "server " : "all servers of site ";
        console.out().print(console.wrapped("", name + what + ": " + done + planned + told));
    }

    /**
     * What a drain with moves would do with what runs there, as of now; nothing if the service cannot tell: it is
     * older, has another dry run under way or knows no such server. The drain does not depend on it.
     */
    private static String moves(StowageClient service, String server, String every) {
        DryRunMovesRequest asked =
                DryRunMovesRequest.newBuilder().setServer(server).build();
        return service.<Moves>operations((stub, answer) -> stub.dryRunMoves(asked, answer))
                .orTimeout(DRY_RUN_SECONDS, TimeUnit.SECONDS)
                .handle((moves, thrown) -> thrown == null ? phrase(moves, every) : "")
                .join();
    }

    private static String phrase(Moves moves, String every) {
        List<Move> leaving = moves.getMovesList().stream()
                .filter(move -> move.getFromServer() >= 0)
                .toList();
        long placed = leaving.stream().filter(move -> move.getToServer() >= 0).count();
        long without = leaving.size() - placed;
        if (leaving.isEmpty()) {
            return moves.getStay() == 0
                    ? ". Nothing runs there"
                    : ". Nothing is moved now: the policy has no other place for the " + moves.getStay()
                            + " that run there";
        }
        StringBuilder text = new StringBuilder(". What runs there is moved, one request every " + every
                + ": as of now, " + placed + " would go elsewhere");
        if (without > 0) {
            text.append(", ").append(without).append(" would wait or be rejected");
        }
        if (moves.getStay() > 0) {
            text.append(", ").append(moves.getStay()).append(" would stay");
        }
        boolean tenants = leaving.stream().anyMatch(move -> !move.getTenant().isEmpty());
        text.append(". 'stowage get" + (tenants ? " --all-tenants" : "") + "' shows what to confirm");
        return text.toString();
    }

    /**
     * Names, devices, labels and what is to confirm have columns if there are any; nothing is free on a server that is
     * lost or removed.
     */
    static Columns table(List<Server> servers, long deviceAmount) {
        boolean named = servers.stream().anyMatch(server -> !server.getName().isEmpty());
        boolean labelled = servers.stream().anyMatch(server -> server.getLabelsCount() > 0);
        List<String> header = new ArrayList<>(List.of("server", "site", "status", "running", "capacity", "free"));
        if (named) {
            header.add(1, "name");
        }
        if (deviceAmount > 0) {
            header.add("free per device");
        }
        if (labelled) {
            header.add("labels");
        }
        boolean confirm = servers.stream().anyMatch(ServersCommand::isChanging);
        if (confirm) {
            header.add(header.indexOf("running") + 1, AnswerOptions.CONFIRM);
        }
        Columns columns = new Columns(header);
        for (Server server : servers) {
            boolean gone = server.getStatus().equals(GONE);
            List<String> cells = new ArrayList<>(List.of(
                    Integer.toString(server.getServer()),
                    server.getSite(),
                    server.getStatus()
                            + (server.getSilent() ? ", silent agent" : "")
                            + (server.getOvercommitted() ? ", overcommitted" : ""),
                    Integer.toString(server.getRunning()),
                    AnswerOptions.amounts(server.getCapacityMap()),
                    gone ? NONE : AnswerOptions.amounts(server.getFreeMap())));
            if (named) {
                cells.add(1, server.getName());
            }
            if (deviceAmount > 0) {
                cells.add(gone ? NONE : devices(server, deviceAmount));
            }
            if (labelled) {
                cells.add(Labels.of(server.getLabelsMap()).toString());
            }
            if (confirm) {
                cells.add(header.indexOf(AnswerOptions.CONFIRM), Integer.toString(server.getUnconfirmed()));
            }
            columns.row(cells);
        }
        return columns;
    }

    private static boolean isChanging(Server server) {
        return server.getUnconfirmed() > 0;
    }

    /** What is free of each, in devices; with their numbers if one is missing. */
    private static String devices(Server server, long amount) {
        int count = server.getDevicesCount();
        boolean all = count == 0 || server.getDevices(count - 1).getNumber() == count - 1;
        return server.getDevicesList().stream()
                .map(device -> (all ? "" : device.getNumber() + ":")
                        + BigDecimal.valueOf(device.getFree())
                                .divide(BigDecimal.valueOf(amount), 3, RoundingMode.FLOOR)
                                .stripTrailingZeros()
                                .toPlainString())
                .collect(Collectors.joining(" "));
    }

    /** Whether a word names a site and no server. */
    private static boolean isSite(StowageClient service, String what) {
        if (!ClientOptions.answer(service.status()).getSitesList().contains(what)) {
            return false;
        }
        boolean server = service.list(ListRequest.newBuilder()
                        .setAllTenants(true)
                        .setPageSize(1)
                        .setServerName(what)
                        .build())
                .handle((reply, thrown) -> thrown == null)
                .join();
        if (server) {
            throw new BadInputException("'" + what + "' is a site and a server; give the number of the server");
        }
        return true;
    }

    private void list(StowageClient service) {
        if (limit < 1) {
            throw new BadInputException("--limit " + limit + " must be at least 1");
        }
        boolean json = answers.json();
        List<Server> found = new ArrayList<>();
        ListServersRequest.Builder page = ListServersRequest.newBuilder();
        do {
            page.setPageSize(Math.min(PAGE - 1, limit - found.size()) + 1);
            ListServersRequest request = page.build();
            ListServersReply reply =
                    ClientOptions.answer(service.operations((stub, answer) -> stub.listServers(request, answer)));
            found.addAll(reply.getServersList());
            page.setPageToken(reply.getNextPageToken());
        } while (!page.getPageToken().isEmpty() && found.size() <= limit);
        Console console = console();
        List<Server> servers = AnswerOptions.first(found, limit, "servers", console);
        if (json) {
            servers.forEach(server -> console.out().println(AnswerOptions.line(server)));
        } else {
            boolean devices = servers.stream().anyMatch(server -> server.getDevicesCount() > 0);
            long amount = devices ? ClientOptions.answer(service.status()).getDeviceAmount() : 0;
            console.out().print(table(servers, amount).text(console.style()));
            if (servers.stream().anyMatch(ServersCommand::isChanging)) {
                console.legend(AnswerOptions.TO_CONFIRM + " A migration counts at both servers.");
            }
        }
    }
}
