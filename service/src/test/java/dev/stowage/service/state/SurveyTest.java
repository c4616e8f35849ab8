package dev.stowage.service.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Command;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.Policies;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is looked at in short holds of the lock, against all of it at once. */
final class SurveyTest {
    /** More than this is not to be looked at in one hold. */
    private static final int MOST = 256;

    private final ServiceState state = new ServiceState(new Policies());
    private long position;

    private void apply(Operation... operations) {
        position++;
        state.apply(position, new Batch(ServiceState.VERSION, 0, 0, position * 10, List.of(operations)));
        state.takeChanges();
        assertThat(state.halted()).isNull();
    }

    private World begin(int servers) {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu"), Resource.of("mem")),
                List.of(),
                List.of(
                        Site.of("here", new ServerBlock(servers, Amounts.of(10, 40))),
                        Site.of("there", new ServerBlock(servers / 2, Amounts.of(14, 20)))),
                List.of(RequestType.of("small", 2, 1)));
        apply(new Operation.Begin(new Setting(cluster, PolicySpec.of("fifo-ff"), 1, Long.MAX_VALUE / 4)));
        return Objects.requireNonNull(state.world());
    }

    @Test
    void serversAreLookedAtSomeAtATime() {
        Random random = new Random(7);
        World world = begin(500);
        for (int i = 0; i < 900; i++) {
            long[] demand = {1 + random.nextInt(12), 1 + random.nextInt(24)};
            List<String> sites = random.nextInt(3) == 0 ? List.of("there") : List.of();
            apply(Submits.of("acme", "r" + i, "", demand, new long[0], 0, -1, sites));
        }
        for (int i = 0; i < 60; i++) {
            apply(new Operation.Change("c" + i, "olga", "", Command.plain(Command.Kind.DRAIN, 0, random.nextInt(750))));
        }
        int surveyed = 0;
        for (int i = 0; i < 900; i += 7) {
            Request request = world.find("acme", "r" + i);
            if (request == null) {
                // Larger than all servers where it may run.
                continue;
            }
            surveyed++;
            Survey survey = new Survey(request, 5);
            int holds = 1;
            while (survey.more(world)) {
                holds++;
            }
            assertThat(holds).isEqualTo(3);
            check(world, request, survey);
        }
        assertThat(surveyed).isGreaterThan(50);
    }

    /** The reference implementation: all servers at once. */
    private static void check(World world, Request request, Survey survey) {
        View view = world.engine().view();
        List<Integer> up = IntStream.range(0, view.servers())
                .filter(server -> view.status(server) == ServerStatus.UP)
                .filter(server -> request.sites().isEmpty()
                        || request.sites().contains(world.sites().get(view.site(server))))
                .boxed()
                .toList();
        List<Integer> large = up.stream()
                .filter(server -> request.demand()[0] <= view.capacity(server, 0)
                        && request.demand()[1] <= view.capacity(server, 1))
                .toList();
        assertThat(survey.up()).isEqualTo(up.size());
        assertThat(survey.draining()).isEqualTo((int) IntStream.range(0, view.servers())
                .filter(server -> view.status(server) == ServerStatus.DRAINING)
                .filter(server -> request.sites().isEmpty()
                        || request.sites().contains(world.sites().get(view.site(server))))
                .count());
        assertThat(survey.large()).isEqualTo(large.size());
        assertThat(survey.room()).isEqualTo((int) large.stream()
                .filter(server -> lack(view, request, server) == 0)
                .count());
        assertThat(survey.nearest())
                .extracting(Survey.Seen::server)
                .containsExactlyElementsOf(large.stream()
                        .filter(server -> request.state() != Request.State.RUNNING || server != request.server())
                        .sorted(Comparator.comparingDouble((Integer server) -> lack(view, request, server))
                                .thenComparing(server -> server))
                        .limit(5)
                        .toList());
        assertThat(survey.own() != null).isEqualTo(request.state() == Request.State.RUNNING);
        assertThat(survey.nearest()).allSatisfy(seen -> {
            assertThat(seen.free()).containsExactly(view.free(seen.server(), 0), view.free(seen.server(), 1));
            assertThat(seen.site()).isEqualTo(world.sites().get(view.site(seen.server())));
        });
    }

    private static double lack(View view, Request request, int server) {
        return Math.max(
                Math.max(0, (double) (request.demand()[0] - view.free(server, 0)) / request.demand()[0]),
                Math.max(0, (double) (request.demand()[1] - view.free(server, 1)) / request.demand()[1]));
    }

    @Test
    void quotasAreLookedAtSomeAtATime() {
        World world = begin(10);
        for (int i = 0; i < 3 * MOST; i++) {
            apply(new Operation.SetQuota("q" + i, "olga", "t" + i, new Quota(i, new long[0])));
        }
        apply(Submits.of("t5", "r", "small", new long[0], new long[0], 0, -1));
        QuotaListing all = new QuotaListing(tenant -> true);
        int before = 0;
        boolean more = true;
        while (more) {
            more = all.more(world);
            assertThat(all.rows().size() - before).isLessThanOrEqualTo(MOST);
            before = all.rows().size();
            // One that comes meanwhile, behind: it is seen or not, and takes no other's place.
            apply(new Operation.SetQuota("q" + position, "olga", "u" + position, new Quota(1, new long[0])));
        }
        assertThat(all.rows().stream().map(QuotaListing.Row::tenant).filter(tenant -> tenant.startsWith("t")))
                .containsExactlyElementsOf(IntStream.range(0, 3 * MOST)
                        .mapToObj(i -> "t" + i)
                        .sorted()
                        .toList());
        assertThat(all.rows())
                .filteredOn(row -> row.tenant().equals("t5"))
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.requests()).isEqualTo(1);
                    assertThat(row.used()).containsExactly(2, 1);
                    assertThat(row.quota().requests()).isEqualTo(5);
                });
        QuotaListing one = new QuotaListing("t7"::equals);
        while (one.more(world)) {}
        assertThat(one.rows()).extracting(QuotaListing.Row::tenant).containsExactly("t7");
        // Without a quota of everybody, nothing limits a tenant that has none of its own.
        apply(Submits.of("t50a", "r", "small", new long[0], new long[0], 0, -1));
        assertThat(limited(world)).doesNotContain("t50a");
        apply(new Operation.SetQuota("all", "olga", Quota.EVERYBODY, new Quota(3, new long[0])));
        assertThat(limited(world)).containsSubsequence("*", "t50", "t50a by *", "t51");
        apply(new Operation.Release("t50a", "r"));
        assertThat(limited(world)).contains("t5").doesNotContain("t50a by *");
    }

    private static List<String> limited(World world) {
        QuotaListing all = new QuotaListing(tenant -> true);
        while (all.more(world)) {}
        return all.rows().stream()
                .map(row -> row.tenant() + (row.own() ? "" : " by *"))
                .toList();
    }
}
