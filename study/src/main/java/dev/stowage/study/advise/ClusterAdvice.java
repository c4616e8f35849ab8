package dev.stowage.study.advise;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All advice for a cluster at one moment.
 *
 * @param servers number of servers
 * @param inUse how many of them hold a job that does not belong to its server
 * @param bound no packing of what runs uses fewer servers
 * @param boundExact the certificate's value before rounding up
 * @param packing the best packing found
 * @param packingBy what found it: {@code plan} or the key of a policy
 * @param planEnd servers in use at the end of the plan
 * @param plan the moves
 * @param off numbers of the servers that can be switched off when the plan is carried out
 * @param onForWaiting numbers of the servers that stay on, or in use, for jobs that wait alone
 * @param needed how many more servers moves would empty, which are not made because what waits needs these servers
 * @param after the cluster then, with what waits on the places that are free for it, and those servers off
 * @param policies how many servers each policy would have used
 * @param waiting why jobs wait
 * @param lossOfServers servers that cannot be lost
 * @param lossAfter servers that cannot be lost when the plan is carried out and the empty servers are off
 * @param fullAfter servers that have nothing left of a resource then
 * @param lossOfZones what is lost with each value of the label of zones
 * @param room the effect of one more deployment; null if none was asked for
 */
public record ClusterAdvice(
        int servers,
        int inUse,
        int bound,
        double boundExact,
        int packing,
        String packingBy,
        int planEnd,
        MovePlan plan,
        List<Integer> off,
        List<Integer> onForWaiting,
        int needed,
        ClusterState after,
        List<PolicyNeed> policies,
        List<WaitingReasons> waiting,
        List<ServerLoss> lossOfServers,
        List<ServerLoss> lossAfter,
        List<AdviceView.Full> fullAfter,
        List<ServerLoss> lossOfZones,
        @Nullable DeploymentRoom room) {

    /** One more deployment: the number of jobs, the whole amounts that each demands, and where they may be placed. */
    public record Addition(long jobs, long[] demand, ServerAdmission admission) {}

    /**
     * The advice for a cluster. In time bounded by counted work; 1,000 servers with 20,000 jobs take seconds.
     *
     * @param zoneLabel key of the label of zones
     */
    public static ClusterAdvice of(ClusterState state, String zoneLabel, @Nullable Addition addition) {
        return of(state, zoneLabel, addition, 0);
    }

    /**
     * The same with head-room: the plan stops where all that has a place now, if servers fail, still has one.
     *
     * @param spare how many servers may fail; 0 for no head-room
     */
    public static ClusterAdvice of(ClusterState state, String zoneLabel, @Nullable Addition addition, int spare) {
        LeastServers.Bound bound = LeastServers.of(state);
        Shutdown off = Shutdown.of(state, bound.prices(), spare);
        MovePlan plan = off.plan();
        int inUse = new ClusterBooks(state).serversInUse();
        int planEnd = inUse - plan.freed().size();
        List<PolicyNeed> policies = PolicyNeed.of(state, bound.prices());
        int packing = planEnd;
        String packingBy = "plan";
        for (PolicyNeed need : policies) {
            if (need.without() == 0 && need.servers() < packing) {
                packing = need.servers();
                packingBy = need.policy();
            }
        }
        return new ClusterAdvice(
                state.servers().size(),
                inUse,
                bound.servers(),
                bound.exact(),
                packing,
                packingBy,
                planEnd,
                plan,
                off.off(),
                off.onForWaiting(state),
                off.needed(),
                off.after(),
                policies,
                WaitingReasons.of(state, off),
                ServerLoss.ofServers(state, Math.max(1, spare)),
                off.loss(),
                off.full(),
                ServerLoss.ofLabel(state, zoneLabel),
                addition == null ? null : DeploymentRoom.of(state, plan.after(state), off.off(), addition));
    }

    /** Whether the plan's end is proven to be the fewest servers. */
    public boolean optimal() {
        return planEnd == bound;
    }
}
