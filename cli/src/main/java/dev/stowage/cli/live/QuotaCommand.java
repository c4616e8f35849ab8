package dev.stowage.cli.live;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.core.model.ResourceWords;
import dev.stowage.service.v1.ChangeReply;
import dev.stowage.service.v1.Empty;
import dev.stowage.service.v1.Quotas;
import dev.stowage.service.v1.SetQuotaRequest;
import dev.stowage.service.v1.TenantQuota;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage quota}: how much tenants may have in the system, and have. */
@Command(
        name = "quota",
        description =
                "List the quotas of a service's tenants and what they use of them, or set the quota of a tenant: the"
                        + " most that it may have in the system, waiting or running. What runs or waits stays, even if it is"
                        + " more than that.",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage quota",
            "  stowage quota acme \"64 cores, 256 GiB\" --requests 1000",
            "  stowage quota \"*\" --requests 100",
            "  stowage quota acme --unlimited"
        })
public final class QuotaCommand extends ConsoleCommand implements Runnable {
    private static final String EVERYBODY = "*";

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "TENANT",
            description = "Name of the tenant; \"*\" means every tenant without a quota of its own, \"\" the tenant"
                    + " without a name.")
    private @Nullable String tenant;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "AMOUNTS",
            description =
                    "The most it may have of each resource, as in \"64 cores, 256 GiB\"; G and GB mean GiB. What is not named has no"
                            + " limit, also if it had one.")
    private @Nullable String amounts;

    @Option(
            names = "--requests",
            paramLabel = "N",
            description = "The most requests it may have (default: no limit, also if there was one).")
    private @Nullable Long requests;

    @Option(names = "--unlimited", description = "Let it have as much as it wants, also if \"*\" has a quota.")
    private boolean unlimited;

    @Mixin
    private ClientOptions client;

    @Mixin
    private AnswerOptions answers;

    @Override
    public void run() {
        boolean limited = amounts != null || requests != null;
        if (unlimited && limited) {
            throw new BadInputException("--unlimited leaves no limit: give it without AMOUNTS and --requests");
        }
        if (tenant == null && (unlimited || limited)) {
            throw new BadInputException("say whose quota: TENANT, or \"*\" for every tenant without one of its own");
        }
        if (tenant != null && (unlimited || limited)) {
            set(tenant);
        } else {
            list();
        }
    }

    private void set(String whose) {
        SetQuotaRequest.Builder request = SetQuotaRequest.newBuilder()
                .setChangeId(UUID.randomUUID().toString())
                .setTenant(whose);
        if (amounts != null) {
            request.putAllAmounts(RequestOptions.amounts("AMOUNTS", amounts));
        }
        if (requests != null) {
            request.setRequests(requests);
        }
        SetQuotaRequest built = request.build();
        String lifted = unlimited ? "" : lifted(whose, built);
        ChangeReply unused =
                client.call(service -> service.<ChangeReply>operations((stub, answer) -> stub.setQuota(built, answer)));
        List<String> parts = new ArrayList<>();
        if (requests != null) {
            parts.add(number(requests) + (requests == 1 ? " request" : " requests"));
        }
        if (amounts != null) {
            parts.add(AnswerOptions.amounts(built.getAmountsMap()));
        }
        String free = "no limit from now on" + (whose.equals(EVERYBODY) ? "" : ", whatever the quota of *");
        console()
                .out()
                .println(called(whose) + ": " + (parts.isEmpty() ? free : "at most " + String.join(", ", parts))
                        + lifted);
    }

    /** The limits that a quota had and another has not. */
    private String lifted(String whose, SetQuotaRequest now) {
        List<String> gone = new ArrayList<>();
        for (TenantQuota one : quotas().getQuotasList()) {
            if (one.getTenant().equals(whose) && one.getQuotaOf().isEmpty()) {
                if (one.hasRequests() && !now.hasRequests()) {
                    gone.add(number(one.getRequests()) + (one.getRequests() == 1 ? " request" : " requests"));
                }
                Map<String, Long> amounts = new TreeMap<>(one.getAmountsMap());
                amounts.keySet().removeAll(now.getAmountsMap().keySet());
                if (!amounts.isEmpty()) {
                    gone.add(AnswerOptions.amounts(amounts));
                }
            }
        }
        return gone.isEmpty() ? "" : ". Earlier limits removed: " + String.join(", ", gone);
    }

    private Quotas quotas() {
        return client.call(service ->
                service.<Quotas>operations((stub, answer) -> stub.listQuotas(Empty.getDefaultInstance(), answer)));
    }

    private void list() {
        Quotas all = quotas();
        List<TenantQuota> shown = all.getQuotasList().stream()
                .filter(one -> tenant == null || one.getTenant().equals(tenant))
                .toList();
        Console console = console();
        if (answers.json()) {
            shown.forEach(one -> console.out().println(AnswerOptions.line(one)));
            return;
        }
        if (shown.isEmpty()) {
            console.out()
                    .println(tenant == null ? "No tenant has a quota." : called(tenant) + " has no quota of its own.");
            return;
        }
        SortedSet<String> resources = new TreeSet<>();
        shown.forEach(one -> resources.addAll(one.getUsedMap().keySet()));
        List<String> header = new ArrayList<>(List.of("tenant", "quota", "requests"));
        resources.forEach(name -> header.add(ResourceWords.resource(name)));
        Columns columns = new Columns(header);
        for (TenantQuota one : shown) {
            boolean every = one.getTenant().equals(EVERYBODY);
            List<String> cells = new ArrayList<>();
            cells.add(one.getTenant().isEmpty() ? "-" : one.getTenant());
            cells.add(every ? "-" : one.getQuotaOf().isEmpty() ? "own" : "that of " + one.getQuotaOf());
            cells.add(cell(
                    every ? null : number(one.getLiveRequests()),
                    one.hasRequests() ? number(one.getRequests()) : null));
            for (String name : resources) {
                cells.add(cell(every ? null : amount(one.getUsedMap(), name), amount(one.getAmountsMap(), name)));
            }
            columns.row(cells);
        }
        console.out().print(columns.text(console.style()));
        console.legend(
                "In use, of the most that the tenant may have; where only one is shown, there is no limit. The"
                        + " quota of * is that of each tenant without one of its own; those are listed while they use something.");
    }

    private static String cell(@Nullable String used, @Nullable String most) {
        return used == null
                ? (most == null ? "no limit" : "at most " + most)
                : most == null ? used : used + " of " + most;
    }

    private static @Nullable String amount(Map<String, Long> amounts, String name) {
        Long amount = amounts.get(name);
        return amount == null ? null : ResourceWords.amount(name, amount);
    }

    private static String called(String whose) {
        return whose.equals(EVERYBODY)
                ? "every tenant without a quota of its own"
                : whose.isEmpty() ? "the tenant without a name" : "tenant " + whose;
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
