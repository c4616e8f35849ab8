package dev.stowage.cli;

import dev.stowage.cli.advise.AdviseCommand;
import dev.stowage.cli.advise.ConsolidateCommand;
import dev.stowage.cli.bound.BoundCommand;
import dev.stowage.cli.experiment.ExperimentsCommand;
import dev.stowage.cli.experiment.ValidateCommand;
import dev.stowage.cli.kube.KubeCommand;
import dev.stowage.cli.live.AdoptCommand;
import dev.stowage.cli.live.AgentCommand;
import dev.stowage.cli.live.ConfirmCommand;
import dev.stowage.cli.live.EvictCommand;
import dev.stowage.cli.live.ExplainCommand;
import dev.stowage.cli.live.GetCommand;
import dev.stowage.cli.live.QuotaCommand;
import dev.stowage.cli.live.ReleaseCommand;
import dev.stowage.cli.live.ServersCommand;
import dev.stowage.cli.live.StatusCommand;
import dev.stowage.cli.live.SubmitCommand;
import dev.stowage.cli.live.WatchCommand;
import dev.stowage.cli.load.LoadCommand;
import dev.stowage.cli.newpolicy.NewCommand;
import dev.stowage.cli.openstack.OpenStackCommand;
import dev.stowage.cli.plan.PlanCommand;
import dev.stowage.cli.policies.PoliciesCommand;
import dev.stowage.cli.recommend.RecommendCommand;
import dev.stowage.cli.replay.ReplayCommand;
import dev.stowage.cli.report.ReportCommand;
import dev.stowage.cli.reproduce.ReproduceCommand;
import dev.stowage.cli.run.MergeCommand;
import dev.stowage.cli.run.RunCommand;
import dev.stowage.cli.salvage.BackupCommand;
import dev.stowage.cli.salvage.RestoreCommand;
import dev.stowage.cli.salvage.SalvageCommand;
import dev.stowage.cli.serve.ChangePolicyCommand;
import dev.stowage.cli.serve.MembersCommand;
import dev.stowage.cli.serve.ServeCommand;
import dev.stowage.cli.serve.TokenCommand;
import dev.stowage.cli.size.SizeCommand;
import dev.stowage.cli.trace.TraceCommand;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;

/** The commands by what they are for, in the order of the help. */
final class CommandList {
    private static final List<Group> GROUPS = List.of(
            new Group(
                    "Ask",
                    "stowage size rvtools.xlsx --spare 1 --growth \"30 %\"",
                    List.of(
                            new Listed(SizeCommand.class, "How many servers are needed, and the proven minimum"),
                            new Listed(RunCommand.class, "What each policy does with the requests"),
                            new Listed(RecommendCommand.class, "Which policy is best for your requests and servers"),
                            new Listed(BoundCommand.class, "How close the load is to the maximum supportable load"),
                            new Listed(AdviseCommand.class, "What to do with a cluster as it is"),
                            new Listed(PlanCommand.class, "Plan one job of many tasks"))),
            new Group(
                    "Experiment",
                    "stowage run experiments/maintenance.yaml --replications 5",
                    List.of(
                            new Listed(ExperimentsCommand.class, "List the available experiments"),
                            new Listed(ValidateCommand.class, ""),
                            new Listed(ReportCommand.class, "Show a run again as a table, as a page, or step by step"),
                            new Listed(ReplayCommand.class, "Replay a recording, or run another policy on it"),
                            new Listed(MergeCommand.class, ""),
                            new Listed(PoliciesCommand.class, "List the policies, with papers and parameters"),
                            new Listed(NewCommand.class, ""),
                            new Listed(LoadCommand.class, ""),
                            new Listed(ReproduceCommand.class, "Repeat the experiments of the papers"))),
            new Group(
                    "Serve",
                    "stowage serve   and   stowage submit vm-1 --demand \"4 cores, 16 GiB\"",
                    List.of(
                            new Listed(ServeCommand.class, "Place requests live, on one node or several"),
                            new Listed(SubmitCommand.class, "Submit a request"),
                            new Listed(ReleaseCommand.class, "End requests"),
                            new Listed(GetCommand.class, "Show requests"),
                            new Listed(ExplainCommand.class, "Why a request is where it is, or why it waits"),
                            new Listed(WatchCommand.class, "Show changes as they happen"),
                            new Listed(ServersCommand.class, "Show and change servers"),
                            new Listed(StatusCommand.class, "Show the state of the service's nodes"),
                            new Listed(ChangePolicyCommand.class, ""),
                            new Listed(QuotaCommand.class, ""),
                            new Listed(ConsolidateCommand.class, ""),
                            new Listed(BackupCommand.class, ""),
                            new Listed(AdoptCommand.class, ""),
                            new Listed(ConfirmCommand.class, ""),
                            new Listed(EvictCommand.class, ""),
                            new Listed(AgentCommand.class, ""),
                            new Listed(MembersCommand.class, ""),
                            new Listed(TokenCommand.class, ""),
                            new Listed(RestoreCommand.class, ""))),
            new Group(
                    "Kubernetes and OpenStack",
                    "stowage kube advise",
                    List.of(
                            new Listed(KubeCommand.class, "Schedule pods, guard bindings, advise, consolidate"),
                            new Listed(OpenStackCommand.class, "Advise on a cloud, empty hosts, place servers"))),
            new Group(
                    "Files",
                    "stowage trace guess requests.csv",
                    List.of(
                            new Listed(TraceCommand.class, "Inspect and convert request traces"),
                            new Listed(SalvageCommand.class, ""),
                            new Listed(CompletionCommand.class, ""),
                            new Listed(VersionCommand.class, ""))));

    private CommandList() {}

    /** A command, and what the list says of it; nothing where its name is enough. */
    private record Listed(Class<?> command, String words) {
        String name() {
            return command.getAnnotation(Command.class).name();
        }
    }

    private record Group(String title, String example, List<Listed> entries) {}

    static List<Class<?>> commands() {
        return GROUPS.stream()
                .flatMap(group -> group.entries.stream())
                .<Class<?>>map(Listed::command)
                .toList();
    }

    /** All names in groups, each with an example. */
    static String text() {
        StringBuilder text = new StringBuilder();
        for (Group group : GROUPS) {
            text.append(String.format(Locale.ROOT, "%n%s, for example: %s%n", group.title, group.example));
            for (Listed entry : group.entries) {
                if (!entry.words.isEmpty()) {
                    text.append(String.format(Locale.ROOT, "  %-12s %s%n", entry.name(), entry.words));
                }
            }
            List<String> others = group.entries.stream()
                    .filter(entry -> entry.words.isEmpty())
                    .map(Listed::name)
                    .toList();
            if (!others.isEmpty()) {
                text.append(String.format(Locale.ROOT, "  also: %s%n", String.join(", ", others)));
            }
        }
        return text.toString();
    }
}
