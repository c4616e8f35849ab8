package dev.stowage.cli.openstack;

import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Data;
import dev.stowage.study.advise.ClusterJob;
import dev.stowage.study.advise.ClusterState;
import dev.stowage.study.advise.WaitingReasons;
import java.util.ArrayList;
import java.util.List;

/**
 * Which hosts take one more server: the reasons for Nova's "No valid host was found".
 *
 * @param asked the server, in words
 * @param unchecked what else it asks for, which nobody can tell here; empty if there is nothing
 * @param takes how many hosts would take it
 * @param hosts all hosts
 */
record HostsOfFlavor(String asked, String unchecked, int takes, List<Host> hosts) {
    /** A host, and every reason why it does not take the server, in words that follow "the host". */
    record Host(String host, boolean takes, List<String> reasons) {}

    static HostsOfFlavor of(OpenStackState known, ClusterJob asked) {
        ClusterState state = known.state();
        List<ClusterJob> jobs = new ArrayList<>(state.jobs());
        jobs.add(asked);
        ClusterState with = new ClusterState(state.resources(), state.servers(), jobs, state.rules(), state.budgets());
        List<Host> hosts = new ArrayList<>();
        int takes = 0;
        for (int s = 0; s < with.servers().size(); s++) {
            List<WaitingReasons.Reason> all = WaitingReasons.whyNot(with, jobs.size() - 1, s);
            List<String> reasons = all.stream()
                    .filter(reason -> !reason.tooSmall()
                            || all.stream()
                                    .noneMatch(other -> other.resource().isEmpty()
                                            && (other.text() + " ").contains(" " + reason.resource() + " ")))
                    .map(HostsOfFlavor::text)
                    .toList();
            takes += reasons.isEmpty() ? 1 : 0;
            hosts.add(new Host(with.servers().get(s).name(), reasons.isEmpty(), reasons));
        }
        List<String> demand = new ArrayList<>();
        for (int r = 0; r < state.resources().size(); r++) {
            if (asked.demand()[r] > 0) {
                String resource = state.resources().get(r);
                demand.add(resource + " " + OpenStackAdviseCommand.amount(resource, asked.demand()[r]));
            }
        }
        return new HostsOfFlavor(
                asked.name() + " (" + String.join(", ", demand) + ")",
                asked.admission().unchecked(),
                takes,
                hosts);
    }

    private static String text(WaitingReasons.Reason reason) {
        return reason.resource().isEmpty()
                ? reason.text()
                : reason.text() + " (" + OpenStackAdviseCommand.amount(reason.resource(), reason.shortBy()) + " short)";
    }

    void show(Console console, boolean json) {
        if (json) {
            console.out().print(Data.json(this));
        } else {
            console.out()
                    .print(console.wrapped(
                            "",
                            asked + ": " + takes + " of " + hosts.size() + " hosts "
                                    + (takes == 1 ? "accepts it" : "accept it")
                                    + (unchecked.isEmpty() ? "" : ", by all else than " + unchecked)));
            for (Host host : hosts) {
                console.out()
                        .print(console.wrapped(
                                "  ",
                                host.host() + " " + (host.takes() ? "accepts it" : String.join("; ", host.reasons()))));
            }
        }
    }
}
