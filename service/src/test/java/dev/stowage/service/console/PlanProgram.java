package dev.stowage.service.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stowage.service.v1.ListReply;
import dev.stowage.service.v1.ListServersReply;
import dev.stowage.service.v1.Request;
import dev.stowage.service.v1.Server;
import dev.stowage.service.v1.Status;
import dev.stowage.study.advise.AdviceView;
import dev.stowage.study.advise.ClusterAdvice;
import dev.stowage.study.advise.ClusterJob;
import dev.stowage.study.advise.ClusterServer;
import dev.stowage.study.advise.ClusterState;
import dev.stowage.study.advise.ServerAdmission;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * As much of {@code stowage consolidate} as the console asks for. The command itself plans with constraints; this one
 * knows none.
 */
final class PlanProgram {
    private PlanProgram() {}

    static List<String> command() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                PlanProgram.class.getName());
    }

    /** Reads the pages, and writes the plan. */
    public static void main(String[] args) throws IOException {
        List<String> resources = Status.parseDelimitedFrom(System.in).getResourcesList();
        List<ClusterServer> servers = new ArrayList<>();
        ListServersReply some;
        do {
            some = ListServersReply.parseDelimitedFrom(System.in);
            for (Server one : some.getServersList()) {
                servers.add(new ClusterServer(
                        Integer.toString(one.getServer()),
                        resources.stream().mapToLong(one::getCapacityOrThrow).toArray(),
                        new TreeMap<>(),
                        one.getStatus().equals("up") ? "" : "is " + one.getStatus()));
            }
        } while (!some.getNextPageToken().isEmpty());
        List<ClusterJob> jobs = new ArrayList<>();
        for (boolean waits : new boolean[] {true, false}) {
            ListReply page;
            do {
                page = ListReply.parseDelimitedFrom(System.in);
                for (Request one : page.getRequestsList()) {
                    jobs.add(ClusterJob.movable(
                            one.getTenant() + "/" + one.getRequestId(),
                            resources.stream().mapToLong(one::getDemandOrThrow).toArray(),
                            waits ? ClusterJob.WAITS : one.getServer(),
                            ServerAdmission.everywhere(servers.size())));
                }
            } while (!page.getNextPageToken().isEmpty());
        }
        ClusterState state = new ClusterState(resources, servers, jobs, List.of(), List.of());
        AdviceView view = AdviceView.of(
                state, ClusterAdvice.of(state, "", null), List.of("servers that are not up are given nothing"));
        System.out.println(new ObjectMapper().writeValueAsString(view));
    }
}
