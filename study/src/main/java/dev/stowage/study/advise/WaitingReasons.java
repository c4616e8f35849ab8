package dev.stowage.study.advise;

import dev.stowage.core.model.ResourceWords;
import dev.stowage.study.advise.ClusterJob.Together;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why jobs wait, over all servers; equal jobs are grouped.
 *
 * @param job the first of these jobs
 * @param alike number of equal jobs
 * @param taking how many servers could take one of them now
 * @param reasons what keeps it off the other servers, the most frequent first; for each server its first reason counts
 * @param unchecked what else they ask for, and nobody can tell whether a server has it; empty if there is nothing
 * @param group the group that these jobs wait with, or null
 * @param after what becomes of them by the plan
 */
public record WaitingReasons(
        String job,
        int alike,
        int taking,
        List<Reason> reasons,
        String unchecked,
        @Nullable Group group,
        After after) {
    /**
     * What keeps a job off servers.
     *
     * @param text in words that follow "the server"
     * @param servers how many
     * @param nearest the server that is nearest to having room; empty if room is not the reason
     * @param resource the resource that is short there; empty as above
     * @param shortBy how much, whole units
     * @param tooSmall whether even the empty server would be too small; {@code shortBy} is then what it lacks empty
     */
    public record Reason(String text, int servers, String nearest, String resource, long shortBy, boolean tooSmall) {}

    /**
     * A group that waits to be placed together.
     *
     * @param name its name
     * @param waiting how many of its jobs wait
     * @param together how many of these must be placed together; 0 if that is not known
     * @param fit for how many of those room was found now, each in turn on the first server that takes it
     */
    public record Group(String name, int waiting, int together, int fit) {}

    /**
     * What becomes of equal jobs when a plan is carried out and what it empties is off.
     *
     * @param places where those have room that have; of one that belongs to a server, that one, also if it is off
     * @param reasons what keeps the others off the servers, even with all on; empty if all have room, or if what keeps
     *     them off is that their group has no room for all
     * @param fit if those without a place wait in a group, for how many of it room was found then, with all servers on
     */
    public record After(List<Place> places, List<Reason> reasons, int fit) {
        /** Takes copies. */
        public After {
            places = List.copyOf(places);
            reasons = List.copyOf(reasons);
        }
    }

    /**
     * Room for jobs that wait.
     *
     * @param server name
     * @param jobs how many of them
     * @param onForThem whether the server is on, or in use, for jobs that wait alone
     */
    public record Place(String server, int jobs, boolean onForThem) {}

    /** The common properties of equal jobs. */
    private record Kind(
            List<Long> demand, int admission, List<Integer> boundBy, List<Integer> countedBy, Together together) {}

    /** Takes a copy. */
    public WaitingReasons {
        reasons = List.copyOf(reasons);
    }

    /** The reasons of all waiting jobs, in their order, and what becomes of them. */
    static List<WaitingReasons> of(ClusterState state, Shutdown plan) {
        ClusterBooks books = new ClusterBooks(state);
        IdentityHashMap<ServerAdmission, Integer> admissions = new IdentityHashMap<>();
        Map<Kind, List<Integer>> kinds = new LinkedHashMap<>();
        Map<Together, List<Integer>> groups = new LinkedHashMap<>();
        for (int j = 0; j < state.jobs().size(); j++) {
            ClusterJob job = state.jobs().get(j);
            if (job.waits()) {
                List<Long> demand =
                        java.util.Arrays.stream(job.demand()).boxed().toList();
                int admission = admissions.computeIfAbsent(job.admission(), first -> admissions.size());
                kinds.computeIfAbsent(
                                new Kind(demand, admission, job.boundBy(), job.countedBy(), job.together()),
                                first -> new ArrayList<>())
                        .add(j);
                groups.computeIfAbsent(job.together(), first -> new ArrayList<>())
                        .add(j);
            }
        }
        Map<Together, Group> found = new LinkedHashMap<>();
        groups.remove(Together.NONE);
        groups.forEach((together, jobs) -> found.put(together, group(books, together, jobs)));
        List<WaitingReasons> all = new ArrayList<>();
        ClusterState then = plan.after();
        ClusterBooks allOn = new ClusterBooks(
                new ClusterState(then.resources(), state.servers(), then.jobs(), then.rules(), then.budgets()));
        List<Integer> onForWaiting = plan.onForWaiting(state);
        kinds.forEach((kind, jobs) -> {
            List<Reason> reasons = reasons(books, jobs.get(0));
            all.add(new WaitingReasons(
                    state.jobs().get(jobs.get(0)).name(),
                    jobs.size(),
                    books.servers() - reasons.stream().mapToInt(Reason::servers).sum(),
                    reasons,
                    state.jobs().get(jobs.get(0)).admission().unchecked(),
                    found.get(kind.together()),
                    after(allOn, jobs, onForWaiting, groups.getOrDefault(kind.together(), List.of()))));
        });
        return all;
    }

    private static After after(
            ClusterBooks books, List<Integer> jobs, List<Integer> onForWaiting, List<Integer> group) {
        Together together = books.state().jobs().get(jobs.get(0)).together();
        List<Integer> left = group.stream().filter(job -> books.where(job) < 0).toList();
        Map<Integer, Integer> places = new LinkedHashMap<>();
        jobs.stream()
                .map(books::where)
                .filter(server -> server >= 0)
                .forEach(server -> places.merge(server, 1, Integer::sum));
        List<Place> named = new ArrayList<>();
        places.forEach((server, some) ->
                named.add(new Place(books.state().servers().get(server).name(), some, onForWaiting.contains(server))));
        return new After(
                named,
                jobs.stream()
                        .filter(job -> books.where(job) < 0)
                        .findFirst()
                        .map(job -> reasons(books, job))
                        .orElse(List.of()),
                left.isEmpty() ? 0 : group(books, together, left).fit());
    }

    private static Group group(ClusterBooks books, Together together, List<Integer> jobs) {
        int most = together.jobs() == 0 ? jobs.size() : together.jobs();
        List<Integer> placed = new ArrayList<>();
        for (int j = 0; j < jobs.size() && placed.size() < most; j++) {
            for (int s = 0; s < books.servers(); s++) {
                if (books.takes(jobs.get(j), s)) {
                    books.put(jobs.get(j), s);
                    placed.add(jobs.get(j));
                    break;
                }
            }
        }
        placed.forEach(books::take);
        return new Group(together.group(), jobs.size(), together.jobs(), placed.size());
    }

    private static List<Reason> reasons(ClusterBooks books, int job) {
        Map<String, Reason> reasons = new LinkedHashMap<>();
        for (int s = 0; s < books.servers(); s++) {
            Reason reason = first(books, job, s);
            if (reason == null) {
                continue;
            }
            reasons.merge(
                    reason.text(),
                    reason,
                    (one, other) -> new Reason(
                            one.text(),
                            one.servers() + 1,
                            other.shortBy() < one.shortBy() ? other.nearest() : one.nearest(),
                            one.resource(),
                            Math.min(one.shortBy(), other.shortBy()),
                            one.tooSmall()));
        }
        List<Reason> order = new ArrayList<>(reasons.values());
        order.sort((one, other) -> Integer.compare(other.servers(), one.servers()));
        return order;
    }

    private static @Nullable Reason first(ClusterBooks books, int job, int server) {
        List<Reason> all = all(books, job, server);
        return all.stream()
                .filter(reason -> reason.resource().isEmpty() || reason.tooSmall())
                .findFirst()
                .orElse(all.isEmpty() ? null : all.get(0));
    }

    private static List<Reason> all(ClusterBooks books, int job, int server) {
        List<Reason> all = new ArrayList<>();
        books.forbiddenBy(job, server).forEach(text -> all.add(new Reason(text, 1, "", "", 0, false)));
        ClusterState state = books.state();
        String name = state.servers().get(server).name();
        for (int r = 0; r < state.resources().size(); r++) {
            long demand = books.demand(job, r);
            String resource = state.resources().get(r);
            long beyond = demand - books.capacity(server)[r];
            long lack = demand - books.free(server, r);
            if (demand > 0 && beyond > 0) {
                all.add(new Reason(
                        "has " + ResourceWords.tooLittle(resource) + " even when empty",
                        1,
                        name,
                        resource,
                        beyond,
                        true));
            } else if (demand > 0 && lack > 0) {
                all.add(new Reason("lacks " + ResourceWords.resource(resource), 1, name, resource, lack, false));
            }
        }
        return all;
    }

    /**
     * Every reason why a job cannot be placed on a server now, none if it can; rules first, then each resource that is
     * short.
     */
    public static List<Reason> whyNot(ClusterState state, int job, int server) {
        ClusterBooks books = new ClusterBooks(state);
        return all(books, job, server).stream()
                .filter(reason -> reason.resource().isEmpty() || books.where(job) != server)
                .toList();
    }
}
